import { expect, test } from 'vitest'
import type { CaseState } from '../../src/domain/cfe/case.ts'
import { sheets } from '../../src/server/platform/database/schema/appointments.ts'
import { cfeCases } from '../../src/server/platform/database/schema/cfe.ts'
import { approveSheet } from '../../src/server/reports/review.ts'
import { hour, storeVisit, type Visit } from '../kit/appointments.ts'
import { completeAnswers } from '../kit/complete-sheet.ts'
import { expectNotOnPage, expectScreen, openEach, people, sendJobs, world } from '../kit/open.ts'
import type { Home } from '../kit/people.ts'
import { expectRefusal, rowIn } from '../kit/reading.ts'
import { writeSheet } from '../kit/reports.ts'
import { storeInstallation } from '../reports/installed.ts'

let home: Home
let installation: Visit

/** An installation whose record waits for its review, at a home whose approved visit asked CFE for more load. */
openEach(async () => {
  const { customer, technician } = people
  home = await world.home(customer)
  const before = new Date(Date.now() - 48 * hour)
  const visit = await storeVisit(world, customer, home, before, { state: 'done', assigneeId: technician.id })
  await writeSheet(world, { ...visit, state: 'approved' }, { ...completeAnswers.visit, loadIncrease: true })
  const waiting = { state: 'submitted', reviewedAt: null, reviewedBy: null, warrantyUntil: null } as const
  installation = (await storeInstallation(world, customer, technician, waiting, home)).visit
})
sendJobs()

const words = 'La casa no aguanta este cargador hasta que CFE aumente la carga.'
const page = () => `/admin/appointments-done/${installation.id}`
const stored = async () => (await rowIn(world, sheets, { appointmentId: installation.id }))!
const approve = async (loadRaised = false) => {
  const { version } = await stored()
  return approveSheet(world.db, people.analyst.actor, installation.id, { version, loadRaised }, new Date())
}
let cases = 0
const inCase = (state: CaseState, heldFrom: CaseState | null = null) =>
  world.db.insert(cfeCases).values({
    folio: `GES-2026-9000${cases++}`,
    projectId: home.projectId,
    customerId: people.customer.id,
    kind: 'load_increase',
    state,
    heldFrom,
    closedAt: ['closed', 'cancelled', 'rejected'].includes(state) ? new Date() : null,
  })

test('holds an approval where no case was opened until the office states that CFE raised the load', async () => {
  await expectScreen(page(), people.analyst, words, 'CFE ya aumentó la carga de esta casa')
  await expectRefusal(approve(), 'failed-precondition', words)
  expect(await stored()).toMatchObject({ state: 'submitted', warrantyUntil: null })
  // Without the module of CFE there are no cases.
  await approve(true)
  expect(await stored()).toMatchObject({ state: 'approved' })
})

test.each<[CaseState, CaseState | null]>([
  ['gathering', null],
  ['approved', null],
  ['contract_signed', null],
  ['on_hold', 'inspection'],
  ['rejected', null],
  ['cancelled', null],
])('holds an approval while the case is %s (held from %s)', async (state, from) => {
  await inCase(state, from)
  await expectNotOnPage(page(), people.analyst, 'Aprobarlo no se puede deshacer')
  await expectRefusal(approve(true), 'failed-precondition', words)
})

test.each<[CaseState, CaseState | null]>([
  ['meter_installed', null],
  ['on_hold', 'meter_installed'],
  ['closed', null],
])('lets an installation be approved once the case is %s (held from %s)', async (state, from) => {
  await inCase('cancelled')
  await inCase(state, from)
  await approve()
  expect(await stored()).toMatchObject({ state: 'approved' })
})
