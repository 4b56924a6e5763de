import { eq, inArray } from 'drizzle-orm'
import { activeStates } from '../src/appointments/rules/appointment.ts'
import { type Db, type Tx, transaction } from '../src/platform/database/client.ts'
import { literals } from '../src/platform/database/lists.ts'
import { users } from '../src/platform/database/schema/accounts.ts'
import { quotes } from '../src/platform/database/schema/payments.ts'
import { askForAllRounds } from '../src/platform/jobs/rounds.ts'
import { announce } from '../src/platform/live/announcements.ts'
import { digestOf } from '../src/quotes/benefit.ts'
import { openQuoteStates } from '../src/quotes/rules/quote.ts'
import { addDays } from '../src/shared/calendar.ts'
import { counted } from '../src/shared/format.ts'

const appointmentIsOpen = `state in (${literals(activeStates)})`
const quoteIsOpen = `state in ('draft', ${literals(openQuoteStates)}, 'changes_requested')`
const ofOpen = (table: string, column: string, isOpen: string) =>
  `${column} in (select id from ${table} where ${isOpen})`

/** What is open, by table: what is signed, paid, answered or closed is no part of it. */
const openRows: Readonly<Record<string, string>> = {
  shared_visits: ofOpen('appointments', 'appointment_id', appointmentIsOpen),
  cfe_papers: ofOpen('cfe_cases', 'case_id', 'closed_at is null'),
  appointments: appointmentIsOpen,
  slot_wishes: 'ended_at is null',
  slot_offers: 'answer is null',
  move_offers: 'answer is null',
  quotes: quoteIsOpen,
  payments: `state in ('pending', 'in_review')`,
  refunds: `state in ('requested', 'approved')`,
  fiscal_data: `state = 'submitted'`,
  cfe_cases: 'closed_at is null',
  faults: 'closed_at is null',
  tasks: 'done_at is null',
  invitations: 'accepted_at is null and withdrawn_at is null',
  clients: 'joined_at is null and ended_at is null',
  project_standings: `waiting_on <> 'none'`,
}

/** The entities of the history that moves with its open rows. */
const historyOf = { appointment: 'appointments', quote: 'quotes', payment: 'payments', cfe_case: 'cfe_cases' }

/** Moves all that is open in the demo one day back, and runs the rounds that react to it. Returns in Spanish what moved. */
export async function advanceDay(db: Db): Promise<string> {
  const moved = await transaction(db, async (tx) => {
    // Two at once move one day each.
    await tx.$client.query(`lock table appointments in share row exclusive mode`)
    await tx.$client.query(guards('disable'))
    for (const [entity, table] of Object.entries(historyOf)) await moveHistory(tx, entity, table)
    const counts = new Map<string, number>()
    for (const table of Object.keys(openRows)) counts.set(table, await moveRows(tx, table))
    await moveTerms(tx)
    await tx.$client.query(unpaidTerms)
    await tx.$client.query(attended)
    await tx.$client.query(guards('enable'))
    await askForAllRounds(tx)
    return counts
  })
  const everyone = await db.select({ id: users.id }).from(users)
  announce(db, { people: everyone.map(({ id }) => id) })
  const parts = Object.entries(words).flatMap(([table, [one, many]]) => {
    const count = moved.get(table) ?? 0
    return count > 0 ? [counted(count, one, many)] : []
  })
  return parts.length > 0 ? new Intl.ListFormat('es-MX').format(parts) : 'nada abierto'
}

const words: Readonly<Record<string, readonly [one: string, many: string]>> = {
  appointments: ['cita', 'citas'],
  quotes: ['cotización', 'cotizaciones'],
  payments: ['pago', 'pagos'],
  cfe_cases: ['trámite', 'trámites'],
  move_offers: ['propuesta', 'propuestas'],
}

/** The triggers that freeze what was sent and what happened; the demo's clock changes both. */
const guards = (how: 'disable' | 'enable') =>
  ['quotes', 'events'].map((table) => `alter table ${table} ${how} trigger ${table}_frozen;`).join('\n')

const moveHistory = (tx: Tx, entity: string, table: string) =>
  tx.$client.query(
    `update events set at = at - interval '1 day' where entity = $1 and ${ofOpen(table, 'entity_id', openRows[table]!)}`,
    [entity],
  )

/** An accepted quote ends with its deposit: until that is paid, their last days move together. */
const unpaidTerms = `update quotes set valid_until = valid_until - interval '1 day' from projects
  where projects.id = quotes.project_id and quotes.state = 'accepted' and projects.deposit_paid_at is null`

/** To a call that is over now its customer came, and nobody else: the round ends it. */
const attended = `update appointments set customer_came_at = starts_at
  where service = 'videocall' and state = 'assigned' and starts_at < now() and customer_came_at is null`

/** Every moment and date of a table's open rows; an earlier row first, so that none meets one that has not moved yet. */
async function moveRows(tx: Tx, table: string): Promise<number> {
  const { rows: columns } = await tx.$client.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''
       and atttypid in ('timestamptz'::regtype, 'date'::regtype)`,
    [table],
  )
  const set = columns
    .map(({ name, type }) => `${name} = ${name} - ${type === 'date' ? '1' : `interval '1 day'`}`)
    .join()
  if (table !== 'appointments')
    return (await tx.$client.query(`update ${table} set ${set} where ${openRows[table]}`)).rowCount ?? 0
  const { rows } = await tx.$client.query<{ id: string }>(
    `select id from ${table} where ${openRows[table]} order by starts_at`,
  )
  for (const { id } of rows) await tx.$client.query(`update ${table} set ${set} where id = $1`, [id])
  return rows.length
}

/** The last day of an open quote stands in its content too, and in the digest of what was sent. */
async function moveTerms(tx: Tx): Promise<void> {
  const open = ['draft', ...openQuoteStates, 'changes_requested'] as const
  for (const quote of await tx.select().from(quotes).where(inArray(quotes.state, open))) {
    const content = { ...quote.content, validUntil: addDays(quote.content.validUntil, -1) }
    const { address, addressee, digest, folio, revision } = quote
    const again = digestOf({ folio, revision, addressee: addressee ?? '', address, content })
    // An update by Drizzle stamps updated_at, which has moved already.
    const { updatedAt } = quote
    await tx
      .update(quotes)
      .set({ content, digest: digest && again, updatedAt })
      .where(eq(quotes.id, quote.id))
  }
}
