import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { appointmentStates, isActive } from '../../src/appointments/rules/appointment.ts'
import { openNeededCases } from '../../src/cfe/open.ts'
import { projectStatusesOf } from '../../src/customers/overview.ts'
import { countToQuote } from '../../src/customers/quote-figures.ts'
import { turnActs, type WorkKind } from '../../src/customers/rules/work.ts'
import { requoteReasons } from '../../src/customers/tasks.ts'
import { createBalanceCharge } from '../../src/payments/charges.ts'
import { expirePayments } from '../../src/payments/rows.ts'
import { transaction } from '../../src/platform/database/client.ts'
import { appointments } from '../../src/platform/database/schema/appointments.ts'
import { cfeCases } from '../../src/platform/database/schema/cfe.ts'
import { payments, quotes } from '../../src/platform/database/schema/payments.ts'
import { conditions, projects, tasks } from '../../src/platform/database/schema/projects.ts'
import { acceptQuote } from '../../src/quotes/accept.ts'
import { askAnew, askChanges, cancelQuote, rejectQuote } from '../../src/quotes/answers.ts'
import { expireQuotes, lapseQuotes } from '../../src/quotes/jobs.ts'
import { type Answers, type SheetState, sheetStates } from '../../src/reports/rules/report.ts'
import { hour, storeVisit, type Visit } from '../kit/appointments.ts'
import { rounds } from '../kit/dice.ts'
import { everyModule } from '../kit/fixture.ts'
import { fixture as app, openOnce, pageText, people, sendJobsOnce } from '../kit/open.ts'
import { account, confirming, day, office, paper, sendForm, set } from '../kit/payments.ts'
import type { Home, Person } from '../kit/people.ts'
import { sendDraft, storeDraft, wishOf } from '../kit/quotes.ts'
import { formsIn, loaded, rowsIn, sentBy, setIn } from '../kit/reading.ts'
import { writeSheet } from '../kit/reports.ts'
import { step, walks } from '../kit/walks.ts'

openOnce(everyModule)
sendJobsOnce()
afterAll(() => void vi.useRealTimers())

/** One customer with a home, and the technician who does their work. */
type Place = { who: Person; home: Home; technician: Person; surname: string; answers: Answers }

const started = new Date()
let count = 0

async function begin(depth = 0): Promise<Place> {
  app.at(started)
  await set(app, { spei: account })
  // The lists hold this project alone.
  await app.db
    .update(projects)
    .set({ closedAt: started, lostReason: 'precio' })
    .where(isNull(projects.closedAt))
  const surname = `Apellido${1000 + ++count}`
  const who = await app.person({ name: 'Vera', lastname: surname })
  const technician = await app.person({ kind: 'tecnician', name: 'Tito' })
  const answers = depth < usual.length ? {} : { loadIncrease: true }
  const place = { who, home: await app.home(who), technician, surname, answers }
  for (const next of usual.slice(0, depth)) await next(place)
  return place
}

/** The way to a paid deposit and then to CFE, of which a walk begins with a part. */
const usual: ((place: Place) => Promise<unknown>)[] = [
  (place) => work(place, 'technical_visit', ['done', 'approved', place.answers]),
  (place) => sendOne(place),
  (place) => answer(place, 0),
  (place) => proveOne(place),
  (place) => reviewOne(place, true),
  needCase,
]

/** CFE has to say yes before the installation, and the round opens its case. */
async function needCase(place: Place) {
  const needed = { ...ofProject(place), kind: 'load_increase', blocksBooking: true } as const
  const [visit] = await bookedOf(place)
  if (!visit) return
  await app.db
    .insert(conditions)
    .values({ ...needed, visitId: visit.id })
    .onConflictDoNothing()
  await openNeededCases(app.db, new Date())
}

const ofProject = ({ home }: Place) => ({ projectId: home.projectId })
const bookedOf = (place: Place) => rowsIn(app, appointments, ofProject(place))
const newest = async (place: Place) =>
  (await rowsIn(app, quotes, ofProject(place))).toSorted((a, b) => +a.createdAt - +b.createdAt).at(-1)

/** An appointment in any state, as if its technician had worked. */
async function work(
  place: Place,
  service: 'technical_visit' | 'installation',
  [state, report, answers]: [Visit['state'], SheetState | null, Answers],
) {
  const before = (await bookedOf(place)).filter((one) => one.service === service)
  if (before.some((one) => isActive(one.state))) return
  const begun = state !== 'requested' && state !== 'assigned'
  const startsAt = new Date(Date.now() + (begun ? -(before.length ? 1 : 2) : 30) * hour)
  const visit = await storeVisit(app, place.who, place.home, startsAt, {
    service,
    state,
    assigneeId: place.technician.id,
    confirmedAt: state === 'requested' ? null : new Date(),
    ...(begun && { startedAt: startsAt }),
    ...(state === 'done' && { outcome: 'completed', finishedAt: new Date() }),
  })
  if (state !== 'done') return
  if (report) await writeSheet(app, { ...visit, state: report }, answers)
  if (service === 'installation' && report === 'approved')
    await transaction(app.db, (tx) =>
      createBalanceCharge(tx, place.home.projectId, new Date(), { isMailed: true }),
    )
}

const answered = fc.constantFrom<Answers[]>({}, { feasibility: 'not_viable' }, { loadIncrease: true })
const anyWork = fc.tuple(
  fc.constantFrom(...appointmentStates, 'done' as const, 'done' as const),
  fc.constantFrom<(SheetState | null)[]>(null, ...sheetStates, 'approved', 'approved'),
  answered,
)
const nothing = fc.constant(null)
const ofCharge = async (place: Place, states: readonly string[]) =>
  (await rowsIn(app, payments, ofProject(place))).find(({ state }) => states.includes(state))

async function sendOne(place: Place) {
  const visit = (await bookedOf(place)).find(
    ({ service, state }) => service === 'technical_visit' && state === 'done',
  )
  const before = await newest(place)
  if (!visit || before?.state === 'accepted' || before?.state === 'draft') return
  // No two are sent at one moment: the last one counts.
  app.at(new Date(Date.now() + 1000))
  const draft = before && { folio: before.folio, revision: before.revision + 1, replacesId: before.id }
  await sendDraft(app, people.analyst, await storeDraft(app, visit, people.analyst, draft))
}

async function answer(place: Place, how: number) {
  const quote = await newest(place)
  if (!quote) return
  const { actor } = place.who
  const { id, version } = quote
  const now = new Date()
  const input = { version, reason: 'Porque sí.' }
  if (how === 0) await acceptQuote(app.db, actor, id, wishOf(quote, { option: 'essential' }), now)
  else if (how === 4) await askAnew(app.db, actor, id, now)
  else await [rejectQuote, askChanges, cancelQuote][how - 1]!(app.db, actor, id, input, now)
}

async function proveOne(place: Place) {
  const row = await ofCharge(place, ['pending', 'expired'])
  const form = { paymentId: row?.id ?? '', version: String(row?.version), bank: '012' }
  const trackingKey = `CLAVE${count}X${Date.now()}${Math.random()}`.replace('.', '').slice(0, 28)
  await sendForm(app, '/payments', { intent: 'send-proof', ...form, trackingKey }, place.who, paper())
}

async function reviewOne(place: Place, isRight: boolean) {
  const row = await ofCharge(place, ['in_review'])
  if (!row) return
  const more = isRight ? { sure: String(row.amount) } : { intent: 'reject-proof', reason: 'No se lee.' }
  const form = confirming(row, String(row.amount / 100), more)
  await app.post(office(place.home.projectId), form, people.analyst)
}

/** The form of a page that a user finds by its intent, or by another field. */
async function formAt(path: string, who: Person, value: string, by = 'value') {
  const page = await app.visit(path, who)
  return sentBy(formsIn(page).find((form) => form.includes(` ${by}="${value}"`)))
}

/** An advisory call that was booked, and maybe confirmed. */
async function talk(place: Place, state: 'requested' | 'assigned') {
  const calls = (await bookedOf(place)).filter(({ service }) => service === 'videocall')
  if (calls.some((one) => isActive(one.state))) return
  const { id: assigneeId } = await app.person({ kind: 'analyst', name: 'Ada' })
  const online = { service: 'videocall', minutes: 30, municipality: null, address: null } as const
  const startsAt = new Date(Date.now() + 50 * hour)
  await storeVisit(app, place.who, place.home, startsAt, { ...online, state, assigneeId })
}

/** The customer moves to where the office has to say whether we go there. */
async function doubt({ who }: Place) {
  const form = await formAt('/address?editar', who, 'street', 'name')
  const doubtful = { postalCode: '52140', municipality: 'lerma', confirmInArea: 'on' }
  await app.post('/address', { ...form, ...doubtful }, who)
}

/** What a form of a case asks for that has no first value. */
const ofCase: Record<string, string> = {
  reason: 'Porque sí.',
  asked: 'other',
  label: 'Plano',
  correctedBy: 'customer',
  contractNumber: 'C-1',
  newMeterNumber: 'N-1',
  approvedKilowatts: '25',
}

/** The gester takes a case, hands in its papers and makes one of the moves, by the forms that its page has. */
async function workOnCase(place: Place, nth: number) {
  const one = (await rowsIn(app, cfeCases, ofProject(place))).find(({ closedAt }) => !closedAt)
  if (!one) return
  const path = `/admin/gesties/${one.id}`
  const offered = async (intent: string) =>
    formsIn(await app.visit(path, people.gester))
      .map(sentBy)
      .filter((form) => form.intent === intent)
  for (const form of await offered('case.take')) await app.post(path, form, people.gester)
  for (const form of await offered('case.hand-in')) await sendForm(app, path, form, people.gester, paper())
  const moves = await offered('case.move')
  const form = moves.at(nth % moves.length)
  if (!form) return
  const filled = Object.entries(form).map(([name, value]) => [name, value || (ofCase[name] ?? '')])
  expect((await app.post(path, Object.fromEntries(filled), people.gester)).status).toBe(303)
}

const steps = [
  step('visit', anyWork, (place: Place, drawn) => work(place, 'technical_visit', drawn)),
  step('cancel the visit', nothing, async (place: Place) => {
    const [visit] = (await bookedOf(place)).filter(({ state }) => isActive(state))
    const form = { intent: 'cancel', appointmentId: visit?.id ?? '', version: String(visit?.version) }
    await app.post('/technics-visit', { ...form, reason: 'cliente_se_arrepiente', note: '' }, place.who)
  }),
  step('ask for the report', nothing, async (place: Place) => {
    const visit = (await bookedOf(place)).at(-1)
    await app.post(`/admin/appointments-done/${visit?.id}`, { intent: 'ask-for-report' }, people.analyst)
  }),
  step('the technician leaves', nothing, async (place: Place) => {
    if ((await bookedOf(place)).some(({ state }) => isActive(state))) return
    await app.db.execute(sql`update users set active = false where id = ${place.technician.id}`)
    place.technician = await app.person({ kind: 'tecnician', name: 'Tania' })
  }),
  step('send a quote', nothing, sendOne),
  step('answer', fc.constantFrom(0, 0, 1, 2, 3, 4), answer),
  step('send a proof', nothing, proveOne),
  step('review a proof', fc.boolean(), reviewOne),
  step('CFE is needed', nothing, needCase),
  step('the gester', fc.nat(20), workOnCase),
  step('the ally', nothing, async () => {
    const path = '/admin/alliate/clients/registrar'
    const form = await formAt(path, people.ally, 'register')
    const phone = `55${10_000_000 + ++count}`
    expect((await app.post(path, { ...form, name: 'Olga', phone, consent: 'on' }, people.ally)).status).toBe(
      200,
    )
  }),
  step('call', fc.constantFrom('requested', 'assigned'), talk),
  step('doubtful address', nothing, doubt),
  step('permit', fc.constantFrom('asked', 'received', 'returned'), async ({ home }: Place, how) => {
    const permitReceivedAt = how === 'received' ? new Date() : null
    const permitReturned = how === 'returned' ? 'Falta la firma.' : null
    await setIn(app, projects, home.projectId, {
      permitNeeded: how !== 'received',
      permitReceivedAt,
      permitReturned,
    })
  }),
  step('install', anyWork, async (place: Place, drawn) => {
    const [project] = await rowsIn(app, projects, { id: place.home.projectId })
    if (project?.depositPaidAt && !(await bookedOf(place)).some(({ service }) => service === 'installation'))
      await work(place, 'installation', drawn)
  }),
  step('days pass', fc.constantFrom(1, 6, 16, 40), async (_: Place, days: number) => {
    const now = new Date(Date.now() + days * day)
    app.at(now)
    for (const round of [expireQuotes, lapseQuotes, expirePayments]) await round(app.db, now)
  }),
]

type Line = { title: string; to: string | null; act: object | null; task: object | null }
async function linesOf(who: Person, kinds: readonly WorkKind[], surname: string): Promise<Line[]> {
  const lines: Line[] = []
  for (const kind of kinds) {
    const home = loaded<{ work: { groups: { kind: string; lines: Line[] }[] } | null }>(
      await app.data(`/admin?todo=${kind}`, who),
      'customers/screens/staff',
    )
    const groups = home.work?.groups.filter((group) => group.kind === kind) ?? []
    lines.push(
      ...groups.flatMap((group) => group.lines).filter((line) => JSON.stringify(line).includes(surname)),
    )
  }
  return lines
}

/** Expects a page to be there, with a form or a way on in its own part. */
async function expectAct(path: string, who: Person) {
  const { status, text } = await app.visit(path, who)
  const main = text.slice(text.indexOf('<main'))
  expect([path, status, /<form|href="\//.test(main)]).toEqual([path, 200, true])
}

const statusOf = async ({ who }: Place) => (await projectStatusesOf(app.db, [who.id], new Date()))[0]!

/** How many open tasks ask for another version of its quote. */
const requotes = ({ who }: Place) =>
  app.db.$count(
    tasks,
    and(eq(tasks.personId, who.id), isNull(tasks.doneAt), inArray(tasks.reason, requoteReasons)),
  )

async function check(place: Place) {
  const { surname, who } = place
  const { stage, waitingOn } = await statusOf(place)
  const turn = `${stage} ${waitingOn}`
  const { no_report, to_quote } = await countToQuote(app.db, people.analyst.actor, {})
  const isInReview = (await ofCharge(place, ['in_review'])) !== undefined
  if (!isInReview)
    expect([turn, to_quote + no_report]).toEqual([
      turn,
      turn === 'quoting analyst' && (await requotes(place)) === 0 ? 1 : 0,
    ])
  if (waitingOn === 'none') return
  const entry = turnActs[stage][waitingOn]!
  if (entry.on === 'home') {
    const { text } = await app.visit('/', who)
    const [, next] = /<main[\s\S]*?href="([^"]+)"/.exec(text) ?? []
    return expectAct(next!.replaceAll('&amp;', '&'), who)
  }
  if (typeof entry.on === 'string') {
    const { analyst, gester } = people
    const by = { technician: place.technician, gester, cfe: gester, analyst }[waitingOn as 'cfe']
    const pages = [entry.on, '/admin'].map((path) => pageText(path, by))
    const isLate =
      waitingOn === 'technician' && (await linesOf(people.manager, ['left_open', 'late'], surname))
    const isThere = (await Promise.all(pages)).some((text) => text.includes(surname))
    return expect([turn, isThere || (isLate && isLate.length > 0)]).toEqual([turn, true])
  }
  const reader = waitingOn === 'analyst' ? people.analyst : people.manager
  const lines = await linesOf(reader, entry.on, surname)
  expect([turn, lines.length > 0]).toEqual([turn, true])
  expect(lines.some(({ act, task }) => act !== null || task !== null)).toBe(true)
  const { to } = lines.find((one) => one.to !== null) ?? { to: null }
  if (to) await expectAct(to.split('#')[0]!, reader)
}

// More walks: test-slow/projects/turns.test.ts.
test('in every walk the person whose turn it is finds the project and an act', { timeout: 3_600_000 }, () =>
  walks({ starts: [0, 1, 2, 3, 4, 5, 6], begin, steps, check, count: rounds(5), length: 14 }),
)

test('the turns of an advisory, of a doubtful address and of a case with CFE have an owner and an act', async () => {
  const turns: string[] = []
  const see = async (place: Place) => {
    await check(place)
    const { stage, waitingOn } = await statusOf(place)
    turns.push(`${stage} ${waitingOn}`)
  }
  for (const state of ['requested', 'assigned'] as const) {
    const place = await begin()
    await talk(place, state)
    await see(place)
  }
  const doubtful = await begin()
  await doubt(doubtful)
  await see(doubtful)
  const place = await begin(6)
  // Its first move each, and in the end its last: to cancel it.
  for (const nth of [0, 0, 0, -1]) {
    await workOnCase(place, nth)
    await see(place)
  }
  const ofCase = ['cfe gester', 'cfe cfe', 'cfe cfe', 'cfe manager']
  expect(turns).toEqual(['advisory manager', 'advisory analyst', 'intake manager', ...ofCase])
})

test('a report is asked for once, by the office, of a visit that was carried out, and reaches its technician', async () => {
  const place = await begin()
  const at = new Date(Date.now() - 50 * day)
  const visit = await storeVisit(app, place.who, place.home, at, {
    state: 'done',
    outcome: 'completed',
    finishedAt: at,
    assigneeId: place.technician.id,
  })
  const path = `/admin/appointments-done/${visit.id}`
  const ask = (by = people.analyst) => app.post(path, { intent: 'ask-for-report' }, by)
  expect(await pageText(path, people.analyst)).toContain('Pedir el reporte a Tito')
  for (let n = 0; n < 2; n++) expect((await ask()).status).toBe(303)
  const { rows } = await app.db.execute(
    sql`select 1 from pgboss.job where data ->> 'letter' = 'sheet_returned' and data ->> 'appointmentId' = ${visit.id}`,
  )
  expect(rows).toHaveLength(1)
  expect(await pageText('/admin', place.technician)).toContain(place.surname)
  expect(await pageText(path, place.technician)).toContain('Falta el reporte de esta visita.')
  expect((await countToQuote(app.db, people.analyst.actor, {})).no_report).toBe(0)
  await app.db.execute(sql`update users set active = false where id = ${place.technician.id}`)
  expect(await linesOf(people.analyst, ['report'], place.surname)).toHaveLength(1)
})
