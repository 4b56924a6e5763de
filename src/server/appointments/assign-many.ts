import { asc, eq, inArray } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import type { ChosenRow } from '../../domain/appointments/chosen-rows-schema.ts'
import { managesSchedule } from '../../domain/scheduling/roster.ts'
import { Refusal, refuse } from '../../domain/shared/refusal.ts'
import { type Db, databaseRefusal } from '../platform/database/client.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { assign } from './assign.ts'
import type { AppointmentRow } from './transition.ts'

/** Those of several appointments that were settled, and for each of the others why it stays as it is, soonest first. */
export type Settled = {
  moved: AppointmentRow[]
  left: { id: string; folio: string; customer: string; why: string }[]
}

/** Confirms assignments as they were proposed to the manager, each as `assign` does and in its own transaction. */
export const confirmChosen = (db: Db, actor: Actor, rows: readonly ChosenRow[], now: Date) =>
  settleEach(db, actor, rows, ({ appointmentId, assigneeId, version }) => {
    if (version === null) return refuse('failed-precondition', 'Su persona ya está confirmada.')
    if (assigneeId === null) return refuse('failed-precondition', 'No tiene persona: asígnale una.')
    return assign(db, actor, appointmentId, { assigneeId, version, overrideReason: null }, now)
  })

/** Assigns appointments that wait for it to one person, each as `assign` does and in its own transaction. */
export const assignChosen = (
  db: Db,
  actor: Actor,
  { rows, to }: { rows: readonly ChosenRow[]; to: string },
  now: Date,
) =>
  settleEach(db, actor, rows, ({ appointmentId, version }) => {
    if (version === null) return refuse('failed-precondition', 'Su persona ya está confirmada.')
    return assign(db, actor, appointmentId, { assigneeId: to, version, overrideReason: null }, now)
  })

/** Settles one after the other; what is refused of one, by our rules or by the database, is no matter of the others. */
async function settleEach(
  db: Db,
  actor: Actor,
  rows: readonly ChosenRow[],
  settle: (row: ChosenRow) => Promise<AppointmentRow>,
): Promise<Settled> {
  if (!managesSchedule(actor)) refuse('permission-denied')
  const moved: AppointmentRow[] = []
  const why = new Map<string, string>()
  for (const row of rows)
    try {
      moved.push(await settle(row))
    } catch (error) {
      const refusal = error instanceof Refusal ? error : databaseRefusal(error)
      if (!refusal) throw error
      why.set(row.appointmentId, refusal.description)
    }
  return { moved, left: await leftOf(db, why) }
}

async function leftOf(db: Db, why: ReadonlyMap<string, string>): Promise<Settled['left']> {
  if (why.size === 0) return []
  const rows = await db
    .select({ id: appointments.id, folio: appointments.folio, customer: users.fullName })
    .from(appointments)
    .innerJoin(users, eq(users.id, appointments.customerId))
    .where(inArray(appointments.id, [...why.keys()]))
    .orderBy(asc(appointments.startsAt), asc(appointments.id))
  return rows.map((row) => ({ ...row, why: why.get(row.id) ?? '' }))
}
