import { and, eq, inArray, isNull, notInArray } from 'drizzle-orm'
import { deletionWaitDays, nobodysEmail } from '../../domain/accounts/schema.ts'
import { failedStates, upcomingStates } from '../../domain/appointments/appointment.ts'
import { sentPaymentStates } from '../../domain/payments/payment.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { concernedBy, type Held } from '../appointments/appointments-changes.ts'
import { letDisownedGo } from '../appointments/unverified.ts'
import { record } from '../platform/database/changes.ts'
import { type Tx, transaction } from '../platform/database/database.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'
import { payments } from '../platform/database/schema/money-schema.ts'
import { projects } from '../platform/database/schema/project-schema.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import type { Caller, Done } from './caller.ts'
import { endAccess } from './end-access.ts'
import { useCode } from './letter-codes.ts'
import { countTry } from './limits.ts'
import { forgetAllPasswordTries } from './sign-in-failures.ts'

/** Somebody got the letter that proves a mailbox and says that the account is not theirs: it is deleted. */
export async function disown(
  { db, address, now }: Caller,
  { oobCode }: { oobCode: string },
): Promise<Done<null>> {
  await countTry(db, 'codes by address', address, now)
  const { userId, gone } = await transaction(db, async (tx) => {
    const { userId } = await useCode(tx, 'verify_email', oobCode, now)
    return { userId, gone: await disownWithin(tx, userId, now) }
  })
  announce(db, { people: [userId, ...gone.flatMap(concernedBy)] })
  return { value: null }
}

/**
 * Deletes an account whose mailbox nobody proved: nobody comes in any more, its mailbox is free at once, what it booked is
 * let go, and a job erases the rest without the days of waiting. Where work was done or paid for, people have to settle it.
 */
export async function disownWithin(tx: Tx, userId: string, now: Date): Promise<Held[]> {
  if (await hasHistory(tx, userId))
    refuse(
      'failed-precondition',
      'Con este correo ya hay una instalación en curso. Pide ayuda y lo resolvemos contigo.',
    )
  // Before the person, as the job that lets appointments go: both wait for each other in the same order.
  const gone = await letDisownedGo(tx, userId, now)
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  if (!user || user.emailVerified || user.role !== 'customer') refuse('not-found')
  await endAccess(tx, userId, now)
  await forgetAllPasswordTries(tx, user.email)
  const open = and(eq(projects.customerId, userId), isNull(projects.closedAt))
  await tx.update(projects).set({ closedAt: now }).where(open)
  await tx
    .update(users)
    .set({
      ...{ email: nobodysEmail(userId), active: false, version: user.version + 1 },
      deletionRequestedAt: new Date(now.getTime() - deletionWaitDays * 24 * 60 * 60 * 1000),
    })
    .where(eq(users.id, userId))
  await record(tx, { entity: 'user', entityId: userId, name: 'disown' })
  await enqueue(tx, 'erase-accounts', {})
  return gone
}

/** Whether anybody came to their home, spoke with them by video, or took money. */
async function hasHistory(tx: Tx, customerId: string): Promise<boolean> {
  const visited = and(
    eq(appointments.customerId, customerId),
    notInArray(appointments.state, [...upcomingStates, ...failedStates]),
  )
  const paid = and(eq(payments.customerId, customerId), inArray(payments.state, sentPaymentStates))
  const found = [
    ...(await tx.select({ id: appointments.id }).from(appointments).where(visited).limit(1)),
    ...(await tx.select({ id: payments.id }).from(payments).where(paid).limit(1)),
  ]
  return found.length > 0
}
