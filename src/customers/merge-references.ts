import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../platform/database/client.ts'
import type { MovedRows } from '../platform/database/schema/accounts.ts'

/** A column that names the customer a row belongs to. */
type Reference = {
  table: string
  column: string
  /** By which the journal names a row. */
  key: string
  /** The row that it hangs on, by its column and the table and column that moves. */
  on?: { column: string; reference: string }
  /** What a row that was added later is called where it keeps a merge from being undone; the others follow their project. */
  added?: SQL
  /** At most one row for each customer: that of the one that stands stays. */
  single?: boolean
}

const ofProject = { column: 'project_id', reference: 'projects.customer_id' }
const folio = sql`folio`

/** Every column whose rows move to the customer that stands. */
export const moving: readonly Reference[] = [
  { table: 'projects', column: 'customer_id', key: 'id' },
  { table: 'project_standings', column: 'customer_id', key: 'project_id', on: ofProject },
  { table: 'appointments', column: 'customer_id', key: 'id', on: ofProject, added: folio },
  { table: 'quotes', column: 'customer_id', key: 'id', on: ofProject, added: folio },
  { table: 'refunds', column: 'customer_id', key: 'id', on: ofProject, added: folio },
  { table: 'payments', column: 'customer_id', key: 'id', on: ofProject, added: folio },
  { table: 'invoices', column: 'customer_id', key: 'id', on: ofProject, added: sql`'una factura'` },
  { table: 'cfe_cases', column: 'customer_id', key: 'id', on: ofProject, added: folio },
  {
    table: 'documents',
    column: 'customer_id',
    key: 'id',
    on: ofProject,
    added: sql`'el documento ' || name`,
  },
  { table: 'slot_wishes', column: 'customer_id', key: 'id', on: ofProject },
  { table: 'tasks', column: 'person_id', key: 'id', on: ofProject },
  {
    table: 'faults',
    column: 'customer_id',
    key: 'id',
    on: { column: 'appointment_id', reference: 'appointments.customer_id' },
    added: sql`'una falla reportada'`,
  },
  { table: 'fiscal_data', column: 'customer_id', key: 'customer_id', single: true },
  { table: 'clients', column: 'customer_id', key: 'id' },
  { table: 'whatsapp_messages', column: 'user_id', key: 'id' },
  { table: 'users', column: 'merged_into_id', key: 'id' },
]

/**
 * Every other column that names a user, and why it stays: who did something is history; evidence and the ways into an
 * account belong to that account; the rest is of staff, whom no merge is about.
 */
export const staying = {
  evidence: ['consents.user_id', 'data_reads.customer_id', 'blocked_accounts.customer_id'],
  access: [
    'sessions.user_id',
    'accounts.user_id',
    'letter_codes.user_id',
    'two_factors.user_id',
    'passkeys.user_id',
    'used_totp_codes.user_id',
    'email_changes.user_id',
    'calendar_feeds.user_id',
    'push_subscriptions.user_id',
    'presence.user_id',
    'imported_users.user_id',
    'saved_views.owner_id',
    'visit_cards.user_id',
    'day_starts.person_id',
    'busy_calendars.person_id',
    'staff_papers.person_id',
    'outward.reader_id',
    'outward.caused_by',
  ],
  merges: ['customer_merges.kept_id', 'customer_merges.ended_id'],
  byWhom: [
    'appointments.booked_by',
    'call_messages.author_id',
    'call_sittings.user_id',
    'files.uploaded_by',
    'documents.uploaded_by',
    'staff_papers.checked_by',
    'refunds.requested_by',
    'refunds.decided_by',
    'payments.reviewed_by',
    'payments.recorded_by',
    'invoices.requested_by',
    'invoices.issued_by',
    'invoices.cancelled_by',
    'fiscal_data.reviewed_by',
    'quotes.made_by',
    'quotes.sent_by',
    'quote_approvals.asked_by',
    'quote_approvals.answered_by',
    'cfe_cases.opened_by',
    'cfe_papers.reviewed_by',
    'tasks.taken_by',
    'work_marks.taken_by',
    'conditions.met_by',
    'sheets.submitted_by',
    'sheets.reviewed_by',
    'sheets.claimed_by',
    'sheet_answers.changed_by',
    'sheet_answer_history.changed_by',
    'invitations.invited_by',
    'invitations.accepted_by',
    'email_changes.asked_by',
    'closed_networks.closed_by',
    'clients.registered_by',
    'codes.approved_by',
    'commissions.made_by',
    'commission_payouts.paid_by',
    'api_keys.made_by',
    'api_keys.revoked_by',
    'webhook_endpoints.made_by',
    'webhook_deliveries.replayed_by',
    'bank_statements.uploaded_by',
    'bank_lines.decided_by',
    'time_off.approved_by',
    'time_off.refused_by',
    'move_offers.made_by',
    'day_plans.made_by',
    'data_reads.reader_id',
    'customer_merges.merged_by',
    'customer_merges.undone_by',
  ],
  staff: [
    'appointments.assignee_id',
    'shifts.person_id',
    'person_zones.person_id',
    'time_off.person_id',
    'move_offers.absent_id',
    'move_offers.assignee_id',
    'cfe_cases.gester_id',
    'clients.ally_id',
    'codes.owner_id',
    'commissions.ally_id',
  ],
  /** Named without a foreign key. */
  plain: ['events.actor_id', 'settings.updated_by', 'stage_checks.customer_id'],
} as const

const nameOf = ({ column, table }: Reference) => `${table}.${column}`
const table = (of: Reference) => sql.identifier(of.table)
const column = (of: Reference) => sql.identifier(of.column)
const key = (of: Reference) => sql.identifier(of.key)
const idsIn = (ids: readonly string[]) => sql`any(${sql.param(ids)}::uuid[])`

/** Moves every row of a customer to another; both are locked. Returns which moved. */
export async function moveRows(tx: Tx, from: string, to: string): Promise<MovedRows> {
  const moved: MovedRows = {}
  for (const of of moving) {
    const isFree = of.single
      ? sql` and not exists (select from ${table(of)} where ${column(of)} = ${to})`
      : sql``
    // The key of a single row is the customer's id itself, which the journal knows.
    const { rows } = await tx.execute<{ key: string }>(
      sql`update ${table(of)} set ${column(of)} = ${to} where ${column(of)} = ${from}${isFree} returning ${key(of)}::text as key`,
    )
    if (rows.length > 0) moved[nameOf(of)] = rows.map((row) => row.key)
  }
  return moved
}

/** Moves the rows of a journal back, with what follows their projects. A row that is gone since stays gone. */
export async function putBackRows(tx: Tx, moved: MovedRows, from: string, to: string): Promise<void> {
  for (const of of moving) {
    const listed = moved[nameOf(of)] ?? []
    const parents = of.on && !of.added ? (moved[of.on.reference] ?? []) : []
    const follows = of.on ? sql` or ${sql.identifier(of.on.column)} = ${idsIn(parents)}` : sql``
    if (listed.length + parents.length > 0)
      await tx.execute(
        sql`update ${table(of)} set ${column(of)} = ${to} where ${column(of)} = ${from} and (${key(of)} = ${idsIn(listed)}${follows})`,
      )
  }
}

/** What was added since to the rows that moved, in words: it would lose its project if they went back. */
export async function addedSince(tx: Tx, moved: MovedRows, customerId: string): Promise<string[]> {
  const added: string[] = []
  for (const of of moving) {
    const parents = of.on && of.added ? (moved[of.on.reference] ?? []) : []
    if (!of.on || !of.added || parents.length === 0) continue
    const { rows } = await tx.execute<{ words: string }>(
      sql`select ${of.added} as words from ${table(of)} where ${column(of)} = ${customerId}
        and ${sql.identifier(of.on.column)} = ${idsIn(parents)} and ${key(of)} <> all(${sql.param(moved[nameOf(of)] ?? [])}::uuid[])
        order by ${key(of)}`,
    )
    added.push(...rows.map(({ words }) => words))
  }
  return added
}
