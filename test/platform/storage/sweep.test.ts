import { randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { documents } from '../../../src/platform/database/schema/payments.ts'
import { keysOf, openDrive } from '../../../src/platform/storage/drive.ts'
import { sweepFiles } from '../../../src/platform/storage/keep.ts'
import { sweepReceived, withSpace } from '../../../src/platform/storage/receive.ts'
import { hour, type Visit } from '../../kit/appointments.ts'
import { ago, db, fixture, openBare, storeRows } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { drop, keysKept, look, rowsOf, send, sha256, visitUnderWay } from '../../kit/photos.ts'
import { jpeg } from './samples.ts'

const folder = path.join(tmpdir(), `carga-sweep-${process.pid}`)
openBare({ DATA_DIR: folder })
let technician: Person
let visit: Visit
beforeAll(async () => {
  technician = await fixture.person({ kind: 'tecnician' })
  visit = (await visitUnderWay(technician)).visit
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('what a crash left between bytes and rows goes after a day; what is anybody’s stays', async () => {
  const kept = randomUUID()
  const dropped = randomUUID()
  const bytes = await jpeg()
  await send(technician, visit, { id: kept, bytes })
  await send(technician, visit, { id: dropped, slot: 'extra_1', bytes: await jpeg({ width: 1500 }) })
  const living = (await keysKept(fixture)).filter((key) => key.includes(kept))
  const own = openDrive({ folder: path.join(folder, 'files') })
  const left = (await keysKept(fixture)).filter((key) => key.includes(dropped))
  await drop(technician, visit, dropped)
  // As if the process had died before it deleted them, and another between bytes and row.
  for (const key of left) await own.put(key, bytes, 'image/jpeg')
  await own.put(`${visit.id}/${randomUUID()}/${'0'.repeat(16)}.full`, bytes, 'image/jpeg')
  // Of the living one's id, but of other contents: whoever came second to a row.
  await own.put(`${visit.id}/${kept}/${'0'.repeat(16)}.full`, bytes, 'image/jpeg')
  await own.put('odd', bytes, 'image/jpeg')

  // Of papers one is someone's, one was replaced, and one never got its row.
  const paper = randomUUID()
  const former = randomUUID()
  for (const id of [paper, former, randomUUID()]) await own.put(`documents/${id}`, bytes, 'application/pdf')
  const by = { customerId: technician.id, uploadedBy: technician.id, purpose: 'constancia' } as const
  const as = { name: 'x.pdf', type: 'application/pdf', bytes: 1, sha256: '0'.repeat(64) } as const
  await storeRows(documents, [
    { id: paper, ...by, ...as },
    { id: former, ...by, ...as, replacedAt: new Date() },
  ])

  // Stamped here: files carry the time of the kernel, which test:clocks can't move.
  const stamp = (at: Date) => {
    for (const name of readdirSync(path.join(folder, 'files'), { recursive: true, encoding: 'utf8' }))
      utimesSync(path.join(folder, 'files', name), at, at)
  }
  stamp(new Date())
  expect(await sweepFiles(db, own, new Date())).toBe(0)
  stamp(ago(25 * hour))
  expect(await sweepFiles(db, own, new Date())).toBe(7)
  expect(await keysKept(fixture)).toEqual([...living, `documents/${paper}`].sort())
  expect((await look(technician, kept)).status).toBe(200)
})

test('what a killed process left of a photo on its way goes at the next start; what may still come stays', async () => {
  const received = (age: number) => {
    const place = mkdtempSync(path.join(tmpdir(), 'carga-photo-'))
    writeFileSync(path.join(place, 'sent'), 'x')
    utimesSync(place, new Date(), ago(age))
    return place
  }
  const old = received(2 * hour)
  const young = received(0)
  const end = sweepReceived()
  await vi.waitFor(() => expect(existsSync(old)).toBe(false), 5_000)
  end()
  expect(existsSync(young)).toBe(true)
  rmSync(young, { recursive: true })
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
    const refused = await send(technician, visit, photo)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('2')
    expect(refused.told.description).toContain('no podemos guardar archivos')
    expect((await rowsOf(visit)).map(({ id }) => id)).not.toContain(photo.id)
    expect(await keysKept(fixture)).not.toContain(keys[size])
    expect(await keysKept(fixture)).not.toContain(keys.full)
    expect((await send(technician, visit, photo)).status).toBe(200)
    expect((await rowsOf(visit)).map(({ id }) => id)).toContain(photo.id)
  },
)

test.for(['ENOSPC', 'EDQUOT', 'EFBIG'])('%s behind another error is told as no room', async (code) => {
  const work = async () => {
    throw new Error('could not write', { cause: Object.assign(new Error('write'), { code }) })
  }
  await expect(withSpace(work)).rejects.toMatchObject({ code: 'unavailable' })
  await expect(withSpace(async () => Promise.reject(new TypeError('bug')))).rejects.toThrow(TypeError)
})
