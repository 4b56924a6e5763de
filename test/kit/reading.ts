import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { PgColumn, PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { expect } from 'vitest'
import { events } from '../../src/platform/database/schema/projects.ts'
import type { Fixture } from './fixture.ts'
import type { Answer } from './visitor.ts'

type Open = Pick<Fixture, 'db'>
type Row = string | { id: string }
const idOf = (row: Row) => (typeof row === 'string' ? row : row.id)

/** What one route's loader brought in a data request. */
export const loaded = <Data>({ value }: Answer, route: string) =>
  (value as Record<string, { data: Data }>)[route]!.data

const markup = ({ text }: Answer) => text.replace(/<script[\s\S]*?<\/script>/g, '')

/** What a person reads of a page, in one line. */
export const readable = (answer: Answer) =>
  markup(answer)
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

/** Expects each of some words in a text. */
export function expectWords(text: string, ...words: string[]) {
  for (const one of words) expect(text).toContain(one)
}

/** Expects the status of an answer. */
export const expectStatus = ({ status }: Pick<Answer, 'status'>, expected: number) =>
  expect(status).toBe(expected)

/** Expects the statuses of some answers, in ascending order. */
export const expectStatuses = (answers: readonly Pick<Answer, 'status'>[], ...expected: number[]) =>
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual(expected)

/** Expects where an answer leads; null is nowhere. */
export const expectLocation = ({ location }: Pick<Answer, 'location'>, expected: string | null) =>
  expect(location).toBe(expected)

/** Expects an answer of a status, and some words on its page. */
export function expectPage({ status, text }: Answer, expected: number, ...words: string[]) {
  expect(status).toBe(expected)
  expectWords(text, ...words)
}

/** Expects an answer of a status, and some words on its page as it is read or in its markup, its scripts left out. */
export function expectShown(answer: Answer, status: number, ...words: string[]) {
  expect(answer.status).toBe(status)
  expectWords(`${readable(answer)}\n${markup(answer)}`, ...words)
}

/** The statuses of requests sent at once, the lowest first. */
export const statusesOf = async (...answers: Promise<Answer>[]) => sortedStatuses(await Promise.all(answers))

/** The rows of a table that have some values. */
export const rowsIn = <Table extends PgTable>(
  { db }: Open,
  table: Table,
  values: Partial<Table['$inferSelect']> = {},
): Promise<Table['$inferSelect'][]> => {
  const columns = getTableColumns(table)
  const conditions = Object.entries(values).map(([name, value]) => eq(columns[name]!, value))
  return db
    .select()
    .from(table as PgTable)
    .where(and(...conditions))
    .execute()
}

/** Sets values of a row. */
export const setIn = <Table extends PgTable & { id: PgColumn }>(
  { db }: Open,
  table: Table,
  row: Row,
  values: PgUpdateSetSource<Table>,
) =>
  db
    .update(table)
    .set(values)
    .where(eq(table.id, idOf(row)))

/** The first of them. */
export const rowIn = async <Table extends PgTable>(
  fixture: Open,
  table: Table,
  values: Partial<Table['$inferSelect']>,
): Promise<Table['$inferSelect'] | undefined> => (await rowsIn(fixture, table, values))[0]

/** What happened to a row, in order; of one kind of row where one id names several. */
export const eventsOf = ({ db }: Open, row: Row, entity?: string) =>
  db
    .select()
    .from(events)
    .where(and(eq(events.entityId, idOf(row)), entity ? eq(events.entity, entity) : undefined))
    .orderBy(asc(events.id))

/** The names of that. */
export const trailOf = async (fixture: Open, row: Row, entity?: string) =>
  (await eventsOf(fixture, row, entity)).map(({ name }) => name)

/** The e-mails on their way about a row, such as "booked to customer", in order; those that begin with a word, if given. */
export async function emailsAbout({ db }: Open, row: Row, start = ''): Promise<string[]> {
  const { rows } = await db.execute<{ email: string }>(sql`
    select concat(data ->> 'letter', ' to ', data ->> 'to') as email from pgboss.job
    where name = 'letter' and ${idOf(row)} in (select value from jsonb_each_text(data - 'personId'))
    order by created_on, 1`)
  return rows.map(({ email }) => email).filter((email) => email.startsWith(start))
}

/**
 * The e-mails of one change to one customer, where there are several; jobs of one transaction are of one moment. In a
 * fixture with one customer.
 */
export async function sentTogether({ db }: Open): Promise<string[]> {
  const { rows } = await db.execute<{ emails: string }>(sql`
    select string_agg(data ->> 'letter', ', ' order by data ->> 'letter') as emails from pgboss.job
    where name = 'letter' and data ->> 'to' = 'customer' group by created_on having count(*) > 1`)
  return rows.map(({ emails }) => emails)
}

/** The last event of a row. */
export const lastEventOf = async (fixture: Open, row: Row) => (await eventsOf(fixture, row)).at(-1)

/** The words a change is refused with. */
export const refusalOf = (change: Promise<unknown>): Promise<[code: string, words: string]> =>
  change.then(
    () => {
      throw new Error('It was not refused.')
    },
    ({ code, description }) => [code, description],
  )

/** Expects a change to be refused with a code, and some words. */
export async function expectRefusal(change: Promise<unknown>, code: string, words = '') {
  expect(await refusalOf(change)).toEqual([code, expect.stringContaining(words)])
}

/** The statuses of several answers, the lowest first. */
export const sortedStatuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).toSorted()

type Led = { status: number; location?: string | null }

/** Expects the status of an answer to come and, if given, where it leads. */
export async function expectAnswered(asked: Promise<Led>, status: number, location?: string) {
  const answer = await asked
  expect(answer.status).toBe(status)
  if (location !== undefined) expect(answer.location).toBe(location)
}

/** Expects where an answer to come leads, whatever its status. */
export const expectLeadsTo = async (asked: Promise<Led>, location: string) =>
  expect((await asked).location).toBe(location)

/** Sends a form twice, as a browser does whose answer was lost, and expects the same answer of both. */
export async function expectTwice(send: () => Promise<Led>, status = 303, location?: string) {
  for (let time = 0; time < 2; time++) await expectAnswered(send(), status, location)
}

/** Inserts a row, and answers it. */
export const insertIn = async <Table extends PgTable>(
  { db }: Open,
  table: Table,
  values: Table['$inferInsert'],
) =>
  (
    await db
      .insert(table as PgTable)
      .values(values as never)
      .returning()
  )[0] as Table['$inferSelect']

/** Expects one of two changes made at once to be done, and the other to be refused. */
export const expectOneDone = (both: readonly PromiseSettledResult<unknown>[]) =>
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])

/** The markup of a form's box by its name, of several by its value too; empty where there is none. */
export const boxIn = ({ text }: Pick<Answer, 'text'>, name: string, value = '') =>
  (text.match(/<input[^>]*>/g) ?? []).find(
    (box) => box.includes(`name="${name}"`) && box.includes(value && `value="${value}"`),
  ) ?? ''

const unescaped = (html: string) =>
  html.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&')
const attributeOf = (tag: string, name: string) =>
  unescaped(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '')

/** The forms of a page, as it was sent. */
export const formsIn = ({ text }: { text: string }): string[] => text.match(/<form\b[\s\S]*?<\/form>/g) ?? []

/** What a browser without JavaScript would send of a form that no one wrote in. */
export function sentBy(html = ''): Record<string, string> {
  const sent: Record<string, string> = {}
  for (const [tag] of html.matchAll(/<input\b[^>]*>/g)) {
    const isBox = / type="(checkbox|radio)"/.test(tag)
    if (!isBox || / checked=""/.test(tag))
      sent[attributeOf(tag, 'name')] = attributeOf(tag, 'value') || (isBox ? 'on' : '')
  }
  for (const [, tag = '', inside = ''] of html.matchAll(/<textarea\b([^>]*)>([^<]*)<\/textarea>/g))
    sent[attributeOf(tag, 'name')] = unescaped(inside).trim()
  for (const [, tag = '', inside = ''] of html.matchAll(/<select\b([^>]*)>([\s\S]*?)<\/select>/g)) {
    const options = inside.match(/<option\b[^>]*>/g) ?? []
    sent[attributeOf(tag, 'name')] = attributeOf(
      options.find((one) => / selected=""/.test(one)) ?? options[0] ?? '',
      'value',
    )
  }
  delete sent['']
  return sent
}
