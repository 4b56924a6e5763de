import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documents } from '../../../src/server/platform/database/schema/payments.ts'
import { openDrive } from '../../../src/server/platform/storage/drive.ts'
import { sweepFiles } from '../../../src/server/platform/storage/intake.ts'
import { hour } from '../../kit/appointments.ts'
import { drop, keysKept, look, send, visitUnderWay } from '../../kit/photos.ts'
import { openWorld, type World } from '../../kit/world.ts'
import { jpeg } from './samples.ts'

const folder = path.join(tmpdir(), `carga-sweep-${process.pid}`)
let world: World
beforeAll(async () => {
  world = await openWorld({ DATA_DIR: folder })
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

test('what a crash left between bytes and rows goes after a day; what is anybody’s stays', async () => {
  const { technician } = await world.people()
  const { visit } = await visitUnderWay(world, technician)
  const [kept, dropped] = [randomUUID(), randomUUID()]
  const bytes = await jpeg()
  await send(world, technician, visit, { id: kept, bytes })
  await send(world, technician, visit, { id: dropped, slot: 'extra_1', bytes: await jpeg({ width: 1500 }) })
  const living = (await keysKept(world)).filter((key) => key.includes(kept))
  const own = openDrive({ folder: path.join(folder, 'files') })
  const left = (await keysKept(world)).filter((key) => key.includes(dropped))
  await drop(world, technician, visit, dropped)
  // As if the process had died before it deleted them, and another between bytes and row.
  for (const key of left) await own.put(key, bytes, 'image/jpeg')
  await own.put(`${visit.id}/${randomUUID()}/${'0'.repeat(16)}.full`, bytes, 'image/jpeg')
  // Of the living one's id, but of other contents: whoever came second to a row.
  await own.put(`${visit.id}/${kept}/${'0'.repeat(16)}.full`, bytes, 'image/jpeg')
  await own.put('odd', bytes, 'image/jpeg')

  // Of papers one is somebody's, one was replaced, and one never got its row.
  const [paper, former, lost] = [randomUUID(), randomUUID(), randomUUID()]
  for (const id of [paper, former, lost]) await own.put(`documents/${id}`, bytes, 'application/pdf')
  const by = { customerId: technician.id, uploadedBy: technician.id, purpose: 'constancia' } as const
  const as = { name: 'x.pdf', type: 'application/pdf', bytes: 1, sha256: '0'.repeat(64) } as const
  await world.db.insert(documents).values([
    { id: paper, ...by, ...as },
    { id: former, ...by, ...as, replacedAt: new Date() },
  ])

  // Stamped here: files carry the time of the kernel, which test:clocks can't move.
  const stamp = (at: Date) => {
    for (const name of readdirSync(path.join(folder, 'files'), { recursive: true, encoding: 'utf8' }))
      utimesSync(path.join(folder, 'files', name), at, at)
  }
  stamp(new Date())
  expect(await sweepFiles(world.db, own, new Date())).toBe(0)
  stamp(new Date(Date.now() - 25 * hour))
  expect(await sweepFiles(world.db, own, new Date())).toBe(7)
  expect(await keysKept(world)).toEqual([...living, `documents/${paper}`].sort())
  expect((await look(world, technician, kept)).status).toBe(200)
})
