import { type SQL, sql } from 'drizzle-orm'
import { countOf, statesOf } from '../../domain/appointments/list.ts'
import { type Db, planned } from '../platform/database/database.ts'
import { type Found, pageAndCount, pageSize, parted } from './listed.ts'
import { behind, type Cursor, headOf, inOrder, type Narrowed } from './narrowed.ts'
import { stateIn } from './visible.ts'
import { byWeek, holds, type Searched } from './words.ts'

/** How many rows of a list are read in its order in the hope of a page of those that are looked for. */
const nearby = 1000
/**
 * And how many of a narrowed one whose head holds some: the weeks of the index would hold thousands that its filters
 * throw away. Five in a thousand are few enough for the weeks.
 */
const farther = { rows: 5000, from: 5 }
/** How far a search counts where it does not read a list whole. */
const told = 2 * pageSize

/**
 * A page of what holds some words, and its count. Of what is common a page stands near the head of the list; what is
 * rarer is found by the index of words, week by week. So neither takes longer in a long list.
 */
export async function searchPage(db: Db, wanted: Searched, after: Cursor | null): Promise<Found> {
  const page = searchAfter(db, wanted, after)
  const [{ listed }, { count }] = await Promise.all([page, after ? searchAfter(db, wanted, null) : page])
  return { count, listed }
}

/** A page of what comes after a place, and how much comes there. */
async function searchAfter(db: Db, wanted: Searched, after: Cursor | null): Promise<Found> {
  const near = await nearAfter(db, wanted, after, nearby)
  if (near.found) return near.found
  const isWorthMore = !wanted.isWhole && near.matching > farther.from
  const more = isWorthMore ? await nearAfter(db, wanted, after, farther.rows) : near
  if (more.found) return more.found
  const { matching, listed } = await read(db, byWeekQuery(wanted, after))
  return { count: matching > told ? atLeast(matching) : countOf(matching), listed }
}

/** A page out of the next rows of a list; none where those behind them could change it. */
async function nearAfter(db: Db, wanted: Searched, after: Cursor | null, limit: number) {
  const { walked, matching, listed } = await read(db, nearQuery(wanted, after, limit))
  if (walked <= limit) return { matching, found: { count: countOf(matching), listed } }
  return { matching, found: listed.length > pageSize ? { count: atLeast(matching), listed } : undefined }
}

/** Beyond what was read there may be none. */
const atLeast = (matching: number) => ({
  total: Math.floor((matching - 1) / pageSize) * pageSize,
  isMore: true,
})

async function read(db: Db, query: SQL) {
  const { beside = [0, 0], listed } = parted<[walked: number, matching: number]>(await planned(db, query))
  const [walked, matching] = beside
  return { walked, matching, listed }
}

/** The words are looked for row by row, and no further than they are counted unless this is the whole list. */
const nearQuery = (wanted: Searched, after: Cursor | null, limit: number) => sql`with walked as materialized (
    select id, starts_at from (${walk(wanted, after, limit + 1)}) walk
  ), length as materialized (select count(*)::int as walked from walked), matching as materialized (
    select id, starts_at from (${held(wanted, after, limit + 1)}) held
    limit (select case when walked > ${rows(limit)} then ${rows(told + 1)} end from length)
  ) ${pageOf(wanted, sql`(select walked from length)`)}`

/** Those of the rows walked that hold the words. Row after row of an index costs half of what looking for each id does. */
const held = (wanted: Searched, after: Cursor | null, limit: number) =>
  wanted.isWhole
    ? sql`select id, starts_at from (${wholeWalk(wanted, after, limit)}) appointments where ${holds(wanted.sought)}`
    : sql`select walked.id, walked.starts_at from walked cross join lateral (
        select from appointments where appointments.id = walked.id and ${holds(wanted.sought)} offset 0
      ) held`

/** The head of a list before words narrow it. Of a whole list one index holds it in order; else it is put together. */
const walk = (wanted: Narrowed, after: Cursor | null, limit: number): SQL =>
  wanted.isWhole ? wholeWalk(wanted, after, limit) : headOf(wanted, after, limit)

const wholeWalk = ({ list, order }: Narrowed, after: Cursor | null, limit: number) =>
  sql`select appointments.id, appointments.starts_at, appointments.words from appointments
    where ${stateIn(statesOf[list])} and ${behind(after, order)} order by ${inOrder(order)} limit ${rows(limit)}`

const byWeekQuery = (wanted: Searched, after: Cursor | null) =>
  sql`with matching as materialized (${byWeek(wanted, after, told + 1)}) ${pageOf(wanted, sql`0`)}`

const pageOf = (wanted: Narrowed, walked: SQL) =>
  pageAndCount(
    sql`select array[${walked}, (select count(*)::int from matching)]`,
    sql`select id, starts_at from matching order by ${inOrder(wanted.order, 'matching')} limit ${rows(pageSize + 1)}`,
    wanted,
  )

const rows = (count: number) => sql.raw(String(count))
