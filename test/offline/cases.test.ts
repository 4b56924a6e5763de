import { and, eq, isNull } from 'drizzle-orm'
import { isLeftToOffice } from '../../src/appointments/replay.ts'
import type { AppointmentState } from '../../src/appointments/rules/appointment.ts'
import { isAside, isStep, stateAfter } from '../../src/appointments/rules/field-steps.ts'
import type { DraftMove } from '../../src/offline/outbox/rows.ts'
import { timeOff } from '../../src/platform/database/schema/accounts.ts'
import { appointments } from '../../src/platform/database/schema/appointments.ts'
import { tasks } from '../../src/platform/database/schema/projects.ts'
import { noShowSlot } from '../../src/reports/rules/photos.ts'
import { toMinutes, wallMinute } from '../../src/shared/calendar.ts'
import { clockText, localDay } from '../../src/shared/format.ts'
import { around, assign, hour, minute, proposedVisit, type Visit } from '../kit/appointments.ts'
import { db, eventsAbout, fixture, manager, openOnce, rowsWhere } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectAnswered } from '../kit/reading.ts'
import { completeSheet, sheetOf } from '../kit/reports.ts'
import { type Done, Phone } from './phone.ts'

openOnce()

const note = 'Falta un tramo de tubería.'
const half = { outcome: 'partial', reason: 'falta_material', closingNote: note }
const start: Done[number] = [0, { move: 'start' }]
const setOut: Done[number] = [-20, { move: 'setOut' }]
/** Whole days, so many of them, that begin in a month. */
const timeOffOf = (visit: Visit, days = 1) => ({
  from: localDay(around(visit, 30 * 24 * hour)),
  to: localDay(around(visit, (29 + days) * 24 * hour)),
  reason: 'Una boda',
})
const absent = (visit: Visit) => clockText(wallMinute(toMinutes(around(visit, 16 * minute))))

type Works = (visit: Visit) => Done

const works = {
  'set out': () => [setOut],
  'running late': () => [[-20, { move: 'runLate', form: { minutes: '60' } }]],
  start: () => [start],
  pause: () => [start, [10, { move: 'pause', reason: 'Fui por material.' }]],
  report: () => [start, [50, { move: 'submit' }]],
  'half done': () => [start, [50, { move: 'finish', form: half }]],
  'not possible': () => [start, [50, { move: 'finish', form: { ...half, outcome: 'not_possible' } }]],
  'call off': () => [setOut, [5, { move: 'callOff', form: { reason: 'clima', note } }]],
  'no-show': (visit) => [
    start,
    [20, { move: 'noShow', form: { called: 'yes', calledAt: absent(visit), note } }],
  ],
  release: () => [setOut, [-5, { move: 'release', form: { reason: note } }]],
  'time off': (visit) => [[20, { move: 'askTimeOff', form: timeOffOf(visit) }]],
} satisfies Record<string, Works>
type Work = keyof typeof works

/** What another phone of the same person's did instead. */
const others: Record<Work, Works> = {
  'set out': works['half done'],
  'running late': works.start,
  start: works['call off'],
  pause: works['half done'],
  report: works['half done'],
  'half done': works['not possible'],
  'not possible': works['call off'],
  'call off': works.pause,
  'no-show': works['call off'],
  release: works.start,
  'time off': (visit) => [[20, { move: 'askTimeOff', form: timeOffOf(visit, 2) }]],
}

const desk = ({ id }: Visit) => `/admin/assignations/${id}`
const asStored = async ({ id }: Visit) => {
  const [row] = await rowsWhere(appointments, { id })
  return row!
}

/** What happened meanwhile. `sent` sends the phone's rows a first time; `elsewhere` what another phone has. */
type Scene = {
  visit: Visit
  technician: Person
  phone: Phone
  elsewhere: (done: Works) => Promise<void>
  work: Work
}
const cancelled = async ({ visit }: Scene) => {
  const form = { reason: 'otro', note: 'Lo pidió el cliente.', version: String(visit.version) }
  return fixture.post(desk(visit), { intent: 'cancel-by-house', ...form }, manager)
}
const given = async ({ visit }: Scene, to: Pick<Person, 'id'>, form = {}) =>
  assign(manager, visit, to, { overrideReason: 'Lo pidió el cliente.', ...form })
const moved = (scene: Scene) =>
  given(scene, scene.technician, { startsAt: around(scene.visit, 2 * hour).toISOString() })
const reassigned = async (scene: Scene) => given(scene, await fixture.person({ kind: 'tecnician' }))

/** The office changes it after it was done on site, or before, without the phone knowing. */
const office =
  (change: (scene: Scene) => Promise<{ status: number }>, when: 'after' | 'before') =>
  async (scene: Scene) => {
    await expectAnswered(change(scene), 303)
    // The database has the clock of the wall, which is days earlier, and no event is ever changed.
    if (when === 'after')
      await db.$client.query(
        `begin; set local session_replication_role = replica; update events set at = '${around(scene.visit, 54 * minute).toISOString()}'
         where id = (select max(id) from events where entity_id = '${scene.visit.id}'); commit`,
      )
  }

const fixtures = {
  nothing: async () => {},
  'cancelled before': office(cancelled, 'before'),
  'cancelled after': office(cancelled, 'after'),
  'moved before': office(moved, 'before'),
  'moved after': office(moved, 'after'),
  'reassigned before': office(reassigned, 'before'),
  'reassigned after': office(reassigned, 'after'),
  'the same on another phone': ({ elsewhere, work }) => elsewhere(works[work]),
  'something else on another phone': ({ elsewhere, work }) => elsewhere(others[work]),
  'older than 72 hours': async ({ visit }) => fixture.at(around(visit, 73 * hour)),
  'the session ended': async ({ phone, technician }) => {
    phone.signOut()
    await phone.drain()
    expect([phone.hold, phone.items().length]).toEqual(['signed-out', phone.count])
    phone.signIn(technician)
  },
  'the answer was lost': async ({ phone }) => {
    const before = structuredClone(phone.rows)
    await phone.drain()
    phone.rows = before
  },
} satisfies Record<string, (scene: Scene) => Promise<unknown>>
type Meanwhile = keyof typeof fixtures

/** What the outbox says, in parts of its words. */
const said = {
  sent: 'Nada por enviar',
  /** It arrived, and the phone says who decides. */
  office: 'la gerencia decide',
  tooOld: 'Llama a la gerencia para registrarlo.',
  notYours: 'Llama a la gerencia antes de borrar lo que guardaste.',
  isCancelled: 'El estado de la cita es «Cancelada»',
  overtaken: 'después de lo que hiciste aquí. Actualiza la página para ver cómo va.',
  endedElsewhere: 'Si no quedó así, llama a la oficina.',
  tooEarly: 'podrás iniciar.',
  otherHour: 'Si aun así vas tarde, dilo otra vez.',
  otherDates: 'Elige otras, o retira esa.',
}

type Case = readonly [state: AppointmentState, says: keyof typeof said]
type Cases = Record<Meanwhile, Case>

/** What is done once, and said so, whatever the network did. */
const done = (state: AppointmentState) =>
  ({
    nothing: [state, 'sent'],
    'the same on another phone': [state, 'sent'],
    'the session ended': [state, 'sent'],
    'the answer was lost': [state, 'sent'],
    'older than 72 hours': ['assigned', 'tooOld'],
  }) satisfies Partial<Cases>

/** A step of an appointment that was taken away is refused in words. */
const step = (
  state: AppointmentState,
  own: Pick<Cases, 'moved before' | 'something else on another phone'>,
): Cases => ({
  ...done(state),
  'cancelled before': ['cancelled', 'isCancelled'],
  'cancelled after': ['cancelled', 'overtaken'],
  'moved after': ['assigned', 'overtaken'],
  'reassigned before': ['assigned', 'notYours'],
  'reassigned after': ['assigned', 'notYours'],
  ...own,
})

/** An end of one is for the office to decide. */
const end = (
  state: AppointmentState,
  own: Partial<Cases> & Pick<Cases, 'something else on another phone'>,
): Cases => ({
  ...done(state),
  'older than 72 hours': ['assigned', 'office'],
  'cancelled before': ['cancelled', 'office'],
  'cancelled after': ['cancelled', 'office'],
  'moved before': ['assigned', 'office'],
  'moved after': ['assigned', 'office'],
  'reassigned before': ['assigned', 'office'],
  'reassigned after': ['assigned', 'office'],
  ...own,
})

/** The state on the server, and what the outbox says, after each case. */
const outcomes: Record<Work, Cases> = {
  'set out': step('en_route', {
    'moved before': ['en_route', 'sent'],
    'something else on another phone': ['done', 'sent'],
  }),
  'running late': step('assigned', {
    'moved before': ['assigned', 'otherHour'],
    'something else on another phone': ['in_progress', 'sent'],
  }),
  start: step('in_progress', {
    'moved before': ['assigned', 'tooEarly'],
    'something else on another phone': ['cancelled', 'endedElsewhere'],
  }),
  pause: step('paused', {
    'moved before': ['assigned', 'tooEarly'],
    'something else on another phone': ['done', 'sent'],
  }),
  report: end('done', { 'something else on another phone': ['done', 'endedElsewhere'] }),
  'half done': end('done', { 'something else on another phone': ['done', 'endedElsewhere'] }),
  'not possible': end('done', { 'something else on another phone': ['cancelled', 'endedElsewhere'] }),
  'call off': end('cancelled', {
    'moved before': ['en_route', 'office'],
    'something else on another phone': ['paused', 'overtaken'],
  }),
  'no-show': end('no_show', { 'something else on another phone': ['cancelled', 'endedElsewhere'] }),
  release: end('requested', {
    'moved before': ['en_route', 'office'],
    'something else on another phone': ['in_progress', 'overtaken'],
  }),
  // It is about no appointment: nothing that becomes of one keeps it back.
  'time off': {
    ...done('assigned'),
    'cancelled before': ['cancelled', 'sent'],
    'cancelled after': ['cancelled', 'sent'],
    'moved before': ['assigned', 'sent'],
    'moved after': ['assigned', 'sent'],
    'reassigned before': ['assigned', 'sent'],
    'reassigned after': ['assigned', 'sent'],
    'something else on another phone': ['assigned', 'otherDates'],
  },
}

/** A visit of its own technician's, confirmed, its report complete; the clock stands at the end of its hour. */
async function scene(work: Work): Promise<Scene> {
  vi.useRealTimers()
  const proposed = await proposedVisit()
  const id = proposed.assigneeId
  const technician = { ...(await fixture.secondBrowser({ id } as Person)), id } as Person
  await assign(manager, proposed, technician)
  const visit = await asStored(proposed)
  await completeSheet(visit)
  fixture.at(around(visit, 55 * minute))
  const elsewhere = async (other: Works) => {
    const second = new Phone(
      technician,
      visit,
      other(visit).map(([minutes, move]) => [minutes + 1, move] as const),
    )
    await second.drain()
    expect(second.items()).toEqual([])
  }
  return { visit, technician, work, elsewhere, phone: new Phone(technician, visit, works[work](visit)) }
}

/** What the outbox says of a case: why something was refused, that the office decides, or that all was sent. */
function wordsOf({ phone }: Scene): string {
  const refused = phone.items().find(({ problem }) => problem)?.problem
  if (refused) return refused.description
  if (phone.claimed > 0) return said.office
  return phone.items().length === 0 ? said.sent : 'Por enviar'
}

/** Whether the work of a case is nowhere: neither with the office, nor done, nor on the phone any more. */
async function isLost(one: Scene): Promise<boolean> {
  const { phone, visit, work } = one
  const [pressed, move] = works[work](visit).at(-1)!
  if (phone.items().length > 0) return false
  const at = around(visit, pressed * minute)
  const told = await eventsAbout(visit.id)
  const isTold = told.some(
    ({ data }) => Date.parse((data as { pressedAt?: string })?.pressedAt ?? '') === at.getTime(),
  )
  const isDone = move.move === 'askTimeOff' ? await hasTimeOff(one) : isDoneOf(await asStored(visit), move)
  const { rows } = await db.$client.query('select 1 from files where appointment_id = $1 and slot = $2', [
    visit.id,
    noShowSlot,
  ])
  const sheet = await sheetOf(visit)
  const isHandedIn = move.move === 'submit' && (sheet?.claimedAt ?? sheet?.capturedAt) !== undefined
  return !(isTold || isDone || isHandedIn) || (move.move === 'noShow' && rows.length === 0)
}

const hasTimeOff = async ({ technician }: Scene) =>
  (await rowsWhere(timeOff, { personId: technician.id })).length === 1

function isDoneOf({ closingNote, runningLateMinutes, state }: Visit, { form, move }: DraftMove): boolean {
  if (isAside(move)) return runningLateMinutes === 60 || state === 'in_progress'
  if (isStep(move)) return state !== 'assigned'
  return state === stateAfter[move] && (!form || move === 'release' || closingNote === note)
}

/** The tasks of the office about a visit. */
const openTasks = ({ id }: Visit) =>
  db
    .select()
    .from(tasks)
    .where(and(eq(tasks.appointmentId, id), isNull(tasks.doneAt)))

let tried = 0
let lost = 0

describe.each(Object.keys(works) as Work[])('%s', (work) => {
  test.each(Object.keys(fixtures) as Meanwhile[])('%s', async (meanwhile) => {
    const one = await scene(work)
    await (fixtures[meanwhile] as (scene: Scene) => Promise<unknown>)(one)
    await one.phone.drain()
    tried++
    if (await isLost(one)) lost++
    const [state, says] = outcomes[work][meanwhile]
    expect([(await asStored(one.visit)).state, wordsOf(one)]).toEqual([
      state,
      expect.stringContaining(said[says]),
    ])
    // The way on: a task of the office; or words that name what to do, with the button that calls it.
    if (says === 'office')
      expect(await openTasks(one.visit)).toMatchObject([
        { urgent: true, subject: expect.stringContaining(one.visit.folio) },
      ])
  })
})

test('an end, or the hour of what was never begun, is the office’s once it is older than 72 hours', () => {
  const now = new Date('2026-11-27T18:00:00Z')
  const ago = (minutes: number) => new Date(now.getTime() - 72 * hour - minutes * minute)
  const left = (state: AppointmentState, end: 'finish' | 'submit' | 'callOff', at: Date, startsAt = at) =>
    isLeftToOffice({ state, startsAt }, end, at, now)
  for (const end of ['finish', 'submit', 'callOff'] as const) {
    expect([left('in_progress', end, ago(-1)), left('in_progress', end, ago(0))]).toEqual([false, false])
    expect([left('in_progress', end, ago(1)), left('done', end, ago(1))]).toEqual([true, false])
  }
  // Pressed in time, of an appointment whose beginning is too old to be told.
  for (const end of ['finish', 'submit'] as const) {
    expect(left('assigned', end, now, ago(-1))).toBe(false)
    expect(left('assigned', end, now, ago(1))).toBe(true)
    expect(left('in_progress', end, now, ago(1))).toBe(false)
  }
  expect(left('assigned', 'callOff', now, ago(1))).toBe(false)
})

test('cases tried 132, lost 0', () => {
  expect({ tried, lost }).toEqual({ tried: 132, lost: 0 })
})
