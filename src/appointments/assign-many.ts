import { asc, eq, inArray } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import type { Db } from '../platform/database/client.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { toResult } from '../platform/results.ts'
import { managesSchedule } from '../scheduling/rules/roster.ts'
import { type Failed, type Result, refuse } from '../shared/refusal.ts'
import { assign } from './assign.ts'
import type { ChosenRow } from './rules/chosen-rows-schema.ts'
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

/**
 * Settles one after the other; what fails of one, by our rules, by the database or by a bug, holds none of the others
 * back. Once the database is out of reach the rest is left: each try would wait for it again.
 */
async function settleEach(
  db: Db,
  actor: Actor,
  rows: readonly ChosenRow[],
  settle: (row: ChosenRow) => Promise<AppointmentRow>,
): Promise<Settled> {
  if (!managesSchedule(actor)) refuse('permission-denied')
  // Before the first: a verdict each needs no database any more.
  const facts = await factsOfRows(db, rows)
  const moved: AppointmentRow[] = []
  const why = new Map<string, string>()
  let lost: Failed | null = null
  for (const row of rows) {
    const result: Result<AppointmentRow> = lost
      ? { ok: false, error: lost }
      : await toResult(() => settle(row))
    if (result.ok) moved.push(result.value)
    else {
      why.set(row.appointmentId, result.error.description)
      if (result.error.code === 'unavailable') lost = result.error
    }
  }
  return {
    moved,
    left: facts.filter(({ id }) => why.has(id)).map((row) => ({ ...row, why: why.get(row.id)! })),
  }
}

const factsOfRows = (db: Db, rows: readonly ChosenRow[]) =>
  db
    .select({ id: appointments.id, folio: appointments.folio, customer: users.fullName })
    .from(appointments)
    .innerJoin(users, eq(users.id, appointments.customerId))
    .where(
      inArray(
        appointments.id,
        rows.map(({ appointmentId }) => appointmentId),
      ),
    )
    .orderBy(asc(appointments.startsAt), asc(appointments.id))
