import { inArray } from 'drizzle-orm'
import { releaseAssignee } from '../../../src/appointments/assign.ts'
import { cancel } from '../../../src/appointments/cancel.ts'
import { confirmProvisional } from '../../../src/appointments/jobs.ts'
import {
  type AppointmentState,
  activeStates,
  type Service,
  services,
} from '../../../src/appointments/rules/appointment.ts'
import { dayPlans } from '../../../src/platform/database/schema/accounts.ts'
import { appointments } from '../../../src/platform/database/schema/appointments.ts'
import { localDate, toMinutes } from '../../../src/shared/calendar.ts'
import { Refusal } from '../../../src/shared/refusal.ts'
import { around, hour, type Visit } from '../../kit/appointments.ts'
import type { Dice } from '../../kit/dice.ts'
import { db, fixture, post, rowsWhere, storeRows } from '../../kit/open.ts'
import { addressForm, type Person } from '../../kit/people.ts'
import { completeSheet } from '../../kit/reports.ts'
import type { Answer } from '../../kit/visitor.ts'
import { agendas, bookBy } from './town.ts'

export type Town = {
  customers: readonly Person[]
  team: readonly Person[]
  managers: readonly Person[]
  starts: readonly Date[]
}
/** Something that someone does, as chance has it; what it was answered, where it is a form's. */
export type Action = (town: Town, chance: Dice) => Promise<Answer | null>

/** The page on which customers change what they booked. */
const pages: Record<Service, string> = {
  technical_visit: '/technics-visit',
  installation: '/installation',
  videocall: '/videocall',
}
const reason = 'cliente_no_disponible'
const overrideReason = 'Lo pidió el cliente'
const codes = ['01000', '04000', '09000', '16000', '50000']

/** An action on an active appointment as it stands now; by the time it is acted upon it may be another. */
const onAny =
  (
    act: (town: Town, visit: Visit, chance: Dice) => Promise<Answer | null>,
    states: readonly AppointmentState[] = activeStates,
  ): Action =>
  async (town, chance) => {
    const rows = await db
      .select()
      .from(appointments)
      .where(inArray(appointments.state, [...states]))
    return rows.length > 0 ? act(town, chance.oneOf(rows), chance) : null
  }

const ownerOf = ({ customers }: Town, { customerId }: Visit) => customers.find(({ id }) => id === customerId)!

async function refusedOr(change: Promise<unknown>): Promise<null> {
  await change.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
  })
  return null
}

const book: Action = ({ customers, starts }, chance) =>
  bookBy(fixture, chance.oneOf(customers), chance.oneOf(services), chance.oneOf(starts))

const assign = onAny(({ team, managers }, { id, version }, chance) =>
  post(
    `/admin/assignations/${id}.data`,
    {
      intent: 'give',
      version: String(version),
      assigneeId: chance.oneOf(team).id,
      ...(chance.below(3) === 0 && { overrideReason }),
    },
    chance.oneOf(managers),
  ),
)

/** The customer, on the booking screen. */
const reschedule = onAny((town, visit, chance) =>
  post(
    `${agendas[visit.service]}.data?cambiar=${visit.id}`,
    { startsAt: chance.oneOf(town.starts).toISOString(), version: String(visit.version) },
    ownerOf(town, visit),
  ),
)

/** The manager, on the board: to someone, mostly at another time. */
const drag = onAny(({ team, managers, starts }, { id, startsAt, version }, chance) => {
  const form = {
    appointmentId: id,
    version: String(version),
    assigneeId: chance.oneOf(team).id,
    startsAt: chance.oneOf([startsAt, ...starts]).toISOString(),
    ...(chance.below(2) === 0 && { overrideReason }),
  }
  return post('/admin/assignations.data', form, chance.oneOf(managers))
})

const cancelOwn = onAny((town, visit, chance) => {
  const intent = chance.oneOf(['cancel', 'cancel', 'cancel-late'])
  const form = { intent, appointmentId: visit.id, version: String(visit.version), reason }
  return post(`${pages[visit.service]}.data`, form, ownerOf(town, visit))
})

const cancelForThem = onAny(({ managers }, { id, version }, chance) =>
  refusedOr(cancel(db, chance.oneOf(managers).actor, id, { reason, note: null, version }, new Date())),
)

const takeOff = onAny(({ managers }, { id, version }, chance) =>
  refusedOr(releaseAssignee(db, chance.oneOf(managers).actor, id, { reason: 'Cambio', version }, new Date())),
)

const confirm: Action = async ({ starts }, chance) => {
  await confirmProvisional(db, around({ startsAt: chance.oneOf(starts) }, -hour))
  return null
}

/** To another part of town, a booked visit along. */
const moveHouse: Action = ({ customers }, chance) => {
  const form = { ...addressForm, postalCode: chance.oneOf(codes), version: String(1 + chance.below(3)) }
  return post('/address.data', { ...form, moveVisit: 'on' }, chance.oneOf(customers))
}

/** What a plan says of itself decides nothing. */
const sums = {
  people: [],
  stuck: [],
  cost: 0,
  bound: 0,
  travel: { before: 0, after: 0 },
  left: { before: 0, after: 0 },
}

/** A plan for a day as the solver would leave it: every provisional visit it is about, one of them with someone else. Applied. */
const optimise: Action = async ({ team, managers, starts }, chance) => {
  const date = localDate(toMinutes(chance.oneOf(starts)))
  const rows = (await rowsWhere(appointments, { state: 'requested' })).filter(
    ({ startsAt }) => localDate(toMinutes(startsAt)) === date,
  )
  if (rows.length === 0) return null
  const lucky = chance.oneOf(rows)
  const visits = rows.map(({ assigneeId, id }) => ({
    id,
    from: assigneeId,
    to: id === lucky.id ? chance.oneOf(team).id : assigneeId,
  }))
  const versions = Object.fromEntries(rows.map(({ id, version }) => [id, version]))
  const manager = chance.oneOf(managers)
  const [made] = await storeRows(dayPlans, {
    date,
    state: 'ready',
    madeBy: manager.id,
    plan: { ...sums, visits, versions },
  })
  return post(
    `/admin/assignations/plan.data?dia=${date}`,
    { intent: 'apply-plan', planId: made!.id },
    manager,
  )
}

/** Whoever goes, on the day. */
const onTheRoad = onAny(async ({ team }, visit, chance) => {
  const person = team.find(({ id }) => id === visit.assigneeId) ?? chance.oneOf(team)
  const move = chance.oneOf([
    'setOut',
    'start',
    'start',
    'undoSetOut',
    'pause',
    'resume',
    'finish',
    'callOff',
  ])
  const form = { move, reason: 'clima', closingNote: 'Quedó todo bien.', version: String(visit.version) }
  if (move === 'finish') await completeSheet(visit)
  return post(`/admin/appointments-pending/${visit.id}.data`, form, person)
}, activeStates.slice(1))

const common = {
  book: { act: book, weight: 8 },
  assign: { act: assign, weight: 5 },
  reschedule: { act: reschedule, weight: 4 },
  drag: { act: drag, weight: 5 },
  cancelOwn: { act: cancelOwn, weight: 2 },
  cancelForThem: { act: cancelForThem, weight: 1 },
  takeOff: { act: takeOff, weight: 2 },
  moveHouse: { act: moveHouse, weight: 2 },
  optimise: { act: optimise, weight: 3 },
}

/** Everything that can happen to appointments some days ahead. */
export const daysAhead = { ...common, confirm: { act: confirm, weight: 1 } }
/** And on the day itself, when some of them begin. */
export const onTheDay = { ...common, onTheRoad: { act: onTheRoad, weight: 16 } }
