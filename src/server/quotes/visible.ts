import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { Actor, StaffKind } from '../../domain/access/actor.ts'
import { failedStates } from '../../domain/appointments/appointment.ts'
import { isNotDeleted } from '../accounts/blocked.ts'
import { hasCase } from '../cfe/paperwork.ts'
import { listed } from '../platform/database/literals.ts'
import { quotes } from '../platform/database/schema/money-schema.ts'

const none = sql`false`
/** What was never sent is nobody's but theirs who write quotes. */
const wasSent = isNotNull(quotes.sentAt)

/** Of projects whose visit or installation is theirs, as long as they see that: 30 days back, 60 ahead. */
const ofOwnWork = (actor: Actor) => sql`exists (
  select 1 from appointments own where own.project_id = ${quotes.projectId}
    and own.service in ('technical_visit', 'installation') and own.state not in (${listed(failedStates)})
    and own.assignee_id = ${actor.id} and own.confirmed_at is not null
    and own.starts_at between now() - interval '30 days' and now() + interval '60 days')`

const seenByStaff: Record<StaffKind, (actor: Actor) => SQL | undefined> = {
  manager: () => undefined,
  analyst: () => isNotDeleted(quotes.customerId),
  tecnician: (actor) => and(wasSent, ofOwnWork(actor)),
  alliate: (actor) => (actor.agencyId ? and(wasSent, eq(quotes.agencyId, actor.agencyId)) : none),
  gester: () => and(wasSent, hasCase(quotes.projectId), isNotDeleted(quotes.customerId)),
}

/** The quotes an actor may see. For everyone else they do not exist; what they see of them is asked of `seesAmounts`. */
export const quotesVisibleTo = (actor: Actor): SQL | undefined =>
  actor.role === 'customer' ? and(eq(quotes.customerId, actor.id), wasSent) : seenByStaff[actor.kind](actor)

/** What each kind of staff reads of a quote: everything, what is to be done without any amount, or only how it stands. */
export const readsOfQuotes: Record<StaffKind, 'all' | 'scope' | 'state'> = {
  ...{ manager: 'all', analyst: 'all' },
  ...{ tecnician: 'scope', gester: 'scope', alliate: 'state' },
}
