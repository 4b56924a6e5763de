import { and, eq, inArray, isNull, lte, notInArray, sql } from 'drizzle-orm'
import { type Actor, assertCustomer } from '../access/rules/actor.ts'
import { assertPassword, forgetAllPasswordTries } from '../accounts/password.ts'
import { forgetWords, noteConsent } from '../accounts/privacy.ts'
import { endSessions } from '../accounts/providers.ts'
import { deletionDue, deletionWaitDays, nobodysEmail } from '../accounts/rules/schema.ts'
import { forgetClient } from '../agencies/attributions.ts'
import { failedStates } from '../appointments/rules/appointment.ts'
import { forgetCases } from '../cfe/rows.ts'
import { sentPaymentStates } from '../payments/rules/payment.ts'
import { type Db, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { listed, record } from '../platform/database/lists.ts'
import { type BlockedFile, users } from '../platform/database/schema/accounts.ts'
import { appointments, files } from '../platform/database/schema/appointments.ts'
import { documents } from '../platform/database/schema/payments.ts'
import { addresses, projects } from '../platform/database/schema/projects.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { keysOf, paperKey } from '../platform/storage/drive.ts'
import { log } from '../platform/telemetry/log.ts'
import { forgetReports } from '../reports/queries.ts'
import { refuse } from '../shared/refusal.ts'
import { putAside } from './blocked-accounts.ts'
import { ownData } from './own-data.ts'

type User = typeof users.$inferSelect

/**
 * Deletes the accounts whose waiting days are over, each in its own transaction: the data are sealed and blocked, and
 * erased everywhere else. Run twice at once, each account is deleted once.
 */
export async function blockDue(db: Db, secret: string, now: Date): Promise<void> {
  const due = await db.select({ id: users.id }).from(users).where(isDue(now))
  for (const { id } of due) {
    // Read before the row is locked, by other connections; what changes in that moment is erased with the rest.
    const held = await heldOf(db, id)
    const blocked = held && (await transaction(db, (tx) => settle(tx, id, held, secret, now)))
    if (blocked) log.info({ user: id }, 'account deleted, data blocked')
    announce(db, { people: [id] })
  }
}

/** All data about a user, as they could read them themselves. */
async function heldOf(db: Db, id: string) {
  const [user] = await db.select().from(users).where(eq(users.id, id))
  if (!user) return null
  const { email, emailVerified, lastname, name } = user
  const actor: Actor = {
    id,
    email,
    emailVerified,
    name,
    lastname,
    twoFactor: false,
    role: 'customer',
    kind: null,
    agencyId: null,
  }
  const data = await ownData(db, actor, '')
  return Object.fromEntries(data.map(({ heading, holdings }) => [heading, holdings]))
}

const isDue = (now: Date) =>
  and(
    eq(users.role, 'customer'),
    isNull(users.deletedAt),
    lte(users.deletionRequestedAt, new Date(now.getTime() - deletionWaitDays * 24 * 60 * 60 * 1000)),
  )

/** Whether it was deleted. A user who began an installation while waiting keeps the account, and is notified. */
async function settle(tx: Tx, id: string, held: unknown, secret: string, now: Date): Promise<boolean> {
  const [user] = await tx
    .select()
    .from(users)
    .where(and(eq(users.id, id), isDue(now)))
    .for('update', { skipLocked: true })
  if (!user) return false
  if (await inTheWayOf(tx, id)) {
    await tx.update(users).set({ deletionRequestedAt: null }).where(eq(users.id, id))
    await record(tx, { entity: 'user', entityId: id, name: 'put_off_deletion' })
    await enqueue(tx, 'account-letter', { letter: 'deletion_put_off', userId: id })
    return false
  }
  // No row will know the e-mail later. An account whose mailbox is another user's (`disown`) has none.
  if (user.email !== nobodysEmail(id))
    await enqueue(tx, 'account-letter', { letter: 'account_deleted', email: user.email })
  await putAside(tx, id, { held, files: await ownFiles(tx, id) }, secret, now)
  await forgetAccess(tx, user)
  await forgetPlaces(tx, id, now)
  await forgetClient(tx, user, now)
  await forgetCalls(tx, id)
  await forgetReports(tx, id)
  await forgetCases(tx, id, now)
  await forgetPhotos(tx, id)
  await forgetMoney(tx, id)
  await forgetWords(tx, id)
  await forgetPerson(tx, user, now)
  await forgetMerged(tx, id, now)
  return true
}

/** The accounts that were merged into this one, and what the merges remember of names and phones. */
async function forgetMerged(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.execute(sql`update customer_merges set profile = '{}' where ${id} in (kept_id, ended_id)`)
  const merged = await tx
    .select()
    .from(users)
    .where(eq(users.mergedIntoId, id))
    .orderBy(users.id)
    .for('update')
  for (const user of merged) {
    await forgetAccess(tx, user)
    await forgetClient(tx, user, now)
    await forgetMoney(tx, user.id)
    await forgetWords(tx, user.id)
    await forgetPerson(tx, user, now)
  }
}

async function forgetAccess(tx: Tx, { id, email }: User) {
  await endSessions(tx, id)
  await forgetAllPasswordTries(tx, email)
  await tx.execute(sql`delete from accounts where user_id = ${id}`)
  await tx.execute(sql`delete from two_factors where user_id = ${id}`)
  await tx.execute(sql`delete from used_totp_codes where user_id = ${id}`)
  await tx.execute(sql`delete from passkeys where user_id = ${id}`)
  await tx.execute(sql`delete from letter_codes where user_id = ${id}`)
  await tx.execute(sql`delete from email_changes where user_id = ${id}`)
  await tx.execute(sql`delete from saved_views where owner_id = ${id}`)
}

/** Of visits that took place the municipality stays, for the service's figures, and the staff's record of the work. */
async function forgetPlaces(tx: Tx, id: string, now: Date) {
  await tx.execute(sql`
    update addresses set colonia = '', street = '', outer_number = '', inner_number = null, between_streets = null,
      "references" = null, receiver_name = null, receiver_phone = null, gate_notes = null, cfe_service_number = null,
      latitude = null, longitude = null,
      wants_notice_at = null, archived_at = coalesce(archived_at, ${now}), version = version + 1
    where project_id in (select id from projects where customer_id = ${id})`)
  await tx.execute(sql`
    update appointments set notes = null, version = version + 1, address = address || jsonb_build_object('colonia', '',
      'street', '', 'outerNumber', '', 'innerNumber', null, 'betweenStreets', null, 'references', null,
      'receiverName', null, 'receiverPhone', null, 'gateNotes', null, 'cfeServiceNumber', null)
    where customer_id = ${id}`)
  await tx.execute(
    sql`update projects set closed_at = coalesce(closed_at, ${now}), vehicle = null, charger = null, lost_note = null, permit_returned = null
      where customer_id = ${id}`,
  )
  await tx.execute(sql`
    update tasks set phone = null, done_at = coalesce(done_at, ${now}), subject = regexp_replace(subject, ': «.*$', ''),
      result = case when done_at is null then 'La cuenta se eliminó.' else '–' end
    where person_id = ${id} or project_id in (select id from projects where customer_id = ${id})`)
}

/** The chats and notes of calls are erased with the person: unlike the work at a home, they are all about them. */
async function forgetCalls(tx: Tx, id: string) {
  const theirs = sql`appointment_id in (select id from appointments where customer_id = ${id})`
  await tx.execute(sql`delete from call_messages where ${theirs}`)
  await tx.execute(
    sql`update calls set notes = '', summary = null, next_steps = null, version = version + 1 where ${theirs}`,
  )
}

/**
 * Photos of a user's home, and their signature. The bytes of blocked data stay on the drive; the sweep removes the
 * others.
 */
async function forgetPhotos(tx: Tx, id: string): Promise<void> {
  const theirs = tx.select({ id: appointments.id }).from(appointments).where(eq(appointments.customerId, id))
  await tx.delete(files).where(inArray(files.appointmentId, theirs))
}

async function forgetPerson(tx: Tx, { id, email, termsVersion, version, whatsappOptInAt }: User, now: Date) {
  if (whatsappOptInAt)
    await noteConsent(tx, {
      userId: id,
      kind: 'whatsapp',
      given: false,
      version: termsVersion ?? '–',
      source: 'deletion',
    })
  const nobody = nobodysEmail(id)
  await tx.execute(sql`
    update invitations set email = ${nobody}, withdrawn_at = case when accepted_at is null then coalesce(withdrawn_at, ${now}) end
    where email = ${email}`)
  await tx
    .update(users)
    .set({
      email: nobody,
      emailVerified: false,
      name: null,
      lastname: null,
      phone: null,
      image: null,
      active: false,
      twoFactorEnabled: false,
      whatsappOptInAt: null,
      newsOptInAt: null,
      deletedAt: now,
      version: version + 1,
    })
    .where(eq(users.id, id))
}

/**
 * Of a user's money, what the law wants kept stays (Código Fiscal de la Federación, article 30: five years): accepted quotes
 * with whom they were made for, payments and refunds that were made with their proofs, invoices with what they were made
 * of. All other identifying data are erased.
 */
async function forgetMoney(tx: Tx, id: string): Promise<void> {
  await tx.execute(sql`
    update quotes set accepted_ip = null, reason = null, version = version + 1,
      addressee = case when accepted_at is not null then addressee end,
      address = case when accepted_at is not null then address end
    where customer_id = ${id}`)
  await tx.execute(
    sql`delete from quote_approvals where quote_id in (select id from quotes where customer_id = ${id})`,
  )
  await tx.execute(sql`
    update tasks set subject = regexp_replace(subject, ': «.*$', '')
    where quote_id in (select id from quotes where customer_id = ${id})`)
  await tx.execute(sql`
    update payments set note = null, bank = null, tracking_key = null, proof_id = null, version = version + 1
    where customer_id = ${id} and state not in (${listed(sentPaymentStates)})`)
  await tx.execute(
    sql`update payments set rejected_keys = '{}' where customer_id = ${id} and rejected_keys <> '{}'`,
  )
  await tx.execute(sql`
    update refunds set reason = '–', version = version + 1,
      clabe = case when state = 'refused' then null else clabe end,
      beneficiary = case when state = 'refused' then null else beneficiary end
    where customer_id = ${id}`)
  await tx.execute(sql`
    delete from fiscal_data where customer_id = ${id}
      and not exists (select from invoices where invoices.customer_id = ${id})`)
  await forgetPapers(tx, id)
}

/** Papers that no kept record is based on. */
async function forgetPapers(tx: Tx, id: string): Promise<void> {
  await tx.execute(sql`
    delete from documents where customer_id = ${id}
      and not exists (select from payments where payments.proof_id = documents.id)
      and not exists (select from refunds where refunds.proof_id = documents.id)
      and not exists (select from invoices where documents.id in (invoices.xml_id, invoices.pdf_id))
      and not exists (select from fiscal_data where fiscal_data.constancia_id = documents.id)`)
}

const endings: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'application/pdf': 'pdf',
  'application/xml': 'xml',
}

/** The current pictures of a user's home and their papers: each with its drive key, and a file name. */
export async function ownFiles(db: Queryable, customerId: string): Promise<BlockedFile[]> {
  const pictures = await db
    .select({ file: files, folio: appointments.folio })
    .from(files)
    .innerJoin(appointments, eq(appointments.id, files.appointmentId))
    .where(and(eq(appointments.customerId, customerId), isNull(files.replacedAt)))
    .orderBy(files.capturedAt, files.id)
  const papers = await db
    .select()
    .from(documents)
    .where(and(eq(documents.customerId, customerId), isNull(documents.replacedAt)))
    .orderBy(documents.createdAt, documents.id)
  return [
    ...pictures.map(({ file, folio }, n) => ({
      key: keysOf(file).full,
      name: `fotos/${folio}-${file.slot}-${n + 1}.${endings[file.type]}`,
      type: file.type,
    })),
    ...papers.map(({ id, purpose, type }, n) => ({
      key: paperKey({ id }),
      name: `documentos/${purpose}-${n + 1}.${endings[type]}`,
      type,
    })),
  ]
}

/** When a customer's account will be deleted, since they requested it; null where they did not. */
export async function deletionDueOf(db: Queryable, userId: string): Promise<Date | null> {
  const [user] = await db
    .select({ askedAt: users.deletionRequestedAt })
    .from(users)
    .where(eq(users.id, userId))
  return user?.askedAt ? deletionDue(user.askedAt) : null
}

type InTheWay = 'installation' | 'address' | null

/**
 * What in an open project prevents deleting its customer's account; null when nothing does. An appointment that was not
 * cancelled or missed, else an address; a project with neither is only an empty folder.
 */
export async function inTheWayOf(db: Queryable, customerId: string): Promise<InTheWay> {
  const open = await db
    .select({
      appointment: sql<boolean>`exists (${db
        .select({ one: sql`1` })
        .from(appointments)
        .where(
          and(eq(appointments.projectId, projects.id), notInArray(appointments.state, [...failedStates])),
        )})`,
      address: sql<boolean>`exists (${db
        .select({ one: sql`1` })
        .from(addresses)
        .where(and(eq(addresses.projectId, projects.id), isNull(addresses.archivedAt)))})`,
    })
    .from(projects)
    .where(and(eq(projects.customerId, customerId), isNull(projects.closedAt)))
  if (open.some(({ appointment }) => appointment)) return 'installation'
  return open.some(({ address }) => address) ? 'address' : null
}

/** The same in words, with what to do about it. */
export const inTheWayWords = {
  installation:
    'Tienes una instalación en curso y para atenderla necesitamos tu cuenta. Cuando termine, o si la cancelas, podrás eliminarla.',
  address: 'Tienes un proyecto abierto con tu domicilio. Quita primero tu domicilio.',
}

/** Requests the deletion of one's own account after the waiting days. A repeated request changes nothing. */
export async function askDeletion(db: Db, actor: Actor, password: string, now: Date): Promise<void> {
  assertCustomer(actor)
  await assertPassword(db, actor, password, now)
  await transaction(db, async (tx) => {
    const asked = await heldRequest(tx, actor.id)
    if (asked) return
    const obstacle = await inTheWayOf(tx, actor.id)
    if (obstacle) refuse('failed-precondition', inTheWayWords[obstacle])
    await write(tx, actor.id, now)
    await record(tx, { ...by(actor), name: 'ask_deletion' })
    await enqueue(tx, 'account-letter', { letter: 'deletion_asked', userId: actor.id })
  })
  announce(db, { people: [actor.id], desk: false })
}

/** Withdraws the request, as long as the account exists. */
export async function keepAccount(db: Db, actor: Actor): Promise<void> {
  await transaction(db, async (tx) => {
    if (!(await heldRequest(tx, actor.id)))
      refuse('failed-precondition', 'Tu cuenta ya no estaba por eliminarse.')
    await write(tx, actor.id, null)
    await record(tx, { ...by(actor), name: 'take_back_deletion' })
    await enqueue(tx, 'account-letter', { letter: 'deletion_taken_back', userId: actor.id })
  })
  announce(db, { people: [actor.id], desk: false })
}

async function heldRequest(tx: Tx, id: string): Promise<Date | null> {
  const [user] = await tx
    .select({ requestedAt: users.deletionRequestedAt })
    .from(users)
    .where(eq(users.id, id))
    .for('update')
  return user?.requestedAt ?? null
}

const write = (tx: Tx, id: string, deletionRequestedAt: Date | null) =>
  tx.update(users).set({ deletionRequestedAt }).where(eq(users.id, id))

const by = ({ id }: Actor) => ({ entity: 'user', entityId: id, actorId: id })
