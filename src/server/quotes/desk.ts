import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import type { Tx } from '../platform/database/database.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { tasks } from '../platform/database/schema/office-schema.ts'
import type { QuoteRow } from './changes.ts'

type About = Pick<QuoteRow, 'id' | 'customerId' | 'projectId'>

/** A task of whoever writes quotes. */
export async function askDesk(
  tx: Tx,
  { customerId, id, projectId }: About,
  what: { subject: string; reason: string; urgent?: boolean },
): Promise<void> {
  const [customer] = await tx.select({ phone: users.phone }).from(users).where(eq(users.id, customerId))
  const phone = customer?.phone ?? null
  await tx.insert(tasks).values({ ...what, personId: customerId, projectId, quoteId: id, phone })
}

/** Another version answers what was asked of the ones before. */
export async function closeTasks(
  tx: Tx,
  { id: takenBy }: Actor,
  { projectId, revision }: QuoteRow,
  now: Date,
): Promise<void> {
  const open = and(eq(tasks.projectId, projectId), isNull(tasks.doneAt), sql`${tasks.quoteId} is not null`)
  const result = `Se envió la versión ${revision}.`
  await tx
    .update(tasks)
    .set({ doneAt: now, takenBy, result, version: sql`${tasks.version} + 1` })
    .where(and(open, sql`${tasks.reason} like 'quote\\_%'`))
}
