import fc from 'fast-check'
import type { CaseMoveName } from '../../src/cfe/rules/case.ts'
import { transaction } from '../../src/platform/database/client.ts'
import { files, sheetAnswerHistory, sheets } from '../../src/platform/database/schema/appointments.ts'
import { cfeCases } from '../../src/platform/database/schema/cfe.ts'
import { payments } from '../../src/platform/database/schema/payments.ts'
import { conditions, events, projects } from '../../src/platform/database/schema/projects.ts'
import { takeSlot } from '../../src/reports/photo-slots.ts'
import { answersOf } from '../../src/reports/prefilled.ts'
import { approveSheet } from '../../src/reports/review.ts'
import { failedTests } from '../../src/reports/rules/limits.ts'
import { isSignature } from '../../src/reports/rules/photos.ts'
import { contradictions, questionOf } from '../../src/reports/rules/progress.ts'
import type { Answers } from '../../src/reports/rules/report.ts'
import { hour, move, storeVisit, type Visit } from '../kit/appointments.ts'
import { acceptedOf, openedBy, walk } from '../kit/cfe.ts'
import {
  ago,
  analyst,
  db,
  expectRowsIn,
  fixture,
  gester,
  newPerson,
  openOnce,
  people,
  post,
  rowsWhere,
  rowWhere,
  sendJobsOnce,
  setRow,
  technician,
} from '../kit/open.ts'
import type { Home, Person } from '../kit/people.ts'
import { completeSheet, fileRow } from '../kit/reports.ts'
import { answerOf, findings, step, walks } from '../kit/walks.ts'
import { storeSheet } from './installed.ts'
import { answer, press } from './phone.ts'

openOnce({ MODULES: 'gesties' })
sendJobsOnce()

type Place = { customer: Person; technician: Person; home: Home; installation: Visit; failed: Set<string> }

async function begin(found: Answers): Promise<Place> {
  const customer = await newPerson({ name: 'Camila' })
  const home = await fixture.home(customer)
  await acceptedOf(await visited(customer, home, found), analyst)
  await setRow(projects, home.projectId, { quoteAcceptedAt: new Date(), depositPaidAt: new Date() })
  return { customer, home, ...(await installing(customer, home)), failed: new Set() }
}

/** A visit whose report an analyst approves. */
async function visited(customer: Person, home: Home, found: Answers): Promise<Visit> {
  const done = { state: 'done', outcome: 'completed', assigneeId: technician.id } as const
  const visit = await storeVisit(fixture, customer, home, ago(48 * hour), done)
  await storeSheet('visit', visit, technician, {}, found)
  await approveSheet(db, analyst.actor, visit.id, (await sheetOf(visit))!, new Date())
  return visit
}

/** An installation under way for three hours, whose record lacks nothing that its visit does not ask for. */
async function installing(customer: Person, home: Home) {
  const technician = await newPerson({ kind: 'tecnician' })
  const startsAt = ago(3 * hour)
  const underWay = {
    state: 'in_progress',
    startedAt: startsAt,
    assigneeId: technician.id,
    minutes: 240,
  } as const
  const installation = await storeVisit(fixture, customer, home, startsAt, {
    service: 'installation',
    ...underWay,
  })
  await completeSheet(installation, {
    deviationReason: 'Así se pidió.',
    limitWay: 'switch',
    worksDone: true,
  })
  return { installation, technician }
}

const sheetOf = ({ id }: Pick<Visit, 'id'>) => rowWhere(sheets, { appointmentId: id })
const pageOf = ({ id }: Visit) => `/admin/appointments-done/${id}`
const isOver = async ({ installation }: Place) => (await sheetOf(installation))?.state === 'approved'

const change = answerOf({
  insulation: [200, 200, 0.1],
  gfciOk: [true, true, false],
  groundOhms: [8, 8, 60],
  loadTestAmps: [31, 12, 12],
  loadTestMinutes: [20, 20, 5, 239],
  chargerSet: [32, 12, 12, 48],
  breaker: [40, 40, 50, 100],
  conductor: ['8', '8', '12'],
  metres: [22, 22, 300],
  worksDone: [true, true, false],
})
const reviewer = fc.constantFrom<'analyst' | 'manager'>('analyst', 'manager')

/** What leads to the delivery, drawn more often. */
const deliveries = [
  step('sign', fc.constant(null), async ({ installation: { id }, technician }: Place) => {
    for (const slot of ['signature_technician', 'signature_customer'])
      await transaction(db, (tx) => takeSlot(tx, fileRow(id, slot, technician.id), new Date()))
  }),
  step('submit', fc.constant(null), ({ installation, technician }: Place) =>
    press(technician, installation, 'submit', new Date()),
  ),
  step(
    'approve',
    fc.record({
      by: reviewer,
      stated: fc.constantFrom(
        {},
        { proven: 'on' },
        { proven: 'on', approvedKilowatts: '9' },
        { proven: 'on', approvedKilowatts: '25' },
      ),
    }),
    async ({ installation }: Place, { by, stated }) =>
      post(
        pageOf(installation),
        { intent: 'approve-sheet', ...(await versionOf(installation)), ...stated },
        people[by],
      ),
  ),
]

const steps = [
  step('answer', change, async (place: Place, { name, value }) => {
    const { json } = await answer(place.technician, place.installation, { name, value })
    const isFailed = failedTests({ [name]: value }).length > 0
    if (isFailed && json.saved?.[name] !== undefined) place.failed.add(`${name} ${value}`)
  }),
  step('answer on the other phone', change, ({ installation, technician }: Place, { name, value }) =>
    answer(technician, installation, { name, value, at: ago(60_000) }),
  ),
  step(
    'correct',
    fc.record({ change, by: reviewer }),
    async ({ installation }: Place, { by, change: { name, value } }) =>
      post(
        `${pageOf(installation)}?corregir=${name}`,
        {
          intent: 'correct-answer',
          name,
          base: String((await revisionOf(installation, name)) ?? 0),
          [name]: typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value),
        },
        people[by],
      ),
  ),
  step('return', reviewer, async ({ installation }: Place, by) =>
    post(
      pageOf(installation),
      { intent: 'return-sheet', reason: 'Otra vez.', ...(await versionOf(installation)) },
      people[by],
    ),
  ),
  step('leave it half done and come again', fc.constant(null), async (place: Place) => {
    const form = { outcome: 'partial', reason: 'otro', closingNote: 'Vuelvo mañana.' }
    const { status } = await move(place.technician, place.installation, 'finish', form)
    if (status === 303)
      Object.assign(place, await installing(place.customer, place.home), { failed: new Set() })
  }),
  step('visit again', fc.constantFrom(...findings), async (place: Place, found) => {
    if (!(await isOver(place))) await visited(place.customer, place.home, found)
  }),
  step('open the case', fc.constant(null), async ({ home }: Place) => {
    await openedBy()
    const [one] = await rowsWhere(cfeCases, { projectId: home.projectId, state: 'gathering' })
    if (one) await setRow(cfeCases, one.id, { state: 'inspection', gesterId: gester.id })
  }),
  step(
    'move the case',
    fc.constantFrom<CaseMoveName>('approve', 'sign', 'installMeter', 'cancel', 'hold', 'resume'),
    async ({ home }: Place, name) => {
      for (const one of await rowsWhere(cfeCases, { projectId: home.projectId }))
        await walk(gester, one, name)
    },
  ),
]

const versionOf = async (of: Visit) => ({ version: String((await sheetOf(of))?.version ?? 0) })
const revisionOf = async ({ id }: Visit, name: string) =>
  (await rowsWhere(sheetAnswerHistory, { appointmentId: id, name })).length

/** No record is approved, guaranteed or billed with what must stop it; and every failed test stays. */
async function check({ failed, home, installation, technician }: Place) {
  const { id } = installation
  const all = await rowsWhere(sheetAnswerHistory, { appointmentId: id })
  // What was agreed is stored with the sending.
  const history = all.filter(({ name }) => questionOf('installation', name))
  const kept = new Set(history.map(({ name, value }) => `${name} ${value}`))
  expect([...failed].filter((one) => !kept.has(one))).toEqual([])
  const isApproved = (await sheetOf(installation))?.state === 'approved'
  if (!isApproved) {
    expect((await sheetOf(installation))?.warrantyUntil ?? null).toBe(null)
    await expectRowsIn(payments, { projectId: home.projectId, concept: 'balance' }, [])
    return false
  }
  const answers = await answersOf(db, id)
  expect(contradictions('installation', answers)).toEqual([])
  const set = Number(answers.chargerSet)
  for (const { heldAmps, kind, limitAmps, metAt } of await rowsWhere(conditions, {
    projectId: home.projectId,
  }))
    expect([kind, metAt !== null || (limitAmps !== null && set <= limitAmps && heldAmps === set)]).toEqual([
      kind,
      true,
    ])
  for (const { capturedAt, replacedAt, slot } of await rowsWhere(files, { appointmentId: id }))
    if (isSignature(slot) && replacedAt === null)
      expect(
        history.filter(({ changedAt, changedBy }) => changedBy === technician.id && changedAt > capturedAt),
      ).toEqual([])
  const trail = (await rowsWhere(events, { entity: 'sheet', entityId: id })).toSorted((a, b) => a.id - b.id)
  const approval = trail.findLast(({ name }) => name === 'approve')!
  const own = trail.filter(({ actorId, name }) => name === 'correct' && actorId === approval.actorId)
  const lastSent = trail.findLastIndex(({ name }) => name === 'submit')
  expect(own.filter((one) => trail.indexOf(one) > lastSent)).toEqual([])
  return true
}

test('no order of steps delivers an unsafe installation', async () => {
  const count = Number(process.env.WALKS ?? 12)
  const delivered = new Set<string>()
  const checked = async (place: Place) => {
    if (await check(place)) delivered.add(place.installation.id)
  }
  await walks({
    starts: findings,
    begin,
    steps: [...steps, ...deliveries, ...deliveries],
    check: checked,
    count,
    length: 20,
  })
  expect(delivered.size).toBeGreaterThanOrEqual(Math.floor(count / 10))
}, 900_000)
