import { and, asc, eq, gt } from 'drizzle-orm'
import { codeStateBy } from '../../../domain/agencies/codes.ts'
import type { Db } from '../../platform/database/database.ts'
import { cutPage } from '../../platform/database/lists.ts'
import { codes } from '../../platform/database/schema/agencies.ts'

/** A page of an agency's codes, in the order in which they were made. */
export async function codeRows(
  db: Db,
  agencyId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  now: Date,
) {
  const beyond = cursor ? gt(codes.id, cursor) : undefined
  const found = await db
    .select()
    .from(codes)
    .where(and(eq(codes.agencyId, agencyId), beyond))
    .orderBy(asc(codes.id))
    .limit(limit + 1)
  const { rows, next } = cutPage(found, limit)
  return {
    data: rows.map(({ code, label, benefitKind, benefitValue, startsOn, endsOn, maxUses, uses, ...row }) => ({
      ...{ code, label, startsOn, endsOn, maxUses, uses, state: codeStateBy({ ...row, endsOn }, now) },
      benefit: { kind: benefitKind, value: benefitValue },
    })),
    next,
  }
}
