import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keysOf } from '../../../src/server/platform/storage/drive.ts'
import { withSpace } from '../../../src/server/platform/storage/receive.ts'
import type { Visit } from '../../kit/appointments.ts'
import type { People } from '../../kit/open.ts'
import { keysKept, rowsOf, send, sha256, visitUnderWay } from '../../kit/photos.ts'
import { openWorld, type World } from '../../kit/world.ts'
import { jpeg } from './samples.ts'

let world: World
let people: People
let visit: Visit
const folder = mkdtempSync(path.join(tmpdir(), 'carga-full-'))
beforeAll(async () => {
  world = await openWorld({ DATA_DIR: folder })
  people = await world.people()
  visit = (await visitUnderWay(world, people.technician)).visit
})
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

/** What is written there meets a disk without a free byte. */
function fill(key: string) {
  const file = path.join(folder, 'files', key)
  mkdirSync(path.dirname(file), { recursive: true })
  symlinkSync('/dev/full', file)
}

test.runIf(process.platform === 'linux').for(['full', 'list'] as const)(
  'a photo whose %s size has no room is refused in words, nothing of it stays, and sent again it is stored',
  async (size) => {
    const photo = { id: randomUUID(), bytes: await jpeg() }
    const keys = keysOf({ appointmentId: visit.id, id: photo.id, sentSha256: sha256(photo.bytes) })
    fill(keys[size])
    const refused = await send(world, people.technician, visit, photo)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('2')
    expect(refused.told.description).toContain('no podemos guardar archivos')
    expect((await rowsOf(world, visit)).map(({ id }) => id)).not.toContain(photo.id)
    expect(await keysKept(world)).not.toContain(keys[size])
    expect(await keysKept(world)).not.toContain(keys.full)
    const again = await send(world, people.technician, visit, photo)
    expect(again.status).toBe(200)
    expect((await rowsOf(world, visit)).map(({ id }) => id)).toContain(photo.id)
  },
)

test.for(['ENOSPC', 'EDQUOT', 'EFBIG'])('%s behind another error is told as no room', async (code) => {
  const work = async () => {
    throw new Error('could not write', { cause: Object.assign(new Error('write'), { code }) })
  }
  await expect(withSpace(work)).rejects.toMatchObject({ code: 'unavailable' })
  await expect(withSpace(async () => Promise.reject(new TypeError('bug')))).rejects.toThrow(TypeError)
})
