import { type SQL, sql } from 'drizzle-orm'
import { type Actor, isOffice } from '../access/rules/actor.ts'
import { managesCases } from '../cfe/rules/case.ts'
import { visibleInvoices } from '../invoices/sync-invoices.ts'
import { newestQuoteOf, pathOf, visiblePayments } from '../payments/rows.ts'
import { countsIn, dueOf } from '../payments/sums.ts'
import { type Db, queryRows } from '../platform/database/client.ts'
import { payments } from '../platform/database/schema/payments.ts'
import { customerPath } from '../projects/rules/pipeline.ts'
import { quotePartPath } from '../quotes/rules/quote-path.ts'
import { quotesVisibleTo } from '../quotes/transition.ts'
import { type Count, countLimits, countOf } from '../shared/count.ts'
import { callAgain, lastOfQuote } from './pipeline.ts'
import type { WorkKind } from './rules/work.ts'

/** What waits with a customer's quote, money and papers: a call, a charge, fiscal data, an invoice, another case with CFE. */
export type OfficeWorkKind = Extract<
  WorkKind,
  'call_quote' | 'overdue' | 'fiscal' | 'invoice' | 'case_to_open'
>

/** One of these, with its customer. */
export type OfficeWork = {
  kind: OfficeWorkKind
  id: string
  at: Date
  customer: string
  phone: string | null
  folio: string | null
  /** Centavos. */
  amount: number | null
  /** Until when a quote stands. */
  until: Date | null
  /** Where the office settles it. */
  to: string
}

type Row = [
  kind: OfficeWorkKind,
  counted: number,
  id: string,
  at: Date,
  customer: string,
  customerId: string,
  phone: string | null,
  folio: string | null,
  amount: number | null,
  until: Date | null,
  projectId: string | null,
  quoteId: string | null,
]

/** What waits of one kind: the first rows, and how many there are. */
export type OfficeQueue = { kind: OfficeWorkKind; count: Count; rows: OfficeWork[] }

/** How many of a kind a home shows. */
const SHOWN = 20

/** The office's work beside its appointments, in one statement: each kind is the head of one index. None for others. */
export async function officeWork(db: Db, actor: Actor, now: Date, most = SHOWN): Promise<OfficeQueue[]> {
  if (!isOffice(actor)) return []
  const heads = sql.join(headsOf(actor, now), sql` union all `)
  const rows = await queryRows<Row>(
    db,
    sql`with head as (${heads}), numbered as (
        select *, (count(*) over (partition by kind))::int as counted,
          row_number() over (partition by kind order by place, id) as nth from head
      )
      select numbered.kind, numbered.counted, numbered.id, numbered.at, users.full_name, users.id, users.phone, numbered.folio,
        numbered.amount, numbered.until, project.id, coalesce(numbered.quote_id, ${newestQuoteOf(sql.raw('project.id'))})
      from numbered join users on users.id = numbered.customer_id
        left join lateral (
          select projects.id from projects
          where projects.customer_id = numbered.customer_id and projects.id = coalesce(numbered.project_id, projects.id)
            -- What names no project is of the only open one: of several none is chosen.
            and (numbered.project_id is not null or projects.closed_at is not null or not exists (select from projects other
              where other.customer_id = numbered.customer_id and other.closed_at is null and other.id <> projects.id))
          order by projects.closed_at is null desc, projects.created_at desc limit 1
        ) project on true
      where nth <= ${sql.raw(String(most))} order by numbered.kind, nth`,
  )
  return [...Map.groupBy(rows, ([kind]) => kind)].map(([kind, found]) => ({
    kind,
    count: countOf(found[0]![1], countLimits.dear),
    rows: found.map(rowOf),
  }))
}

const headOf = (kind: OfficeWorkKind, columns: SQL, rest: SQL) =>
  sql`(select ${sql.raw(`'${kind}'`)} as kind, ${columns} from ${rest} limit ${sql.raw(String(countLimits.dear + 1))})`

function headsOf(actor: Actor, now: Date): SQL[] {
  const due = dueOf(payments)
  const seen = (visible: SQL | undefined) => visible ?? sql`true`
  return [
    headOf(
      'call_quote',
      sql`id, customer_id, project_id, id as quote_id, folio, null::float8 as amount, coalesce(viewed_at, created_at) as at,
        valid_until as until, valid_until as place`,
      sql`quotes where state = 'viewed' and valid_until > ${now} and ${seen(quotesVisibleTo(actor))}
        and coalesce((select ${callAgain} <= ${now} from tasks call where ${lastOfQuote}), true)
        order by valid_until, id`,
    ),
    headOf(
      'overdue',
      sql`id, customer_id, project_id, null::uuid, folio, amount::float8, ${due}, null::timestamptz, ${due}`,
      sql`payments where ${countsIn('overdue', now)}
        and ${seen(visiblePayments(actor))} order by ${due}, id`,
    ),
    headOf(
      'fiscal',
      sql`customer_id, customer_id, null::uuid, null::uuid, null, null::float8, submitted_at, null::timestamptz, submitted_at`,
      sql`fiscal_data where state = 'submitted' order by submitted_at`,
    ),
    headOf(
      'invoice',
      sql`id, customer_id, project_id, null::uuid, null, total::float8, created_at, null::timestamptz, created_at`,
      sql`invoices where state = 'requested' and ${seen(visibleInvoices(actor))} order by created_at`,
    ),
    ...(managesCases(actor) ? [casesToOpen] : []),
  ]
}

/** An installation waits for CFE, and every case about it has ended: rejected, cancelled, or granted too little. */
const casesToOpen = headOf(
  'case_to_open',
  sql`projects.id, customer_id, projects.id, null::uuid, (select folio from quotes
      where quotes.project_id = projects.id and kind = 'installation' and state = 'accepted' limit 1), null::float8,
    closed.at, null::timestamptz, closed.at`,
  sql`projects join lateral (select max(closed_at) as at from cfe_cases
      where cfe_cases.project_id = projects.id and kind <> 'name_change') closed on closed.at is not null
    where projects.closed_at is null and quote_accepted_at is not null
      and exists (select from conditions where conditions.project_id = projects.id and met_at is null and blocks_booking)
      and not exists (select from cfe_cases where cfe_cases.project_id = projects.id and cfe_cases.closed_at is null)
    order by closed.at, projects.id`,
)

const partOf = { call_quote: 'contenido', overdue: 'cuenta', fiscal: 'fiscal', invoice: 'fiscal' } as const
const casesPath = '/admin/gesties'

const rowOf = ([kind, , id, at, customer, customerId, ...more]: Row): OfficeWork => {
  const [phone, folio, amount, until, projectId, quoteId] = more
  const account = projectId ? pathOf(projectId, null) : customerPath(customerId)
  if (kind === 'case_to_open') return { kind, id, at, customer, phone, folio, amount, until, to: casesPath }
  const to = quoteId ? quotePartPath(quoteId, partOf[kind]) : account
  return { kind, id, at, customer, phone, folio, amount, until, to }
}
