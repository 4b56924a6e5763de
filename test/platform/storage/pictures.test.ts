import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { openChild, openPictures } from '../../../src/platform/storage/pictures.ts'
import { drawing, heic, hostile, jpeg, png, polyglot, uprightWithPlace, webp } from './samples.ts'

const sizesOf = openPictures()
let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'carga-pictures-'))
})
afterAll(() => rm(folder, { recursive: true }))

let files = 0
const fileOf = (bytes: Uint8Array) => {
  const file = path.join(folder, `${++files}`)
  writeFileSync(file, bytes)
  return file
}
async function made(bytes: Uint8Array, isSignature = false) {
  const file = fileOf(bytes)
  const sizes = await sizesOf({ file, isSignature }, file)
  return { ...sizes, full: readFileSync(`${file}.full`), list: readFileSync(`${file}.list`) }
}

test('each kind of photo becomes a JPEG and a small WebP, upright, no larger than it was', async () => {
  const sides = { width: 4000, height: 3000 }
  for (const bytes of [await jpeg(sides), await png(sides), await webp(sides)]) {
    const { full, fullType, height, list, width } = await made(bytes)
    expect({ fullType, width, height }).toEqual({ fullType: 'image/jpeg', ...sides })
    expect(await sharp(full).metadata()).toMatchObject({ format: 'jpeg', width: 2560, height: 1920 })
    expect(await sharp(list).metadata()).toMatchObject({ format: 'webp', width: 480, height: 360 })
  }
  const small = await made(await jpeg({ width: 320, height: 200 }))
  expect(await sharp(small.full).metadata()).toMatchObject({ width: 320, height: 200 })
  const { full, height, width } = await made(heic('wall'))
  expect({ width, height }).toEqual({ width: 1600, height: 1200 })
  // What was drawn red, near its upper left corner.
  const { data } = await sharp(full)
    .extract({ left: 300, top: 200, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect([...data].map((value) => Math.round(value / 64))).toEqual([3, 1, 1])
})

test('nothing of what the phone wrote stays, the place least of all; the picture is turned as it was held', async () => {
  const original = await uprightWithPlace()
  expect(original.includes('TelefonoDePrueba')).toBe(true)
  const { full, height, list, width } = await made(original)
  expect({ width, height }).toEqual({ width: 1200, height: 1600 })
  for (const bytes of [full, list]) {
    for (const trace of ['TelefonoDePrueba', 'Exif', 'GPS', 'EXIF', 'http://ns.adobe.com'])
      expect(bytes.includes(trace), trace).toBe(false)
    const { exif, icc, iptc, orientation, xmp } = await sharp(bytes).metadata()
    expect({ exif, icc, iptc, orientation, xmp }).toEqual({})
    const stats = await sharp(bytes).resize(1, 2, { fit: 'fill' }).greyscale().raw().toBuffer()
    expect(stats[0]).toBeGreaterThan(stats[1]! + 100)
  }
})

test('a drawn signature stays a drawing, on white; the photo of a signed paper is a photo', async () => {
  const { full, fullType } = await made(await drawing(), true)
  expect(fullType).toBe('image/png')
  const { dominant, isOpaque } = await sharp(full).stats()
  expect([isOpaque, dominant.r > 240]).toEqual([true, true])
  expect((await made(await jpeg(), true)).fullType).toBe('image/jpeg')
})

test('what stands behind a photo’s last byte is left behind', async () => {
  const { full, list } = await made(await polyglot())
  for (const bytes of [full, list]) expect(bytes.includes('script')).toBe(false)
})

test.for(Object.keys(hostile))('%s is refused in words, and harms nobody', async (name) => {
  const { bytes, said } = hostile[name]!
  await expect(made(await bytes())).rejects.toMatchObject({
    code: 'invalid-argument',
    description: expect.stringMatching(said),
  })
})

test('a phone’s photo of 50 megapixels is taken', async () =>
  expect(await made(await jpeg({ width: 8160, height: 6120 }))).toMatchObject({ width: 8160 }))

test.for([
  'process.exit(7)',
  "process.on('message', () => process.exit(7))",
  "process.on('message', () => { for (;;); })",
])('a process that ends or never answers is its picture’s fault only: %s', async (program) => {
  const file = path.join(folder, 'process.mjs')
  writeFileSync(file, program)
  const sizesOf = openPictures({ file, timeMs: 700 })
  const asked = ['a', 'b', 'c'].map((person) =>
    sizesOf({ file, isSignature: false }, person).catch((error: { code: string }) => error.code),
  )
  expect(await Promise.all(asked)).toEqual(Array(3).fill('invalid-argument'))
})

test('a process that is dead already answers nothing, and holds nobody up', async () => {
  const file = path.join(folder, 'dead.mjs')
  writeFileSync(file, 'process.disconnect()')
  const child = openChild(file)
  await expect.poll(() => child.isAlive()).toBe(false)
  expect(await child.ask({ file, isSignature: false }, 60_000)).toBeNull()
})

test('many at once are all made, some at a time', async () => {
  const photos = await Promise.all(Array.from({ length: 12 }, (_, shade) => jpeg({ shade: shade * 20 })))
  const all = await Promise.all(photos.map((bytes) => made(bytes)))
  for (const [nth, { full }] of all.entries()) {
    const { channels } = await sharp(full).stats()
    expect(Math.abs(channels[0]!.mean - nth * 20)).toBeLessThan(3)
  }
})

test('a HEIC of 48 megapixels is taken', { timeout: 240_000 }, async () => {
  const sizesOf = openPictures({ timeMs: 200_000 })
  const made = sizesOf({ file: fileOf(heic('tiles')), isSignature: false }, 'somebody')
  expect(await made).toMatchObject({ fullType: 'image/jpeg', width: 8000, height: 6000 })
})

test('a HEIC that says less of itself than it holds is refused', () =>
  expect(made(heic('understated'))).rejects.toMatchObject({
    code: 'invalid-argument',
    description: expect.stringMatching(/dañada o incompleta/),
  }))

test('a decoder gets so much memory and no more, whatever a picture really holds', async () => {
  const file = path.join(folder, 'greedy.mjs')
  writeFileSync(
    file,
    `process.on('message', () => {
      const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536 })
      let pages = 1
      try { for (;;) { memory.grow(1024); pages += 1024 } } catch {}
      process.send({ made: { pages }, retires: true })
    })`,
  )
  const child = openChild(file)
  const answer = await child.ask({ file, isSignature: false }, 60_000)
  child.end()
  const { pages } = (answer as unknown as { made: { pages: number } }).made
  // As much as a phone's largest picture takes, and far from the 4 GB that WebAssembly has by itself.
  expect(pages * 65_536).toBeGreaterThan(650_000_000)
  expect(pages * 65_536).toBeLessThan(900_000_000)
})

test('slow pictures of one person keep nobody else out of the line', async () => {
  const file = path.join(folder, 'slow.mjs')
  writeFileSync(file, "process.on('message', () => setTimeout(() => process.send({ made: 'broken' }), 300))")
  const sizesOf = openPictures({ file, timeMs: 60_000 })
  const order: string[] = []
  const ask = (person: string) =>
    sizesOf({ file, isSignature: false }, person).catch(() => void order.push(person))
  await Promise.all(['one', 'one', 'one', 'one', 'other'].map(ask))
  // With both places they would have been asked two and two, and the other last.
  expect(order.indexOf('other')).toBeLessThan(3)
})
