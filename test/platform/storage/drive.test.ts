import { mkdtempSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startFauxqs } from 'fauxqs'
import { parseEnv } from '../../../src/app/env.ts'
import { openDrive } from '../../../src/platform/storage/drive.ts'

/** The two places that the environment can name, each opened for one test. */
const places = {
  async folder() {
    const folder = mkdtempSync(path.join(tmpdir(), 'carga-drive-'))
    const env = { DATA_DIR: folder }
    // Files carry the time of the kernel, which test:clocks can't move.
    return { env, now: statSync(folder).mtimeMs, close: () => rm(folder, { recursive: true }) }
  },
  async bucket() {
    const store = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false })
    store.createBucket('fotos')
    const env = {
      S3_BUCKET: 'fotos',
      S3_ENDPOINT: `http://127.0.0.1:${store.port}`,
      S3_ACCESS_KEY_ID: 'prueba',
      S3_SECRET_ACCESS_KEY: 'prueba-prueba',
    }
    return { env, now: Date.now(), close: () => store.stop() }
  },
}

describe.each(['folder', 'bucket'] as const)('a %s', (name) => {
  test('keeps bytes to the letter, gives them back, lists and deletes them', async () => {
    const { env, now, close } = await places[name]()
    const drive = openDrive(parseEnv(env).storage)
    const small = Buffer.from('two bytes and some more')
    const large = Buffer.alloc(1_500_000, 'x\0y')
    await drive.put('visit/a/full', large, 'image/jpeg')
    await drive.put('visit/a/list', small, 'image/webp')
    await drive.put('visit/a/list', small, 'image/webp')
    expect(Buffer.from((await drive.get('visit/a/full'))!).equals(large)).toBe(true)
    expect(Buffer.from((await drive.get('visit/a/list'))!).equals(small)).toBe(true)
    expect(await drive.get('visit/b/list')).toBeNull()
    const kept = await Array.fromAsync(drive.all())
    expect(kept.map(({ key }) => key).sort()).toEqual(['visit/a/full', 'visit/a/list'])
    for (const { at } of kept) expect(Math.abs(at.getTime() - now)).toBeLessThan(60_000)
    await drive.delete('visit/a/full')
    await drive.delete('visit/a/full')
    expect(await drive.get('visit/a/full')).toBeNull()
    await close()
  })
})

test('an empty place has nothing in it', async () => {
  const drive = openDrive({ folder: path.join(tmpdir(), 'carga-never-made') })
  expect(await Array.fromAsync(drive.all())).toEqual([])
})

const whole = { S3_BUCKET: 'fotos', S3_ACCESS_KEY_ID: 'llave', S3_SECRET_ACCESS_KEY: 'north-of-the-river' }

test('a bucket is named by its three variables; Amazon’s own address and region are understood', () => {
  expect(parseEnv(whole).storage).toEqual({
    s3: {
      bucket: 'fotos',
      accessKeyId: 'llave',
      secretAccessKey: 'north-of-the-river',
      endpoint: null,
      region: 'us-east-1',
    },
  })
  expect(parseEnv({ DATA_DIR: '/srv/carga' }).storage).toEqual({ folder: '/srv/carga/files' })
})

test.for(['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])(
  'without %s the start ends with one line that names it',
  (name) => {
    const line = () => parseEnv({ ...whole, [name]: '' })
    expect(line).toThrow(name)
    expect(line).toThrow(/^[^\n]{20,160}$/)
    expect(line).not.toThrow('north-of-the-river')
  },
)
