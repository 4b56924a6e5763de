import type { Mover } from '../../domain/access/actor.ts'
import type { AppointmentState, Facts } from '../../domain/appointments/appointment.ts'
import { appointmentMachine, changeRights, type MoveName } from '../../domain/appointments/transitions.ts'
import type { Settings } from '../../domain/settings/settings-schema.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { endFee } from '../payments/fee.ts'
import { record } from '../platform/database/changes.ts'
import type { Tx } from '../platform/database/database.ts'
import { isId } from '../platform/database/ids.ts'
import type { appointments } from '../platform/database/schema/appointment-schema.ts'
import { heldRow, updatedRow } from './rows.ts'

export type Held = typeof appointments.$inferSelect
export type Written = Partial<typeof appointments.$inferInsert>

/** Why, what else the history keeps, and by what a move of its customer's is judged: the settings, or `free` where we caused it. */
export type Trace = { reason?: string; data?: object; settings?: Settings; free?: boolean }

/** The row of an appointment, held until the transaction ends. For whoever may not see it, it does not exist. */
export async function hold(tx: Tx, actor: Mover, id: string): Promise<Held> {
  if (!isId(id)) refuse('not-found')
  const [row] = await heldRow(tx, actor, id)
  return row?.appointment ?? refuse('not-found')
}

/** Makes a move on a held row, or refuses it; one event each. */
export async function write(
  tx: Tx,
  mover: Mover,
  held: Held,
  name: MoveName,
  now: Date,
  set: Written,
  trace: Trace = {},
): Promise<Held> {
  const facts = judgedBy(trace, factsOf(held, trace.settings), now)
  const state = appointmentMachine.next(name, mover, facts, now)
  const [moved] = await updatedRow(tx, held.id, { ...set, ...sequenceAfter(name, held), state })
  if (!moved) refuse('not-found')
  await trail(tx, mover, held.state, moved, name, trace)
  if (held.service === 'technical_visit') await endFee(tx, moved, name, now)
  return moved
}

/** What we caused or offered has no cut-off, and is none of the few moves a customer has. */
const judgedBy = ({ free }: Trace, facts: Facts, now: Date): Facts =>
  free ? { ...facts, rights: { until: now, left: 1 } } : facts

/** The moves that calendars show although nothing of the time changes. A change of the time brings its own number. */
const shownByCalendars: readonly MoveName[] = [
  ...(['assign', 'autoConfirm', 'reassign', 'release', 'takeOver'] as const),
  ...(['cancel', 'cancelLate', 'letGo', 'callOff', 'missCall', 'reopen'] as const),
]

/** Calendar programs take a later file only with a higher number. */
const sequenceAfter = (name: MoveName, { sequence }: Held) =>
  shownByCalendars.includes(name) ? { sequence: sequence + 1 } : {}

const trail = (
  tx: Tx,
  mover: Mover,
  from: AppointmentState,
  { id, state }: Held,
  name: string,
  { reason, data }: Trace,
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
    Held,
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

/** Whose screens show a change: the customer's, those of the agency that sent them, and the person's once that person knows. */
export const concernedBy = ({ customerId, projectId, assigneeId, confirmedAt }: Held): string[] =>
  assigneeId && confirmedAt ? [customerId, projectId, assigneeId] : [customerId, projectId]
