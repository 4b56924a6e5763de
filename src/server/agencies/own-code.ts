import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Redeemed } from '../../domain/agencies/clients.ts'
import { benefitFrom } from '../../domain/agencies/codes.ts'
import type { Queryable } from '../platform/database/database.ts'
import { clients, codes } from '../platform/database/schema/agencies.ts'
import { quotes } from '../platform/database/schema/money-schema.ts'
import { projects } from '../platform/database/schema/project-schema.ts'

/** The code that a customer uses, with what it gives; null without one. */
export async function ownCode(db: Queryable, customerId: string): Promise<Redeemed | null> {
  const [row] = await db
    .select({ code: codes.code, kind: codes.benefitKind, value: codes.benefitValue })
    .from(clients)
    .innerJoin(codes, eq(codes.id, clients.codeId))
    .where(and(eq(clients.customerId, customerId), isNull(clients.endedAt)))
  return row ? { code: row.code, benefit: benefitFrom(row) } : null
}

/** Whether a customer has accepted the quote of an installation that is not over: a code comes too late. */
export async function hasAccepted(db: Queryable, customerId: string): Promise<boolean> {
  const open = db
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.customerId, customerId), isNull(projects.closedAt)))
  const accepted = and(
    inArray(quotes.projectId, open),
    eq(quotes.kind, 'installation'),
    eq(quotes.state, 'accepted'),
  )
  const [found] = await db.select({ one: sql`1` }).from(quotes).where(accepted).limit(1)
  return found !== undefined
}
