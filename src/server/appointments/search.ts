import { type SQL, sql } from 'drizzle-orm'
import { countOf, statesOf } from '../../domain/appointment-list.ts'
import { type Db, plannedAnew } from '../database/database.ts'
import { type Found, pageAndCount, pageSize, parted } from './listed.ts'
import { afterCursor, type Cursor, headOf, inOrder, type Narrowed, searched } from './narrowed.ts'
import { stateIn } from './visible.ts'

/** How many rows of a list are read in its order in the hope of a page of those that are looked for. */
const nearby = 2000

/**
 * A page of what holds some words, and its count. Of what is common a page stands near the head of the list; what is
 * rare is found whole by the index of words, and put in order. So neither takes longer in a long list.
 */
export async function searchPage(db: Db, wanted: Narrowed, after: Cursor | null): Promise<Found> {
  const near = await nearPage(db, wanted, after)
  if (near) return near
  const { beside, listed } = parted<number>(await plannedAnew(db, wholePage(wanted, after)))
  return { count: countOf(beside ?? 0), listed }
}

/** Null where the rest of the list could change the page or its count. */
async function nearPage(db: Db, wanted: Narrowed, after: Cursor | null): Promise<Found | null> {
  const page = await nearHead(db, wanted, after)
  const head = after && page ? await nearHead(db, wanted, null) : page
  return page && head && { listed: page.listed, count: head.count }
}

async function nearHead(db: Db, wanted: Narrowed, after: Cursor | null): Promise<Found | null> {
  const { beside = [0, 0], listed } = parted<[walked: number, matching: number]>(
    await plannedAnew(db, nearQuery(wanted, after)),
  )
  const [walked, matching] = beside
  if (walked <= nearby) return { listed, count: countOf(matching) }
  if (listed.length <= pageSize) return null
  // Beyond what was read there may be none.
  return { listed, count: { total: Math.floor((matching - 1) / pageSize) * pageSize, isMore: true } }
}

const size = sql.raw(String(pageSize + 1))

const nearQuery = (wanted: Narrowed, after: Cursor | null) => sql`with walked as materialized (
    select id, starts_at from (${walk(wanted, after)}) walk
  ), matching as materialized (
    select appointments.id, appointments.starts_at from walked join appointments on appointments.id = walked.id
    where ${wanted.words}
  ) ${pageAndCount(
    sql`select array[(select count(*)::int from walked), (select count(*)::int from matching)]`,
    headOfMatching(wanted),
    wanted,
  )}`

/** The head of a list before words narrow it. Of a whole list one index holds it in order; else it is put together. */
function walk(wanted: Narrowed, after: Cursor | null): SQL {
  if (!wanted.isWhole) return headOf(wanted, after, nearby + 1)
  return sql`select appointments.id, appointments.starts_at from appointments
    where ${stateIn(statesOf[wanted.list])} and ${behind(after, wanted)}
    order by ${inOrder(wanted.order)} limit ${sql.raw(String(nearby + 1))}`
}

/** Materialized, so that the words are looked up and nothing else: in the order of the list it might be read to its end. */
const wholePage = (wanted: Narrowed, after: Cursor | null) => sql`with matching as materialized (
    select appointments.id, appointments.starts_at from appointments where ${searched(wanted)}
  ) ${pageAndCount(sql`select count(*)::int from matching`, headOfMatching(wanted, behind(after, wanted)), wanted)}`

const headOfMatching = ({ order }: Narrowed, within: SQL = sql`true`) =>
  sql`select id, starts_at from matching appointments where ${within} order by ${inOrder(order)} limit ${size}`

const behind = (after: Cursor | null, { order }: Narrowed) => (after ? afterCursor(after, order) : sql`true`)
