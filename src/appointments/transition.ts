import { createHash } from 'node:crypto'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Actor, Mover } from '../access/rules/actor.ts'
import { endFee } from '../payments/charges.ts'
import { type Db, isId, prepared, type Tx } from '../platform/database/client.ts'
import { literals, record } from '../platform/database/lists.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { nearestSlots } from '../scheduling/choose.ts'
import { zoneOf } from '../scheduling/roster.ts'
import type { Settings } from '../settings/rules/settings-schema.ts'
import { toDate, toMinutes } from '../shared/calendar.ts'
import { refuse } from '../shared/refusal.ts'
import { type AppointmentState, activeStates, type Facts } from './rules/appointment.ts'
import {
  appointmentMachine,
  asides,
  changeRights,
  type LastChange,
  type MoveName,
} from './rules/transitions.ts'
import { stateIn, visibleTo } from './visibility.ts'

const lockQuery = (seen: SQL | undefined, name: string) =>
  prepared((tx) =>
    tx
      .select({ appointment: appointments })
      .from(appointments)
      .innerJoin(projects, eq(projects.id, appointments.projectId))
      .where(and(eq(appointments.id, sql.placeholder('id')), seen))
      .for('update', { of: appointments })
      .prepare(name),
  )

const lockQueries = new Map<string, ReturnType<typeof lockQuery>>()

/** The row, held, as far as an actor may see it: one form of the question for each kind of actor, planned once. */
export function lockVisibleRow(tx: Tx, actor: Actor | 'system', id: string) {
  if (actor === 'system')
    return formOf(lockQueries, 'held_system', (name) => lockQuery(undefined, name))(tx).execute({ id })
  const { agencyId, kind, role } = actor
  const form = formOf(lockQueries, `held_${kind ?? role}${agencyId ? '_of_agency' : ''}`, (name) =>
    lockQuery(visibleTo(withPlaceholders(actor)), name),
  )
  return form(tx).execute({ id, actorId: actor.id, agencyId })
}

/** That person comes with each question. */
const withPlaceholders = (actor: Actor) =>
  ({
    ...actor,
    id: sql.placeholder('actorId') as unknown,
    agencyId: actor.agencyId && (sql.placeholder('agencyId') as unknown),
  }) as Actor

type Values = readonly (readonly [column: string, value: unknown])[]

const updated = (values: Values, name: string) =>
  prepared((tx) =>
    tx
      .update(appointments)
      .set({
        // Nothing to fill in where there is nothing: a column's own encoding does not know it.
        ...Object.fromEntries(
          values.map(([column, value]) => [column, value === null ? null : sql.placeholder(column)]),
        ),
        version: sql`${appointments.version} + 1`,
      })
      .where(eq(appointments.id, sql.placeholder('rowId')))
      .returning()
      .prepare(name),
  )

const updating = new Map<string, ReturnType<typeof updated>>()

/** Writes a row's next version: one form for each set of columns, planned once. */
function updatedRow(tx: Tx, id: string, set: Partial<typeof appointments.$inferInsert>) {
  const values = Object.entries({ ...set, updatedAt: new Date() }).filter(([, value]) => value !== undefined)
  const form = values.map(([column, value]) => (value === null ? `${column} null` : column)).join()
  return formOf(updating, form, () => updated(values, `written_${digestOf(form)}`))(tx).execute({
    ...Object.fromEntries(values),
    rowId: id,
  })
}

// A name may hold 63 characters.
const digestOf = (form: string) => createHash('sha256').update(form).digest('base64url')

function formOf<Form>(known: Map<string, Form>, key: string, make: (key: string) => Form): Form {
  const form = known.get(key) ?? make(key)
  known.set(key, form)
  return form
}

export type AppointmentRow = typeof appointments.$inferSelect
export type AppointmentChange = Partial<typeof appointments.$inferInsert>

/**
 * Why, what else the history keeps, and by what a move of its customer's is judged: the settings, or `free` where we
 * caused it. `feeLater`: a job of the caller's decides about the fee of a visit. `isMailed`: the caller's e-mail says what
 * becomes of it.
 */
export type TransitionTrace = {
  reason?: string
  data?: object
  settings?: Settings
  free?: boolean
  feeLater?: boolean
  isMailed?: boolean
}

/** The row of an appointment, held until the transaction ends. For actors who may not see it, it does not exist. */
export async function lockAppointment(tx: Tx, actor: Mover, id: string): Promise<AppointmentRow> {
  if (!isId(id)) refuse('not-found')
  const [row] = await lockVisibleRow(tx, actor, id)
  return row?.appointment ?? refuse('not-found')
}

/** Makes a move on a held row, or refuses it; one event each. */
export async function transition(
  tx: Tx,
  mover: Mover,
  held: AppointmentRow,
  name: MoveName,
  now: Date,
  set: AppointmentChange,
  trace: TransitionTrace = {},
): Promise<AppointmentRow> {
  const facts = judgedBy(trace, factsOf(held, trace.settings), now)
  const state = appointmentMachine.next(name, mover, facts, now)
  const [moved] = await updatedRow(tx, held.id, { ...set, ...sequenceAfter(name, held), state })
  if (!moved) refuse('not-found')
  await trail(tx, mover, held.state, moved, name, trace)
  if (held.service === 'technical_visit' && !trace.feeLater) await endFee(tx, moved, name, now, trace)
  return moved
}

/** What we caused or offered has no cut-off, and is none of the few moves a customer has. */
const judgedBy = ({ free }: TransitionTrace, facts: Facts, now: Date): Facts =>
  free ? { ...facts, rights: { until: now, left: 1 } } : facts

/** The moves that calendars show although nothing of the time changes. A change of the time brings its own number. */
const shownByCalendars: readonly MoveName[] = [
  ...(['assign', 'autoConfirm', 'reassign', 'release', 'takeOver'] as const),
  ...(['cancel', 'cancelLate', 'undoCancel', 'letGo', 'callOff', 'missCall', 'reopen'] as const),
]

/** Calendar programs take a later file only with a higher number. */
const sequenceAfter = (name: MoveName, { sequence }: AppointmentRow) =>
  shownByCalendars.includes(name) ? { sequence: sequence + 1 } : {}

const trail = (
  tx: Tx,
  mover: Mover,
  from: AppointmentState,
  { id, state }: AppointmentRow,
  name: string,
  { reason, data }: TransitionTrace,
) =>
  record(tx, {
    entity: 'appointment',
    entityId: id,
    actorId: mover === 'system' ? null : mover.id,
    name,
    fromState: from,
    toState: state,
    ...(reason && { reason }),
    ...(data && { data }),
  })

/** What the rules ask about a stored appointment. */
export const factsOf = (
  row: Pick<
    AppointmentRow,
    | 'service'
    | 'state'
    | 'assigneeId'
    | 'confirmedAt'
    | 'customerId'
    | 'createdAt'
    | 'startsAt'
    | 'movedByCustomer'
    | 'setOutAt'
    | 'startedAt'
    | 'customerWaitingSince'
    | 'customerCameAt'
    | 'callBackAskedAt'
    | 'takenOverAt'
  >,
  settings?: Settings,
): Facts => ({
  service: row.service,
  state: row.state,
  assigneeId: row.assigneeId,
  provisional: row.confirmedAt === null,
  customerId: row.customerId,
  startsAt: row.startsAt,
  setOutAt: row.setOutAt,
  startedAt: row.startedAt,
  customerWaitingSince: row.customerWaitingSince,
  customerCameAt: row.customerCameAt,
  callBackAskedAt: row.callBackAskedAt,
  takenOverAt: row.takenOverAt,
  ...(settings && { rights: changeRights(row, settings) }),
})

type Placed = Pick<AppointmentRow, 'service' | 'municipality' | 'startsAt'>

/** The free slots nearest to an appointment's own time or to now, to be proposed to its customer. */
export async function nearestFreeSlots(db: Db, row: Placed, now: Date): Promise<Date[]> {
  const start = Math.max(toMinutes(row.startsAt), toMinutes(now))
  const nearest = await nearestSlots(db, { service: row.service, zone: zoneOf(row.municipality), start }, now)
  return nearest.map(toDate)
}

const recent = 3 * 24 * 3_600_000

/** The same once it ended otherwise than it should, for actors who may call one off and while its customer has no other. */
export async function nearestFreeSlotsAfter(db: Db, actor: Actor, id: string, now: Date): Promise<Date[]> {
  const [row] = await db.select().from(appointments).where(eq(appointments.id, id))
  if (!row || row.outcome === 'completed' || row.startsAt.getTime() < now.getTime() - recent) return []
  if (!appointmentMachine.transitions.callOff.by(actor, factsOf(row))) return []
  const [another] = await db
    .select({ id: appointments.id })
    .from(appointments)
    .where(
      and(
        eq(appointments.projectId, row.projectId),
        eq(appointments.service, row.service),
        stateIn(activeStates),
      ),
    )
    .limit(1)
  return another ? [] : nearestFreeSlots(db, row, now)
}

/** The events of the appointment `$1` that change its state, person or time. */
export const ofChanges = `entity = 'appointment' and entity_id = $1 and to_state is not null and name not in (${literals(asides)})`

/** When an event was made: on a phone maybe long before it arrived. */
export const madeAt = `coalesce((data ->> 'judgedAt')::timestamptz, (data ->> 'pressedAt')::timestamptz, at)`

/** The last change that arrived of an appointment. */
export async function lastChangeOf(tx: Tx, id: string): Promise<LastChange | null> {
  const { rows } = await tx.$client.query<LastChange>(
    `select name, actor_id as by, ${madeAt} as at from events where ${ofChanges} order by id desc limit 1`,
    [id],
  )
  return rows[0] ?? null
}
