import { and, eq, inArray, isNull, lte, sql } from 'drizzle-orm'
import { deletionWaitDays } from '../../domain/own-account.ts'
import { forgetCases } from '../cfe/own-data.ts'
import { forgetClient } from '../clients/forget.ts'
import { users } from '../database/account-schema.ts'
import { appointments } from '../database/appointment-schema.ts'
import { type Db, type Tx, transaction } from '../database/database.ts'
import { files } from '../database/sheet-schema.ts'
import { record } from '../events/changes.ts'
import { type Drive, keysOf } from '../files/drive.ts'
import { enqueue } from '../jobs/jobs.ts'
import { announce } from '../live/announcements.ts'
import { log } from '../log.ts'
import { forgetReports } from '../sheets/own.ts'
import { inTheWayOf } from './deletion.ts'
import { endSessions } from './end-sessions.ts'
import { forgetMoney } from './erase-money.ts'
import { forgetAllPasswordTries } from './sign-in-failures.ts'

type User = typeof users.$inferSelect

/** Deletes the accounts whose days of waiting are over, each in a transaction of its own. Run twice at once, each is deleted once. */
export async function eraseDue(db: Db, drive: Drive, now: Date): Promise<void> {
  const due = await db.select({ id: users.id }).from(users).where(isDue(now))
  for (const { id } of due) {
    const erased = await transaction(db, (tx) => settle(tx, id, now))
    if (erased) log.info({ user: id }, 'an account was erased')
    for (const key of erased ?? []) await drive.delete(key)
    announce(db, { people: [id] })
  }
}

const isDue = (now: Date) =>
  and(
    eq(users.role, 'customer'),
    isNull(users.deletedAt),
    lte(users.deletionRequestedAt, new Date(now.getTime() - deletionWaitDays * 24 * 60 * 60 * 1000)),
  )

/** Answers what to delete of the drive. Whoever began an installation while waiting keeps the account, and is told: null. */
async function settle(tx: Tx, id: string, now: Date): Promise<string[] | null> {
  const [user] = await tx
    .select()
    .from(users)
    .where(and(eq(users.id, id), isDue(now)))
    .for('update', { skipLocked: true })
  if (!user) return null
  if (await inTheWayOf(tx, id)) {
    await tx.update(users).set({ deletionRequestedAt: null }).where(eq(users.id, id))
    await record(tx, { entity: 'user', entityId: id, name: 'put_off_deletion' })
    await enqueue(tx, 'account-letter', { letter: 'deletion_put_off', userId: id })
    return null
  }
  // Nothing else will know where to send it.
  await enqueue(tx, 'account-letter', { letter: 'account_deleted', email: user.email })
  await forgetAccess(tx, user)
  await forgetPlaces(tx, id, now)
  await forgetClient(tx, user, now)
  await forgetCalls(tx, id)
  await forgetReports(tx, id)
  await forgetCases(tx, id)
  const photos = await forgetPhotos(tx, id)
  const papers = await forgetMoney(tx, id)
  await forgetPerson(tx, user, now)
  await record(tx, { entity: 'user', entityId: id, name: 'erase' })
  return [...photos, ...papers]
}

async function forgetAccess(tx: Tx, { id, email }: User) {
  await endSessions(tx, id)
  await forgetAllPasswordTries(tx, email)
  await tx.execute(sql`delete from accounts where user_id = ${id}`)
  await tx.execute(sql`delete from two_factors where user_id = ${id}`)
  await tx.execute(sql`delete from used_totp_codes where user_id = ${id}`)
  await tx.execute(sql`delete from letter_codes where user_id = ${id}`)
  await tx.execute(sql`delete from verifications where value = ${id}`)
}

/** Of visits that took place the part of town stays, for the figures of the service, and what the house wrote of its work. */
async function forgetPlaces(tx: Tx, id: string, now: Date) {
  await tx.execute(sql`
    update addresses set colonia = '', street = '', outer_number = '', inner_number = null, between_streets = null,
      "references" = null, receiver_name = null, receiver_phone = null, gate_notes = null, cfe_service_number = null,
      wants_notice_at = null, archived_at = coalesce(archived_at, ${now}), version = version + 1
    where project_id in (select id from projects where customer_id = ${id})`)
  await tx.execute(sql`
    update appointments set notes = null, version = version + 1, address = address || jsonb_build_object('colonia', '',
      'street', '', 'outerNumber', '', 'innerNumber', null, 'betweenStreets', null, 'references', null,
      'receiverName', null, 'receiverPhone', null, 'gateNotes', null, 'cfeServiceNumber', null)
    where customer_id = ${id}`)
  await tx.execute(
    sql`update projects set closed_at = coalesce(closed_at, ${now}), vehicle = null, charger = null where customer_id = ${id}`,
  )
  await tx.execute(sql`
    update tasks set phone = null, done_at = coalesce(done_at, ${now}), result = coalesce(result, 'La cuenta se eliminó.')
    where person_id = ${id} or project_id in (select id from projects where customer_id = ${id})`)
}

/** What was said in calls and written of them goes with the person: unlike the work at a home, it is all about them. */
async function forgetCalls(tx: Tx, id: string) {
  const theirs = sql`appointment_id in (select id from appointments where customer_id = ${id})`
  await tx.execute(sql`delete from call_messages where ${theirs}`)
  await tx.execute(
    sql`update calls set notes = '', summary = null, next_steps = null, version = version + 1 where ${theirs}`,
  )
}

/** Photos of somebody's home, and their signature. */
async function forgetPhotos(tx: Tx, id: string): Promise<string[]> {
  const theirs = tx.select({ id: appointments.id }).from(appointments).where(eq(appointments.customerId, id))
  const gone = await tx.delete(files).where(inArray(files.appointmentId, theirs)).returning()
  return gone.flatMap((file) => Object.values(keysOf(file)))
}

async function forgetPerson(tx: Tx, { id, email, version }: User, now: Date) {
  // A name of its own, which no mail server will ever take (RFC 2606).
  const nobody = `${id}@eliminada.invalid`
  await tx.execute(sql`
    update invitations set email = ${nobody}, withdrawn_at = case when accepted_at is null then coalesce(withdrawn_at, ${now}) end
    where email = ${email}`)
  await tx
    .update(users)
    .set({
      ...{ email: nobody, emailVerified: false, name: null, lastname: null, phone: null, image: null },
      ...{ active: false, twoFactorEnabled: false, whatsappOptInAt: null, newsOptInAt: null },
      ...{ deletedAt: now, version: version + 1 },
    })
    .where(eq(users.id, id))
}
