import { and, eq } from 'drizzle-orm'
import { followGrant } from '../../src/cfe/open.ts'
import { sheetAnswers, sheets } from '../../src/platform/database/schema/appointments.ts'
import { cfeCases } from '../../src/platform/database/schema/cfe.ts'
import { conditions, projects, tasks } from '../../src/platform/database/schema/projects.ts'
import { agreedFor } from '../../src/reports/prefilled.ts'
import { approveSheet } from '../../src/reports/review.ts'
import { whyHeld } from '../../src/reports/rules/passport.ts'
import type { Answers } from '../../src/reports/rules/report.ts'
import { hour, storeVisit, type Visit } from '../kit/appointments.ts'
import { acceptedOf, handIn, openedBy, walk } from '../kit/cfe.ts'
import { emailsOf } from '../kit/delivered.ts'
import {
  ago,
  analyst,
  customer,
  db,
  expectNotOnPage,
  expectScreen,
  fixture,
  gester,
  openEach,
  rowsWhere,
  rowWhere,
  sendJobs,
  sentAbout,
  setRow,
  technician,
} from '../kit/open.ts'
import type { Home } from '../kit/people.ts'
import { expectRefusal } from '../kit/reading.ts'
import { storeInstallation, storePicture, storeSheet } from '../reports/installed.ts'

let home: Home
let visit: Visit
openEach(async () => {
  home = await fixture.home(customer)
})
sendJobs()

/** A home of 22 kW and 100 A: with 16 kW it bears its charger at less, with 8 kW not at all. */
const limited = { loadIncrease: true, contractedKilowatts: 16 }
const tooSmall = { loadIncrease: true, contractedKilowatts: 8 }

/** The analyst approves the report of a visit. */
async function found(answers: Answers) {
  const before = ago(48 * hour)
  visit = await storeVisit(fixture, customer, home, before, {
    state: 'done',
    outcome: 'completed',
    assigneeId: technician.id,
  })
  await storeSheet('visit', visit, technician, {}, answers)
  const { version } = (await rowWhere(sheets, { appointmentId: visit.id }))!
  await approveSheet(db, analyst.actor, visit.id, { version }, new Date())
  await setRow(projects, home.projectId, { quoteAcceptedAt: new Date(), depositPaidAt: new Date() })
}

const kept = async () =>
  (await rowsWhere(conditions, { projectId: home.projectId })).map(({ heldAmps, kind, limitAmps, metAt }) => [
    kind,
    limitAmps,
    heldAmps,
    metAt !== null,
  ])

let installation: Visit
/** The record of the installation waits for its review, with what was agreed when it was sent. */
async function installed(answers: Answers = {}) {
  const waiting = { state: 'submitted', reviewedAt: null, reviewedBy: null, warrantyUntil: null } as const
  const { visit: made } = await storeInstallation(customer, technician, waiting, home, {
    ...(await agreedFor(db, home.projectId)),
    asksPlate: true,
    deviationReason: 'Así se pidió.',
    ...answers,
  })
  installation = made
}
const approve = async (stated = {}) => {
  const { version } = (await rowWhere(sheets, { appointmentId: installation.id }))!
  return approveSheet(db, analyst.actor, installation.id, { version, ...stated }, new Date())
}
/** The case of an accepted quote is inspected by its gester. */
async function inspected() {
  await acceptedOf(visit, analyst)
  const one = await openedBy()
  await setRow(cfeCases, one.id, { state: 'inspection', gesterId: gester.id })
  return one
}
const page = () => `/admin/appointments-done/${installation.id}`
const held = whyHeld.load_increase

test('keeps what an approved visit finds, and a later visit that finds it no more meets it', async () => {
  await found({
    ...tooSmall,
    needsUvie: true,
    feasibility: 'with_works',
    feasibilityReason: 'Cambiar la mufa.',
  })
  const all = [
    ['load_increase', null, null, false],
    ['uvie', null, null, false],
    ['works', null, null, false],
  ]
  expect((await kept()).toSorted()).toEqual(all)
  await found({ needsUvie: true })
  expect((await kept()).toSorted()).toEqual(
    all.map(([kind, ...rest]) => [kind, ...rest.slice(0, 2), kind !== 'uvie']),
  )
  await found({ meterChoice: 'second' })
  expect(await kept()).toContainEqual(['second_meter', null, null, false])
})

test.each<[string, Answers, string | null]>([
  ['that bears nothing until CFE gives more', tooSmall, 'Aumento de carga con CFE'],
  ['that waits for its second meter', { meterChoice: 'second' }, 'Segundo medidor de CFE'],
  ['that bears its charger at less', limited, null],
])('books an installation at a home %s only where it can be used', async (_what, answers, part) => {
  await found(answers)
  await acceptedOf(visit, analyst)
  await openedBy()
  if (part === null)
    return expectScreen('/installation', customer, 'Agendar instalación', 'tu cargador queda a 1')
  await expectScreen('/installation', customer, part)
  await expectNotOnPage('/installation', customer, 'href="/agenda-installation"')
})

test('without a case, the office states the load that CFE contracted, and the home must bear its charger with it', async () => {
  await found(tooSmall)
  await installed({ agreedHeld: null })
  await expectScreen(page(), analyst, held, '¿Cuántos kW contrató CFE?')
  await expectRefusal(approve(), 'failed-precondition', held)
  await expectRefusal(approve({ approvedKilowatts: 9 }), 'failed-precondition', held)
  await expectRefusal(approve({ proven: true }), 'failed-precondition', held)
  await approve({ approvedKilowatts: 25 })
  expect(await kept()).toEqual([['load_increase', null, null, true]])
})

test('a case releases the installation once its meter is installed, with a load that the home can use', async () => {
  await found(tooSmall)
  const one = await inspected()
  await installed({ agreedHeld: null })
  await expectNotOnPage(page(), analyst, 'Aprobarlo no se puede deshacer')
  await walk(gester, one, 'approve', 'sign')
  await expectRefusal(approve({ approvedKilowatts: 25 }), 'failed-precondition', held)
  await setRow(cfeCases, one.id, { approvedKilowatts: 9 })
  await walk(gester, one, 'installMeter')
  expect(await kept()).toEqual([['load_increase', null, null, false]])
  const [task] = await rowsWhere(tasks, { projectId: home.projectId, reason: 'load_granted' })
  expect(task!.subject).toContain('CFE dio 9')
})

test.each([
  ['ready', new Date(), [[], ['installation_ready to customer']]],
  ['no readier', null, [['Cómo va tu trámite ante CFE'], []]],
] as const)(
  'a meter that makes the installation %s is one email to its customer',
  async (_how, depositPaidAt, emails) => {
    await found({ meterChoice: 'second' })
    await setRow(projects, home.projectId, { depositPaidAt })
    const one = await inspected()
    const { waitingSince } = await walk(gester, one, 'approve', 'sign', 'installMeter')
    const since = waitingSince.toISOString()
    await followGrant(db, { caseId: one.id, actorId: gester.id, since }, new Date())
    const turns = await emailsOf(db, { letter: 'case_turn', caseId: one.id, since, to: 'customer' })
    const said = turns.map(({ subject }) => subject.replace(/ \(.*/, ''))
    expect([said, await sentAbout(home.projectId, 'installation')]).toEqual(emails)
    expect(await sentAbout(since)).toEqual(['case_turn to customer'])
  },
)

test('a limited charger is approved at what the home bears, its customer reads it, and CFE lifts it', async () => {
  await found(limited)
  // Of 16 kW the home takes 11.82; the rest at 220 V by 125 %.
  const limit = 15
  await installed({ limitWay: 'switch', chargerSet: limit + 1 })
  await expectRefusal(approve(), 'failed-precondition', `La casa aguanta ${limit}`)
  await db
    .update(sheetAnswers)
    .set({ value: limit })
    .where(and(eq(sheetAnswers.appointmentId, installation.id), eq(sheetAnswers.name, 'chargerSet')))
  for (const slot of ['limit_setting', 'limit_label']) await storePicture(installation, slot, technician.id)
  await approve()
  expect(await kept()).toEqual([['load_increase', limit, limit, false]])
  await expectScreen('/installation', customer, `tu cargador queda a ${limit}\u00a0A`)
  const one = await inspected()
  await walk(gester, one, 'approve', 'sign', 'installMeter')
  expect(await kept()).toEqual([['load_increase', limit, limit, true]])
  const [task] = await rowsWhere(tasks, { projectId: home.projectId, reason: 'load_granted' })
  expect(task!.subject).toContain(`quedó a ${limit}\u00a0A`)
  await expectNotOnPage('/installation', customer, 'tu cargador queda a')
})

test('the gester who hands in the UVIE report meets its condition', async () => {
  await found({ loadIncrease: true, needsUvie: true })
  // No current is known where the calculation asks for no increase.
  expect((await kept()).toSorted()).toEqual([
    ['load_increase', null, null, false],
    ['uvie', null, null, false],
  ])
  await acceptedOf(visit, analyst)
  await handIn(gester, await openedBy(), 'uvie_report')
  expect(await kept()).toContainEqual(['uvie', null, null, true])
})

test('a second meter that CFE installed stays, whatever a later visit says', async () => {
  await found({ meterChoice: 'second' })
  const one = await inspected()
  await walk(gester, one, 'approve', 'sign', 'installMeter')
  await found({ meterChoice: 'second' })
  expect(await kept()).toEqual([['second_meter', null, null, true]])
})
