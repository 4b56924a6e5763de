import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { PgColumn, PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { type Connection, type Db, openDatabase } from '../../src/platform/database/client.ts'
import { users } from '../../src/platform/database/schema/accounts.ts'
import { startJobs, stopJobs } from '../../src/platform/jobs/jobs.ts'
import { type Fixture, openBase, openFixture } from './fixture.ts'
import type { Person } from './people.ts'
import {
  emailsAbout,
  eventsOf,
  expectLocation,
  expectShown,
  lastEventOf,
  readable,
  rowIn,
  rowsIn,
  setIn,
  trailOf,
} from './reading.ts'
import type { Visitor } from './visitor.ts'

export type People = Awaited<ReturnType<Fixture['people']>>

/** The fixture of the test that runs, or of its file. */
export let fixture: Fixture
/** Its database. */
export let db: Db
/** Makes another fixture the one of the file. */
export function enter(next: Fixture) {
  fixture = next
  db = next.db
}

/** The people of most stories, by their job. */
export let people: People
export let customer: Person
export let customer2: Person
export let manager: Person
export let technician: Person
export let technician2: Person
export let analyst: Person
export let gester: Person
export let ally: Person

async function meet() {
  people = await fixture.people()
  ;({ ally, analyst, customer, customer2, gester, manager, technician, technician2 } = people)
}

/** A user who signed in. */
export const newPerson: Fixture['person'] = (input) => fixture.person(input)

/** An open project with an address for a customer. */
export const newHome: Fixture['home'] = (...of) => fixture.home(...of)

/** Sends a form. */
export const post: Fixture['post'] = (...form) => fixture.post(...form)

/** The markup of a page. */
export const markupOf = async (path: string, as?: Visitor) => (await fixture.visit(path, as)).text

/** What a person reads on a page, in one line. */
export const pageText = async (path: string, as?: Visitor) => readable(await fixture.visit(path, as))

/** Gives the file one fixture, without users unless the database that `open` makes has some. */
export function openBare(environment: Record<string, string> = {}, open?: () => Promise<Db>) {
  beforeAll(async () => {
    enter(await openFixture(environment, open))
  })
  afterAll(() => fixture.close())
}

/** Gives the file one fixture with people in it. */
export function openOnce(environment: Record<string, string> = {}) {
  openBare(environment)
  beforeAll(meet)
}

/** The database of the file whose tests each begin without rows. */
let base: Awaited<ReturnType<typeof openBase>>

/** Gives the file one database and each test an application over it, without users, prepared by the steps that follow. */
export function openBareEach(...steps: (() => Promise<unknown>)[]) {
  beforeAll(async () => {
    base = await openBase()
  })
  beforeEach(async () => {
    enter(await base.emptyFixture())
    for (const step of steps) await step()
  })
  afterEach(() => fixture.close())
  afterAll(() => base.close())
}

/** The same with people in it. */
export const openEach = (...steps: (() => Promise<unknown>)[]) => openBareEach(meet, ...steps)

/** Jobs from the source over connections of their own: those of the application know whose statements are whose. */
export let jobsDb: Db
export function openJobsDbOnce() {
  beforeAll(async () => {
    const { host, user, database } = db.$client.options
    jobsDb = openDatabase({ host, user, database } as Connection, 4)
    await startJobs(jobsDb)
  })
  afterAll(async () => {
    await endJobs()
    await jobsDb.$client.end()
  })
}

/** Gives each test the real clock back that it moved. */
export const realClockAfterEach = () => afterEach(() => void vi.useRealTimers())

/** Sends jobs from the source: the application runs from its build, what a test calls directly does not. Follows `openOnce`. */
export function sendJobsOnce() {
  beforeAll(() => startJobs(db))
  afterAll(endJobs)
}

/** The same in a file of `openEach`, which it follows. */
export function sendJobs() {
  beforeAll(() => startJobs(base.db))
  afterAll(endJobs)
}

async function endJobs() {
  await stopJobs()
  // Changes gather for a moment before they are announced.
  await wait(50)
}

/** Where a navigation leads a visitor; null where the screen is theirs. */
export const ledTo = async (path: string, as?: Visitor) => (await fixture.data(path, as)).location

/** Expects where a navigation leads a visitor; null where the screen is theirs. */
export const expectLed = async (path: string, as: Visitor | undefined, to: string | null) =>
  expectLocation(await fixture.data(path, as), to)

/** Expects a screen to be shown with some words, in its text or its markup. */
export const expectScreen = async (path: string, as: Visitor | undefined, ...words: string[]) =>
  expectShown(await fixture.visit(path, as), 200, ...words)

/** Expects none of some words on a page as a person reads it. */
export async function expectNotOnPage(path: string, as: Visitor | undefined, ...words: string[]) {
  const text = await pageText(path, as)
  for (const one of words) expect(text).not.toContain(one)
}

type Row = string | { id: string }
type Values<Table extends PgTable> = Partial<Table['$inferSelect']>

/** A moment so many milliseconds ahead. */
export const fromNow = (ms: number) => new Date(Date.now() + ms)

/** A moment so many milliseconds back. */
export const ago = (ms: number) => fromNow(-ms)

/** Does the same so many times at once, and answers what came of each. */
export const inParallel = <Done>(count: number, act: () => Promise<Done>) =>
  Promise.all(Array.from({ length: count }, act))

/** Runs a statement in the database. */
export const runSql = <Result extends Record<string, unknown>>(
  text: TemplateStringsArray,
  ...values: unknown[]
) => db.execute<Result>(sql(text, ...values))

/** The rows of a table that have some values. */
export const rowsWhere = <Table extends PgTable>(table: Table, values?: Values<Table>) =>
  rowsIn(fixture, table, values)

/** The first of them. */
export const rowWhere = <Table extends PgTable>(table: Table, values: Values<Table>) =>
  rowIn(fixture, table, values)

/** Sets values of a row. */
export const setRow = <Table extends PgTable & { id: PgColumn }>(
  table: Table,
  row: Row,
  values: PgUpdateSetSource<Table>,
) => setIn(fixture, table, row, values)

/** What happened to a row, in order; of one kind of row where one id names several. */
export const eventsAbout = (row: Row, entity?: string) => eventsOf(fixture, row, entity)

/** The e-mails on their way about a row, in order; those that begin with a word, if given. */
export const sentAbout = (row: Row, start?: string) => emailsAbout(fixture, row, start)

/** Expects the first row of a table that has some values to have others too. */
export const expectRow = async <Table extends PgTable>(table: Table, where: Values<Table>, values: object) =>
  expect(await rowWhere(table, where)).toMatchObject(values)

/** Expects as many rows of a table that have some values as there are others, each with them. */
export const expectRowsIn = async <Table extends PgTable>(
  table: Table,
  where: Values<Table>,
  values: object[],
) => expect(await rowsWhere(table, where)).toMatchObject(values)

/** Expects so many rows of a table that have some values. */
export const expectCount = async <Table extends PgTable>(table: Table, where: Values<Table>, count: number) =>
  expect(await rowsWhere(table, where)).toHaveLength(count)

/** Expects an account, by its id or e-mail, to have some values. */
export const expectUser = (of: { id: string } | { email: string }, values: object) =>
  expectRow(users, 'id' in of ? { id: of.id } : { email: of.email }, values)

/** Expects the names of what happened to a row, in order; of one kind of row where one id names several. */
export const expectTrail = async (row: Row, names: string[], entity?: string) =>
  expect(await trailOf(fixture, row, entity)).toEqual(names)

/** Expects the e-mails on their way about a row, in order; those that begin with a word, if given. */
export const expectEmails = async (row: Row, emails: string[], start?: string) =>
  expect(await sentAbout(row, start)).toEqual(emails)

/** Expects the last event of a row to have some values. */
export const expectLastEvent = async (row: Row, values: object) =>
  expect(await lastEventOf(fixture, row)).toMatchObject(values)

/** Stores one or several rows of a table, and returns them. */
export const storeRows = <Table extends PgTable>(
  table: Table,
  rows: Table['$inferInsert'] | Table['$inferInsert'][],
): Promise<Table['$inferSelect'][]> =>
  db
    .insert(table as PgTable)
    .values(rows as never)
    .returning()
    .execute()
