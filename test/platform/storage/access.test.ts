import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { appointments, faults, files, sheets } from '../../../src/platform/database/schema/appointments.ts'
import { facadeOf, fileSeen } from '../../../src/reports/photo-addresses.ts'
import type { SheetState } from '../../../src/reports/rules/report.ts'
import { hour, storeVisit, type Visit } from '../../kit/appointments.ts'
import {
  ago,
  ally,
  analyst,
  db,
  fixture,
  fromNow,
  gester,
  manager,
  newPerson,
  openOnce,
  rowsWhere,
  setRow,
  storeRows,
  technician,
  technician2,
} from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { look, send, visitUnderWay } from '../../kit/photos.ts'
import { writeSheet } from '../../kit/reports.ts'
import { jpeg } from './samples.ts'

openOnce()
let customer: Person
let visit: Visit
/** Photos of the visit's report, of someone who was not there, of a fault of the installation, and of its record. */
const photos = { report: randomUUID(), noShow: randomUUID(), fault: randomUUID(), record: randomUUID() }
let installation: Visit

beforeAll(async () => {
  const begun = await visitUnderWay(technician)
  customer = begun.customer
  visit = begun.visit
  const { status } = await send(technician, visit, { id: photos.report, bytes: await jpeg() })
  expect(status).toBe(200)
  installation = await storeVisit(fixture, customer, begun.home, fromNow(24 * hour), {
    service: 'installation',
    assigneeId: technician2.id,
    minutes: 240,
  })
  const [row] = await rowsWhere(files)
  const faultId = randomUUID()
  await storeRows(faults, {
    id: faultId,
    appointmentId: installation.id,
    customerId: customer.id,
    description: 'No carga',
  })
  await storeRows(files, [
    { ...row!, id: photos.noShow, slot: 'no_show_facade' },
    { ...row!, id: photos.fault, slot: 'fault_1', appointmentId: installation.id, faultId },
    { ...row!, id: photos.record, slot: 'before', appointmentId: installation.id },
  ])
})

/** Of each photo, whether its row is seen; the bytes of one of them lie on the drive, so the address is asked about it. */
async function seenBy(person: Person) {
  const { status } = await look(person, photos.report)
  const seen: string[] = []
  for (const [name, id] of Object.entries(photos)) if (await fileSeen(db, person.actor, id)) seen.push(name)
  expect(status).toBe(seen.includes('report') ? 200 : 404)
  return seen
}

async function sheetIs(of: Visit, state: SheetState) {
  await db.delete(sheets).where(eq(sheets.appointmentId, of.id))
  await writeSheet(fixture, { ...of, state })
}

test('a draft is seen by its technician and the office only', async () => {
  for (const person of [manager, analyst])
    expect(await seenBy(person)).toEqual(['report', 'noShow', 'fault', 'record'])
  expect(await seenBy(technician)).toEqual(['report', 'noShow'])
  // Whoever installs sees own work, and what its customer showed of it.
  expect(await seenBy(technician2)).toEqual(['fault', 'record'])
  expect(await seenBy(customer)).toEqual(['fault'])
  for (const person of [ally, gester, await newPerson()]) expect(await seenBy(person)).toEqual([])
  expect((await look(undefined, photos.report)).status).toBe(401)
  const facade = async (person: Person) => (await facadeOf(db, person.actor, visit.id))?.id
  for (const person of [manager, technician]) expect(await facade(person)).toBe(photos.noShow)
  for (const person of [customer, technician2, ally]) expect(await facade(person)).toBeUndefined()
})

test('a submitted report is seen by its customer, an approved one by the installer', async () => {
  await sheetIs(visit, 'submitted')
  expect(await seenBy(customer)).toEqual(['report', 'fault'])
  expect(await seenBy(technician2)).toEqual(['fault', 'record'])
  await sheetIs(visit, 'approved')
  expect(await seenBy(technician2)).toEqual(['report', 'fault', 'record'])
  for (const person of [ally, gester]) expect(await seenBy(person)).toEqual([])
  const change = (set: Partial<Visit>) => setRow(appointments, installation, set)
  for (const set of [
    { confirmedAt: null },
    { assigneeId: technician.id },
    { startsAt: ago(40 * 24 * hour) },
  ]) {
    await change(set)
    expect(await seenBy(technician2), JSON.stringify(set)).toEqual([])
    const { assigneeId, confirmedAt, startsAt } = installation
    await change({ assigneeId, confirmedAt, startsAt })
  }
  await change({ state: 'cancelled' })
  expect(await seenBy(technician2)).not.toContain('report')
  await change({ state: 'assigned' })
  await sheetIs(installation, 'submitted')
  expect(await seenBy(customer)).toEqual(['report', 'fault', 'record'])
})

test('a technician sent for a fault sees only its photos', async () => {
  const stranger = await newPerson({ kind: 'tecnician' })
  expect(await seenBy(stranger)).toEqual([])
  const start = fromNow(48 * hour)
  const answer = await storeVisit(fixture, customer, await fixture.home(await newPerson()), start, {
    assigneeId: stranger.id,
  })
  await db.update(faults).set({ visitId: answer.id })
  expect(await seenBy(stranger)).toEqual(['fault'])
  expect(await seenBy(technician2)).toContain('fault')
})

test('nobody sees a replaced photo', async () => {
  await setRow(files, photos.report, { replacedAt: new Date() })
  for (const person of [manager, technician, customer]) expect(await seenBy(person)).not.toContain('report')
})
