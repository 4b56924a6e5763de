import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { type Actor, assertCustomer, isCustomer, isStaff, kindLabels } from '../access/rules/actor.ts'
import { doneStates } from '../appointments/rules/appointment.ts'
import type { DocumentPurpose } from '../documents/rules/document.ts'
import { type Db, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { listed } from '../platform/database/lists.ts'
import { consents, dataReads, users } from '../platform/database/schema/accounts.ts'
import { cfePapers } from '../platform/database/schema/cfe.ts'
import { refuse } from '../shared/refusal.ts'
import { calledBy, managesPeople } from '../users/rules/user.ts'
import {
  asksForTerms,
  type ConsentKind,
  type ConsentSource,
  consentLabels,
  consentSources,
  type ReadOf,
  type Retained,
  readLabels,
  retentionDays,
} from './rules/privacy.ts'

type Read = { customerId: string; what: Exclude<ReadOf, 'blocked'>; subjectId?: string }

/**
 * Records that a staff member read a user's personal data; customers who read their own leave no row. Called by the
 * queries themselves, so that no screen can omit it. Within ten minutes repeated reads are one row.
 */
export async function noteRead(
  db: Queryable,
  reader: Actor,
  { customerId, subjectId, what }: Read,
): Promise<void> {
  if (!isStaff(reader)) return
  await db
    .insert(dataReads)
    .values({ readerId: reader.id, customerId, what, subjectId: subjectId ?? customerId })
    .onConflictDoNothing()
}

const readOfPurpose: Partial<Record<DocumentPurpose, Read['what']>> = {
  constancia: 'constancia',
  invoice_xml: 'invoice_file',
  invoice_pdf: 'invoice_file',
}

/**
 * The kind of read that opening a document is recorded as; null for documents outside the tax office's. A case with CFE
 * requires the Constancia too.
 */
export async function readOf(
  db: Queryable,
  { id, purpose }: { id: string; purpose: DocumentPurpose },
): Promise<Read['what'] | null> {
  if (purpose !== 'cfe_paper') return readOfPurpose[purpose] ?? null
  const isConstancia = and(eq(cfePapers.documentId, id), eq(cfePapers.name, 'constancia'))
  const [paper] = await db.select({ caseId: cfePapers.caseId }).from(cfePapers).where(isConstancia)
  return paper ? 'constancia' : null
}

/**
 * The accounts of a customer, as a query: their own, and those that were merged into it. Evidence and history stay with
 * the account that they began in.
 */
export const accountsOf = (customerId: string): SQL =>
  sql`select ${customerId}::uuid union all select id from users where merged_into_id = ${customerId}`

/** The staff reads of a customer's fiscal data and invoices, for the customer: by the reader's role, newest first. */
export async function ownReads(db: Db, customerId: string) {
  const rows = await db
    .select({ what: dataReads.what, at: dataReads.at, kind: users.kind })
    .from(dataReads)
    .innerJoin(users, eq(users.id, dataReads.readerId))
    .where(sql`${dataReads.customerId} in (${accountsOf(customerId)})`)
    .orderBy(desc(dataReads.id))
  return rows.map(({ at, kind, what }) => ({
    Qué: readLabels[what],
    Quién: kind ? kindLabels[kind] : 'Alguien que ya no trabaja aquí',
    Cuándo: at,
  }))
}

const shownAtOnce = 50

/** The latest staff reads of a customer's fiscal data and invoices, newest first, by name; for the manager only. */
export async function readsOf(db: Db, actor: Actor, customerId: string) {
  if (!managesPeople(actor)) return []
  const rows = await db
    .select({
      id: dataReads.id,
      what: dataReads.what,
      at: dataReads.at,
      name: users.name,
      lastname: users.lastname,
      email: users.email,
      kind: users.kind,
    })
    .from(dataReads)
    .innerJoin(users, eq(users.id, dataReads.readerId))
    .where(sql`${dataReads.customerId} in (${accountsOf(customerId)})`)
    .orderBy(desc(dataReads.id))
    .limit(shownAtOnce)
  return rows.map(({ at, id, what, ...by }) => ({
    id,
    at,
    what: readLabels[what],
    who: [calledBy(by), by.kind && kindLabels[by.kind]].filter(Boolean).join(', '),
  }))
}

/**
 * Excludes legally retained data of customers whose accounts were deleted: they are no longer worked with, and only the
 * manager reads them. Takes the column of the customer.
 */
export const isNotDeleted = (customerId: AnyPgColumn): SQL =>
  sql`${customerId} not in (select id from users where deleted_at is not null)`

/**
 * Erases the bank's text of a movement, often its payer's name, and why it was no payment; its day, amount and pair
 * stay for the books.
 */
const forgetLine = sql`update bank_lines set description = '', reference = '', tracking_key = null,
  reason = case when reason is not null then '–' end`

/** The movements with any such text left. */
const isTold = sql`(description <> '' or reference <> '' or tracking_key is not null or reason <> '–')`

/** The setting that allows changes to the history: its facts stay; free text and transfer keys are erased. */
export const forgetting = sql`select set_config('carga.forgetting', 'on', true)`

/** Erases the history's free text about a user and their records: reasons, notes, outcomes of tasks. */
export async function forgetWords(tx: Tx, customerId: string): Promise<void> {
  const projects = sql`select id from projects where customer_id = ${customerId}`
  await tx.execute(forgetting)
  await forgetTransfers(tx, customerId)
  await tx.execute(sql`
    update events set reason = null where reason is not null and entity_id in (
      select ${customerId}::uuid
      union all ${projects}
      union all select id from addresses where project_id in (${projects})
      union all select id from appointments where customer_id = ${customerId}
      union all select id from faults where customer_id = ${customerId}
      union all select id from quotes where customer_id = ${customerId}
      union all select id from payments where customer_id = ${customerId}
      union all select id from refunds where customer_id = ${customerId}
      union all select id from invoices where customer_id = ${customerId}
      union all select id from clients where customer_id = ${customerId}
      union all select id from cfe_cases where customer_id = ${customerId}
      union all select id from tasks where person_id = ${customerId} or project_id in (${projects}))`)
}

/** Bank and key of a transfer, which the history once repeated: where the law requires them, the payment has them. */
async function forgetTransfers(tx: Tx, customerId: string): Promise<void> {
  const named = sql`array['bank', 'trackingKey']`
  await tx.execute(sql`
    update events set reason = null, data = data - ${named}
    where entity = 'payment' and entity_id in (select id from payments where customer_id = ${customerId}) and data ?| ${named}`)
}

/** The other two concern files, or take several statements. */
type Rule = Exclude<Retained, 'letterFiles' | 'fiscal'>

/**
 * The rows of a table with one of these ids. Few enough at once that other transactions do not wait for their locks.
 */
const piece = 2000
const chosen = (from: SQL) => sql`in (select id from ${from} limit ${sql.raw(String(piece))})`

const visits = (
  days: SQL,
) => sql`(select files.id from files join appointments on appointments.id = files.appointment_id
    join projects on projects.id = appointments.project_id where ${days}) old`
const installed = sql`exists (select from appointments done where done.project_id = projects.id
    and done.service = 'installation' and done.state = 'done')`

const movements = (states: SQL, before: SQL) =>
  sql`${forgetLine} where id ${chosen(
    sql`bank_lines where state in (${states}) and created_at < ${before} and ${isTold}`,
  )}`

/** The statement of each rule, which deletes data older than `before`. The next round finds what it leaves. */
const rules: Record<Rule, (before: SQL) => SQL> = {
  callChats: (before) =>
    sql`delete from call_messages where id ${chosen(sql`call_messages where at < ${before}`)}`,
  callSittings: (before) =>
    sql`delete from call_sittings where id ${chosen(sql`call_sittings where left_at < ${before}`)}`,
  appointmentNotes: (before) =>
    sql`update appointments set notes = null where id ${chosen(
      sql`appointments where notes is not null and starts_at < ${before} and state in (${listed(doneStates)})`,
    )}`,
  historyWords: (before) =>
    sql`update events set reason = null where id ${chosen(sql`events where reason is not null and at < ${before}`)}`,
  quoteAnswers: (before) =>
    sql`update quotes set reason = null where id ${chosen(
      sql`quotes where reason is not null and answered_at < ${before}`,
    )}`,
  taskWords: (
    before,
  ) => sql`update tasks set phone = null, result = '–', subject = regexp_replace(subject, ': «.*$', '')
    where id ${chosen(sql`tasks where done_at < ${before} and result <> '–'`)}`,
  photosWithoutInstallation: (before) =>
    sql`delete from files where id ${chosen(visits(sql`projects.closed_at < ${before} and not ${installed}`))}`,
  photosOfInstallations: (before) =>
    sql`delete from files where id ${chosen(
      visits(sql`appointments.starts_at < ${before} and projects.closed_at < ${before}`),
    )}`,
  messages: (before) =>
    sql`delete from whatsapp_messages where id ${chosen(sql`whatsapp_messages where created_at < ${before}`)}`,
  staffInvitations: (before) =>
    sql`delete from invitations where id ${chosen(
      sql`invitations where accepted_at is null and expires_at < ${before}`,
    )}`,
  unreadStatements: (before) =>
    sql`delete from bank_statements where id ${chosen(
      sql`bank_statements where read_at is null and created_at < ${before}`,
    )}`,
  otherMovements: (before) => movements(sql`'open', 'ignored'`, before),
  paidMovements: (before) => movements(sql`'settled', 'recorded'`, before),
  evidence: (before) =>
    sql`with gone as (delete from consents where id ${chosen(
      sql`consents where at < ${before} and user_id in (select id from users where deleted_at < ${before})`,
    )} returning 1) delete from data_reads where id ${chosen(sql`data_reads where at < ${before}`)}`,
}

/**
 * Deletes data past their retention, rule by rule; returns how many rows each took. The sweep removes the bytes of
 * photos.
 */
export async function deleteExpired(db: Db, now: Date): Promise<Partial<Record<Rule, number>>> {
  const counts: Partial<Record<Rule, number>> = {}
  for (const [name, rule] of Object.entries(rules) as [Rule, (typeof rules)[Rule]][]) {
    const before = sql`${now}::timestamptz - make_interval(days => ${retentionDays[name]})`
    let taken: number
    do {
      taken = await transaction(db, async (tx) => {
        await tx.execute(forgetting)
        return (await tx.execute(rule(before))).rowCount ?? 0
      })
      if (taken > 0) counts[name] = (counts[name] ?? 0) + taken
    } while (taken >= piece)
  }
  return counts
}

/**
 * Deletes legally retained data of deleted customers once the term is over: names, addresses, accounts, fiscal data and
 * papers; amounts and dates stay for the books. Returns of how many customers.
 */
export async function deleteFiscalData(db: Db, now: Date): Promise<number> {
  const before = sql`${now}::timestamptz - make_interval(days => ${retentionDays.fiscal})`
  return transaction(db, async (tx) => {
    const { rows } = await tx.execute<{ id: string }>(sql`
      select id from users where deleted_at < ${before}
        and (exists (select from documents where customer_id = users.id and replaced_at is null)
          or exists (select from fiscal_data where customer_id = users.id)
          or exists (select from payments where customer_id = users.id and state <> 'in_review'
            and ((bank, tracking_key, note, proof_id) is distinct from (null, null, null, null) or rejected_keys <> '{}'))
          or exists (select from quotes where customer_id = users.id and (addressee is not null or accepted_name <> '–')))
        and not exists (select from payments where customer_id = users.id and coalesce(paid_at, created_at) >= ${before})
        and not exists (select from invoices where customer_id = users.id and created_at >= ${before})
      limit 500 for update skip locked`)
    const theirs = sql`customer_id in (select jsonb_array_elements_text(${JSON.stringify(rows.map(({ id }) => id))}::jsonb)::uuid)`
    await tx.execute(sql`update quotes set addressee = null, address = null,
      accepted_name = case when accepted_name is not null then '–' end where ${theirs}`)
    await tx.execute(sql`update payments set bank = null, tracking_key = null, note = null, proof_id = null, rejected_keys = '{}'
      where ${theirs} and state <> 'in_review'`)
    await tx.execute(forgetting)
    await tx.execute(
      sql`${forgetLine} where payment_id in (select id from payments where ${theirs}) and ${isTold}`,
    )
    await tx.execute(sql`update refunds set clabe = null, beneficiary = null where ${theirs}`)
    await tx.execute(sql`update invoices set request = request || jsonb_build_object('Receptor', (request->'Receptor')
      || jsonb_build_object('Rfc', 'XAXX010101000', 'Nombre', '–')) where ${theirs} and request ? 'Receptor'`)
    await tx.execute(sql`delete from fiscal_data where ${theirs}`)
    // The sweep removes their bytes.
    await tx.execute(
      sql`update documents set name = '–', replaced_at = ${now} where ${theirs} and replaced_at is null`,
    )
    return rows.length
  })
}

type Consent = {
  userId: string
  kind: ConsentKind
  given: boolean
  /** The version of the terms and the privacy notice in force. */
  version: string
  source: ConsentSource
}

const insert = {
  name: 'note_consent',
  text: 'insert into consents (user_id, kind, given, version, source) values ($1, $2, $3, $4, $5)',
}

/** Records that a user gave or withdrew a consent, in the transaction that applies it. */
export async function noteConsent(tx: Tx, { userId, kind, given, version, source }: Consent): Promise<void> {
  await tx.$client.query({ ...insert, values: [userId, kind, given, version, source] })
}

const accepting = (which: string) => `with accepted as (
    update users set terms_version = $2, terms_accepted_at = $3 where id = $1 and ${which} returning id
  )
  insert into consents (user_id, kind, given, version, source, at) select id, 'terms', true, $2, $4, $3 from accepted`

const first = { name: 'accept_terms', text: accepting('terms_accepted_at is null') }

const again = { name: 'accept_terms_again', text: accepting('terms_version is distinct from $2') }

type Acceptance = { userId: string; version: string; source: ConsentSource; now: Date }

const accept = async (db: Queryable, statement: { name: string; text: string }, input: Acceptance) => {
  const client: { query: (query: object) => Promise<unknown> } = db.$client
  await client.query({ ...statement, values: [input.userId, input.version, input.now, input.source] })
}

/** Records the consents of a user whose account was made for them; earlier records stay. */
export const acceptTerms = (db: Queryable, input: Acceptance): Promise<void> => accept(db, first, input)

/** Records that a customer agreed to the current terms, once. Refused where the form showed older ones. */
export async function acceptNewTerms(
  db: Db,
  actor: Actor,
  { shown, inForce }: { shown: string; inForce: string },
  now: Date,
): Promise<void> {
  assertCustomer(actor)
  if (shown !== inForce)
    refuse('failed-precondition', 'Los términos volvieron a cambiar. Revísalos y acéptalos de nuevo.')
  await accept(db, again, { userId: actor.id, version: inForce, source: 'home', now })
}

/** The version of the terms that a customer is asked to agree to, and why; null where there is nothing to ask. */
export async function termsToAccept(db: Db, actor: Actor, inForce: string) {
  if (!isCustomer(actor)) return null
  const [user] = await db.select({ agreed: users.termsVersion }).from(users).where(eq(users.id, actor.id))
  const why = user ? asksForTerms(user.agreed, inForce) : null
  return why && { version: inForce, why }
}

/** All consents that a user gave or withdrew, the oldest first, in words for the user. */
export async function ownConsents(db: Db, userId: string) {
  const theirs = sql`${consents.userId} in (${accountsOf(userId)})`
  const rows = await db.select().from(consents).where(theirs).orderBy(asc(consents.id))
  return rows.map(({ at, given, kind, source, version }) => ({
    Qué: consentLabels[kind],
    Respuesta: given ? 'Aceptaste' : 'Retiraste tu consentimiento',
    Versión: version,
    Dónde: consentSources[source],
    Cuándo: at,
  }))
}
