import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { assignee, customer } from '../appointments/people.ts'
import { visibleTo } from '../appointments/visible.ts'
import type { Db } from '../platform/database/database.ts'
import { isId } from '../platform/database/ids.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'
import { files, sheetAnswers, sheets } from '../platform/database/schema/sheet-schema.ts'

/** Everything a hand-over document is made of, once the record was approved; null when it does not exist for them. An ally or a gester has none. */
export async function handedOver(db: Db, actor: Actor, id: string) {
  if (!isId(id) || actor.kind === 'alliate' || actor.kind === 'gester') return null
  const [row] = await db
    .select({
      folio: appointments.folio,
      address: appointments.address,
      startedAt: appointments.startedAt,
      finishedAt: appointments.finishedAt,
      warrantyUntil: sheets.warrantyUntil,
      customer: customer.fullName,
      technician: sql<string>`coalesce(${assignee.fullName}, '')`,
    })
    .from(sheets)
    .innerJoin(appointments, eq(appointments.id, sheets.appointmentId))
    .innerJoin(customer, eq(customer.id, appointments.customerId))
    .leftJoin(assignee, eq(assignee.id, appointments.assigneeId))
    .where(
      and(
        eq(appointments.id, id),
        eq(sheets.kind, 'installation'),
        eq(sheets.state, 'approved'),
        visibleTo(actor),
      ),
    )
  if (!row) return null
  const [answers, pictures] = await Promise.all([
    db
      .select({ name: sheetAnswers.name, value: sheetAnswers.value })
      .from(sheetAnswers)
      .where(eq(sheetAnswers.appointmentId, id)),
    db
      .select()
      .from(files)
      .where(and(eq(files.appointmentId, id), isNull(files.replacedAt), isNull(files.faultId))),
  ])
  return { ...row, answers: Object.fromEntries(answers.map(({ name, value }) => [name, value])), pictures }
}

export type HandedOver = NonNullable<Awaited<ReturnType<typeof handedOver>>>
