import { eq, type SQL, sql } from 'drizzle-orm'
import type { Actor, StaffKind } from '../../domain/access/actor.ts'
import { isNotDeleted } from '../accounts/blocked.ts'
import { payments, refunds } from '../platform/database/schema/money-schema.ts'

const seenByStaff: Record<StaffKind, boolean> = {
  manager: true,
  analyst: true,
  tecnician: false,
  gester: false,
  alliate: false,
}

/** Whether somebody of the staff sees what customers paid and owe. */
export const seesPayments = ({ kind }: Pick<Actor, 'kind'>) => kind !== null && seenByStaff[kind]

const seen = (actor: Actor, customerId: typeof payments.customerId | typeof refunds.customerId) =>
  actor.role === 'customer'
    ? eq(customerId, actor.id)
    : seesPayments(actor)
      ? ofStaff(actor, customerId)
      : sql`false`

const ofStaff = (actor: Actor, customerId: Parameters<typeof isNotDeleted>[0]) =>
  actor.kind === 'manager' ? undefined : isNotDeleted(customerId)

/** The payments an actor may see. For everyone else they do not exist. */
export const visiblePayments = (actor: Actor): SQL | undefined => seen(actor, payments.customerId)

/** The refunds an actor may see. */
export const visibleRefunds = (actor: Actor): SQL | undefined => seen(actor, refunds.customerId)
