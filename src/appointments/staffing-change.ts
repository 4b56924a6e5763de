import { asc, inArray } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import type { Db, Tx } from '../platform/database/client.ts'
import { literals } from '../platform/database/lists.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { type ChangedStaffing, UndecidedChange } from '../scheduling/change-staffing.ts'
import { askOn, askOnItsDay, checkLocked } from '../scheduling/choose.ts'
import { loadBusy, type Staffing } from '../scheduling/roster.ts'
import {
  isException,
  isHard,
  type Reason,
  rank,
  reasonWords,
  whyNotAlone,
} from '../scheduling/rules/eligibility.ts'
import { dayOf, type LocalDay, timeZone, toDate, toMinutes } from '../shared/calendar.ts'
import { Refusal, refuse } from '../shared/refusal.ts'
import {
  type Decisions,
  daysChanged,
  keepChoice,
  peopleChanged,
  releaseChoice,
} from '../users/rules/staffing-change.ts'
import { notifyAssigned, placementOf, releaseHeld, replaceProvisional, withoutDelayOf } from './assign.ts'
import {
  type AppointmentState,
  activeStates,
  affectedUserIds,
  assignableStates,
  isUpcoming,
  type Service,
  upcomingStates,
} from './rules/appointment.ts'
import { type AppointmentRow, transition } from './transition.ts'

/** Settles every future appointment that a change of the staffing takes from its assignee, by the decisions made about it. */
export async function settleAppointments(tx: Tx, change: ChangedStaffing): Promise<void> {
  const { actor, after, before, decisions, now } = change
  const { waiting, underWay } = await touchedBy(tx, before, after, now)
  refuseUnderWay(underWay)
  change.people.push(...(await resolve(tx, actor, waiting, decisions, after, now)))
}

type Settled = { touched: Touched; held: AppointmentRow; choice: string; isException: boolean }

/** The context shared by the parts of one settlement. */
type ChangeContext = { tx: Tx; actor: Actor; after: Staffing; keepReason: string | null; now: Date }

/**
 * Carries out the decision for every affected appointment, or ends the transaction with what is missing. Returns the
 * users concerned.
 */
async function resolve(
  tx: Tx,
  actor: Actor,
  touched: readonly Touched[],
  decisions: Decisions,
  after: Staffing,
  now: Date,
): Promise<string[]> {
  if (touched.length === 0) return []
  const unsettled = (errors: Record<string, string>) =>
    new UndecidedChange((db) => refuseUnsettled(db, { touched, after, errors }, now))
  const missing = whatIsMissing(touched, decisions)
  if (missing) throw unsettled(missing)
  const plan = await holdAll(tx, touched, decisions)
  if (plan.some(({ held, touched: seen }) => held.version !== seen.version)) throw unsettled({})
  const desk: ChangeContext = { tx, actor, after, keepReason: decisions.keepReason ?? null, now }
  const moved: AppointmentRow[] = []
  const errors: Record<string, string> = {}
  await stepAside(tx, plan)
  for (const one of inTurn(plan)) {
    const outcome = await carryOut(desk, one)
    if (Array.isArray(outcome)) errors[`choice.${one.held.id}`] = `No puede: ${inWords(outcome)}.`
    else moved.push(outcome)
  }
  if (Object.keys(errors).length > 0) throw unsettled(errors)
  return [...plan.map(({ held }) => held), ...moved].flatMap(affectedUserIds)
}

/** The missing decisions, by field; null when complete. A form without any decision yet only gets its list. */
function whatIsMissing(touched: readonly Touched[], { choices, seen, keepReason }: Decisions) {
  const errors: Record<string, string> = {}
  for (const { id, version, against } of touched) {
    const choice = choices[id]
    if (!choice) errors[`choice.${id}`] = 'Elige qué hacer con esta cita.'
    else if (seen?.[id] !== undefined && seen[id] !== version)
      errors[`choice.${id}`] = 'Esta cita cambió mientras decidías. Revísala otra vez.'
    else if (choice === keepChoice && against.some(isHard))
      errors[`choice.${id}`] = `No la puede conservar: ${against.filter(isHard).map(wordsBefore).join('; ')}.`
    else if (choice === keepChoice && !keepReason)
      errors.keepReason = 'Escribe por qué la conserva de todos modos.'
  }
  if (Object.keys(errors).length === 0) return null
  return touched.some(({ id }) => choices[id]) ? errors : {}
}

async function holdAll(
  tx: Tx,
  touched: readonly Touched[],
  { choices, exceptions = [] }: Decisions,
): Promise<Settled[]> {
  const ids = touched.map(({ id }) => id)
  const rows = await tx
    .select()
    .from(appointments)
    .where(inArray(appointments.id, ids))
    .orderBy(asc(appointments.id))
    .for('update')
  const byId = new Map(rows.map((row) => [row.id, row]))
  return touched.flatMap((one) => {
    const held = byId.get(one.id)
    if (!held) return []
    const isException = exceptions.includes(one.id)
    return [{ touched: one, held, choice: choices[one.id] ?? releaseChoice, isException }]
  })
}

/** Removes all assignees first: a person freed by one settled appointment may take another, in any order. */
async function stepAside(tx: Tx, plan: readonly Settled[]) {
  const ids = plan.filter(({ choice }) => choice !== keepChoice).map(({ held }) => held.id)
  await tx
    .update(appointments)
    .set({ assigneeId: null, confirmedAt: null, state: 'requested' })
    .where(inArray(appointments.id, ids))
}

/** Provisional places come last: they take a remaining person. */
const inTurn = (plan: readonly Settled[]) =>
  plan.toSorted((a, b) => Number(isReplaced(a)) - Number(isReplaced(b)))
const isReplaced = ({ choice, held }: Settled) => choice === releaseChoice && held.state === 'requested'

function carryOut(desk: ChangeContext, one: Settled): Promise<AppointmentRow | Reason[]> {
  const { actor, now, tx } = desk
  if (isReplaced(one)) return replace(desk, one)
  if (one.choice === releaseChoice) return releaseHeld(tx, actor, one.held, inWords(one.touched.against), now)
  return one.choice === keepChoice ? keepIt(desk, one) : give(desk, one)
}

/**
 * Assigns it to the chosen person, who must be able to take it, the other choices being carried out: by every rule, or
 * by exception in time.
 */
async function give(desk: ChangeContext, { held, touched, choice, isException: isExcepted }: Settled) {
  const { actor, after, keepReason, now, tx } = desk
  const against = await checkLocked(tx, after, placementNow(held, now), choice, now)
  if (!against) return [{ code: 'wrong_kind' as const }]
  const reason = isExcepted && against.length > 0 ? keepReason : null
  if (against.length > 0 && !(reason && against.every(isException))) return against
  const because = touched.against.map(({ code }) => code)
  const overridden = against.map(({ code }) => code)
  const data = { from: held.assigneeId, assigneeId: choice, because, ...(reason && { overridden }) }
  const late = withoutDelayOf(held, choice)
  const set = { assigneeId: choice, confirmedAt: now, overrideReason: reason, ...late }
  const moved = await transition(tx, actor, held, givingMove(held), now, set, {
    ...(reason && { reason }),
    data,
  })
  await notifyAssigned(tx, held, moved)
  return moved
}

/**
 * The assignee keeps it by the manager's decision; a provisional one is confirmed by it, or the rules would replace
 * them.
 */
async function keepIt({ tx, actor, keepReason, now }: ChangeContext, { held, touched }: Settled) {
  const overridden = touched.against.map(({ code }) => code)
  const data = { from: held.assigneeId, assigneeId: held.assigneeId, overridden }
  const set = { confirmedAt: held.confirmedAt ?? now, overrideReason: keepReason }
  const trace = { ...(keepReason && { reason: keepReason }), data }
  const moved = await transition(tx, actor, held, givingMove(held), now, set, trace)
  if (held.state === 'requested') await notifyAssigned(tx, held, moved)
  return moved
}

async function replace({ tx, actor, after, now }: ChangeContext, { held, touched }: Settled) {
  const placement = placementNow(held, now)
  const ask = askOnItsDay(after, placement, now)
  const range = { from: placement.start - 1440, to: placement.start + 2 * 1440, now, without: held.id }
  const busy = (await loadBusy(tx.$client, range)).of(after)
  const [best] = rank(after.roster, busy, placement.start, ask)
  return replaceProvisional(tx, actor, held, best?.id ?? null, inWords(touched.against))
}

/**
 * Its placement; one that nobody has begun is judged from now on once its hour has passed, or from when its assignee is
 * free.
 */
const placementNow = (
  row: Parameters<typeof placementOf>[0] & { state: AppointmentState },
  now: Date,
  free = 0,
) => ({
  ...placementOf(row),
  ...(isUpcoming(row.state) && { notBefore: Math.max(toMinutes(now), free) }),
})

const givingMove = ({ state }: AppointmentRow) => (state === 'requested' ? 'assign' : 'reassign')
const inWords = (reasons: readonly Reason[]) => reasons.map(reasonWords).join('; ')

/** The same before the change: the account is still active while the form asks. */
const wordsBefore = (reason: Reason) =>
  reason.code === 'inactive' ? 'Ya no podrá atenderla' : reasonWords(reason)

/** An appointment that a change would leave without a lawful assignee, as the manager reads and settles it. */
export type Affected = {
  id: string
  folio: string
  service: Service
  startsAt: Date
  customer: string
  assignee: string
  /** The version seen, which comes back with the choice. */
  version: number
  reasons: string[]
  /** Who can take it under the new staffing, the best first. */
  able: { id: string; name: string }[]
  /** Whether the assignee may keep it, with a written reason: no hard reason is against it. */
  canKeep: boolean
}

/** A change that is not settled; `errors` by the name of the form's field. */
type Unsettled = { touched: readonly Touched[]; after: Staffing; errors: Readonly<Record<string, string>> }

/** How many people a list offers for one appointment. */
const offered = 12
const aDay = 1440

/**
 * Refuses with the list. It is made after the rollback, so that no transaction waits for it: by the staffing as it
 * would have been.
 */
async function refuseUnsettled(db: Db, { touched, after, errors }: Unsettled, now: Date): Promise<never> {
  const starts = touched.map(({ startsAt }) => toMinutes(startsAt))
  const range = { from: Math.min(...starts) - aDay, to: Math.max(...starts) + aDay, now }
  const busy = (await loadBusy(db.$client, range)).of(after)
  const affected = touched.map(({ against, ...row }): Affected => {
    const placement = placementNow(row, now)
    const able = rank(after.roster, busy, placement.start, askOnItsDay(after, placement, now))
    return {
      id: row.id,
      folio: row.folio,
      service: row.service,
      startsAt: row.startsAt,
      customer: row.customer,
      assignee: row.assignee,
      version: row.version,
      reasons: against.map(wordsBefore),
      able: able.slice(0, offered).map(({ id, person }) => ({ id, name: after.people[person]?.name ?? '' })),
      canKeep: !against.some(isHard),
    }
  })
  throw new Refusal('failed-precondition', {
    title: 'Hay citas por resolver',
    description: wordsFor(affected.length),
    details: { affected, errors },
  })
}

const wordsFor = (count: number) =>
  count === 1
    ? 'Con este cambio una cita se queda sin quien pueda atenderla. Elige qué hacer con ella y vuelve a guardar.'
    : `Con este cambio ${count} citas se quedan sin quien pueda atenderlas. Elige qué hacer con cada una y vuelve a guardar.`

/** Refuses a change that would remove the assignee of an appointment under way, with a message. */
function refuseUnderWay([one]: readonly AppointmentSnapshot[]) {
  if (one)
    refuse(
      'failed-precondition',
      `${one.assignee} está en la cita ${one.folio} en este momento. Haz el cambio cuando la termine.`,
    )
}

/** A future or current appointment of a user, with the data for judging a change. */
type AppointmentSnapshot = {
  id: string
  folio: string
  service: Service
  state: AppointmentState
  startsAt: Date
  minutes: number
  municipality: string | null
  assigneeId: string
  version: number
  customer: string
  assignee: string
}

/** An appointment against whose assignee a change brings a new reason. */
type Touched = AppointmentSnapshot & { against: Reason[] }

/** The appointments that a staffing change invalidates: those still to begin, and those under way now. */
async function touchedBy(tx: Tx, before: Staffing, after: Staffing, now: Date) {
  if (before.version === after.version) return { waiting: [], underWay: [] }
  const touched = judge(await concerned(tx, before, after, now), before, after, now)
  const isWaiting = ({ state }: AppointmentSnapshot) => assignableStates.includes(state)
  return {
    waiting: touched.filter(isWaiting),
    // An assignee who is on the way or at work continues, unless a rule forbids it outright.
    underWay: touched.filter((one) => !isWaiting(one) && one.against.some(isHard)),
  }
}

/** Only appointments that the change can reach: those of the people it touches, or of the days whose rules it changes. */
async function concerned(
  tx: Tx,
  before: Staffing,
  after: Staffing,
  now: Date,
): Promise<AppointmentSnapshot[]> {
  const people = peopleChanged(before.roster, after.roster)
  const days = daysChanged(before.settings, after.settings)
  if (people.length === 0 && days.length === 0) return []
  const { rows } = await tx.$client.query<AppointmentSnapshot>(
    `select a.id, a.folio, a.service, a.state, a.starts_at as "startsAt", a.minutes, a.municipality,
       a.assignee_id as "assigneeId", a.version,
       customer.full_name as customer, person.full_name as assignee
     from appointments a join users customer on customer.id = a.customer_id join users person on person.id = a.assignee_id
     where a.state in (${literals(activeStates)})
       and a.starts_at > $1::timestamptz - interval '1 day' and (upper(a.during) > $1 or a.starts_at >= $6 or a.state not in (${literals(upcomingStates)}))
       and (a.assignee_id = any($2) or $3 or (a.starts_at at time zone $5)::date = any($4::date[]))
     order by a.starts_at, a.id`,
    [now, people, days === 'all', days === 'all' ? [] : days, timeZone, toDate(dayOf(toMinutes(now)).start)],
  )
  return rows
}

/** In the order of their starts, so that each local day is worked out once. */
function judge(
  rows: readonly AppointmentSnapshot[],
  before: Staffing,
  after: Staffing,
  now: Date,
): Touched[] {
  let day: LocalDay | undefined
  const free = new Map<string, number>()
  for (const { assigneeId, minutes, startsAt, state } of rows)
    if (!isUpcoming(state))
      free.set(assigneeId, Math.max(free.get(assigneeId) ?? 0, toMinutes(startsAt) + minutes))
  return rows.flatMap((row) => {
    const start = toMinutes(row.startsAt)
    if (!day || start < day.start || start >= day.end) day = dayOf(start)
    const judged = { day, now, free: free.get(row.assigneeId) ?? 0 }
    const known = new Set(against(row, before, judged).map(({ code }) => code))
    const fresh = against(row, after, judged).filter(({ code }) => !known.has(code))
    return fresh.length > 0 ? [{ ...row, against: fresh }] : []
  })
}

type Judged = { day: LocalDay; now: Date; free: number }

function against(row: AppointmentSnapshot, staffing: Staffing, { day, free, now }: Judged): Reason[] {
  const person = staffing.indexOf.get(row.assigneeId)
  // A user who is no longer technician or analyst is not in the roster.
  if (person === undefined) return [{ code: 'wrong_kind' }]
  const placement = placementNow(row, now, free)
  return whyNotAlone(staffing.roster, person, placement.start, askOn(day, staffing, placement, now))
}
