import { and, asc, count, desc, eq, inArray, isNull, ne, not, type SQL, sql } from 'drizzle-orm'
import {
  type Actor,
  allyAgencyOf,
  isAlly,
  isCustomer,
  type Role,
  type StaffKind,
} from '../access/rules/actor.ts'
import { wouldBeClaimed } from '../accounts/email-change.ts'
import { waitingEmail } from '../accounts/password.ts'
import { isOfKind, usersVisibleTo } from '../accounts/people.ts'
import { type Db, isId, type Queryable } from '../platform/database/client.ts'
import { countRows, cutPage, eachRow, escapeLike, holds, type Page } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { agencies, events, projects } from '../platform/database/schema/projects.ts'
import { lastSave } from '../platform/database/versions.ts'
import { toResult } from '../platform/results.ts'
import type { Count, ListOrder } from '../shared/count.ts'
import { rowsPerPage } from '../shared/count.ts'
import { hasMailbox } from '../shared/mailbox.ts'
import { type Result, refuse, unwrap } from '../shared/refusal.ts'
import { searchWords } from '../shared/search.ts'
import { listOf } from '../shared/text.ts'
import { type AccessFacts, managesPeople, type User } from './rules/user.ts'

/**
 * The reads of the specification's profile store (§7), within the actor's rights. Each returns its error and never
 * throws. Lists are sorted by name as a Mexican dictionary does; `some` takes a part of one.
 */

/** Where a part of a list begins, after the user of that id, how long it is, and whether words narrow it. */
type Some = { after?: string; limit?: number; found?: boolean; order?: UserOrder | undefined }

export const readUser = (db: Db, actor: Actor, uid: string) =>
  toResult(async () => {
    const [found] = isId(uid) ? await read(db, actor, eq(users.id, uid)) : []
    return found ?? refuse('not-found')
  })

export const readUsers = (db: Db, actor: Actor, filters: UserFilters = {}, some?: Some) =>
  toResult(() => read(db, actor, within(filters), some))

export const readActiveByRole = (db: Db, actor: Actor, role: Role, text = '', some?: Some) =>
  toResult(() => read(db, actor, and(holds(users.role, role), users.active, within({ text })), some))

export const readActiveByKind = (db: Db, actor: Actor, kind: StaffKind, text = '', some?: Some) =>
  toResult(() => read(db, actor, and(isOfKind(kind), users.active, within({ text })), some))

/** A record by its table; its customer is who letters about it go to. */
export type CustomersRecord = {
  of: 'appointments' | 'cfe_cases' | 'invoices' | 'payments' | 'quotes' | 'refunds'
  id: string
}

/** Whether the customer of a record has a mailbox: no letter goes to the others. The caller may see the record. */
export async function hasLetters(db: Queryable, { id, of }: CustomersRecord): Promise<boolean> {
  const whose = sql`(select customer_id from ${sql.identifier(of)} where id = ${id})`
  const [row] = isId(id) ? await db.select({ email: users.email }).from(users).where(eq(users.id, whose)) : []
  return row === undefined || hasMailbox(row.email)
}

/** The allies of one agency. */
export const readAllies = (db: Db, actor: Actor, agencyId: string) =>
  toResult(async () =>
    isId(agencyId) ? read(db, actor, and(isOfKind('alliate'), eq(users.agencyId, agencyId))) : [],
  )

/** The staff list (specification §3): only role staff, keyed by uid. */
export const readStaff = (db: Db, actor: Actor) =>
  toResult(async (): Promise<Record<string, User>> => {
    const staff = await read(db, actor, holds(users.role, 'staff'))
    return Object.fromEntries(staff.map((user) => [user.uid, user]))
  })

/** Users are documents kept by their uid (specification §3), turned into a list that carries it, in the order asked for. */
async function read(db: Db, actor: Actor, which: SQL | undefined, { after, limit, ...asked }: Some = {}) {
  const order = orderOf(asked)
  const query = db
    .select(document)
    .from(users)
    .where(and(usersVisibleTo(actor), which, after === undefined ? undefined : order.after(after)))
    .orderBy(...order.orderBy)
  const rows = await (limit === undefined ? query : query.limit(limit))
  const place = new Map(rows.map(({ id }, n) => [id, n]))
  const documents = Object.fromEntries(rows.map(({ id, ...row }) => [id, row]))
  return listOf(documents, { idField: 'uid' as const }).sort((a, b) => place.get(a.uid)! - place.get(b.uid)!)
}

const document = {
  id: users.id,
  name: users.name,
  lastname: users.lastname,
  email: users.email,
  role: users.role,
  kind: users.kind,
  agency: users.agencyId,
  phone: users.phone,
  active: users.active,
  createdAt: users.createdAt,
  version: users.version,
}

type UsersPage = Page<User> & Count

/** A page of the manager's list of all users, or of the directory of active staff that the others see. */
export async function usersPage(
  db: Db,
  actor: Actor,
  filters: UserFilters,
  after: string | undefined,
): Promise<UsersPage> {
  const { order, text } = filters
  const some = { ...(after !== undefined && { after }), limit: rowsPerPage + 1, found: Boolean(text), order }
  const [found, counted] = await Promise.all([
    readPage(db, actor, filters, some),
    countUsers(db, actor, filters),
  ])
  return { ...cutPage(unwrap(found)), ...counted }
}

function readPage(db: Db, actor: Actor, filters: UserFilters, some: Some): Promise<Result<User[]>> {
  if (managesPeople(actor)) return readUsers(db, actor, filters, some)
  const { kind, text } = filters
  return kind
    ? readActiveByKind(db, actor, kind, text, some)
    : readActiveByRole(db, actor, 'staff', text, some)
}

const countUsers = (db: Db, actor: Actor, filters: UserFilters): Promise<Count> =>
  countRows(
    db,
    db
      .select(eachRow)
      .from(users)
      .where(
        and(
          usersVisibleTo(actor),
          within(filters),
          managesPeople(actor) ? undefined : holds(users.role, 'staff'),
        ),
      ),
    filters.text,
  )

/** The filters of a list of users. `text` is searched in name, last name, e-mail and phone, ignoring accents. */
type UserFilters = {
  text?: string
  role?: Role
  kind?: StaffKind
  active?: boolean
  agency?: string
  order?: UserOrder
}

/** Usually by name; `created` is the newest first. */
type UserOrder = ListOrder<'created'>

/** The condition for the filters. */
const within = ({ text = '', role, kind, active, agency }: UserFilters): SQL | undefined =>
  and(
    ...searchWords(text).map(mentions),
    role && holds(users.role, role),
    kind && isOfKind(kind),
    active === undefined ? undefined : active ? users.active : not(users.active),
    agency === undefined ? undefined : isId(agency) ? eq(users.agencyId, agency) : sql`false`,
  )

/** That a user's name, last name, e-mail or phone contains a word, in a query of `users`. Selected, the pattern is made once. */
export const mentions = (word: string): SQL =>
  sql`users.searchable like (select '%' || plain_text(${escapeLike(word)}) || '%')`

/** By name and last name as a Mexican dictionary does, where a user who has no name yet comes last; or by when they came. */
const keys = {
  name: [
    sql`(${users.name} is null)`,
    sql`(coalesce(${users.name}, '') collate es)`,
    sql`(coalesce(${users.lastname}, '') collate es)`,
    sql`${users.id}`,
  ],
  created: [sql`${users.createdAt}`, sql`${users.id}`],
}

/** An order of users, and the condition that a user follows the one with that id in it. */
function orderOf({ found, order }: Pick<Some, 'found' | 'order'>) {
  const isDown = order === 'reverse' || order === 'created'
  const parts = order === undefined || order === 'reverse' ? keys.name : keys.created
  const key = sql.join(parts, sql`, `)
  // No index stands in the order of a row: few are found by words, and then put in order.
  const ordered = found ? [sql`row(${key})`] : parts
  const than = isDown ? sql`<` : sql`>`
  return {
    orderBy: ordered.map(isDown ? desc : asc),
    after: (id: string): SQL =>
      isId(id) ? sql`row(${key}) ${than} (select ${key} from users where users.id = ${id}::uuid)` : sql`true`,
  }
}

export type PersonEvent = {
  id: number
  name: string
  from: string | null
  to: string | null
  data: unknown
  at: Date
  /** The author: null for the system. */
  by: { id: string; name: string } | null
}

const shownAtOnce = 50

/** The latest changes of a person, newest first, of the kinds that `names` lists; for the manager only. */
export async function personHistory(
  db: Db,
  actor: Actor,
  uid: string,
  names: readonly string[],
): Promise<PersonEvent[]> {
  if (!managesPeople(actor)) return []
  const rows = await db
    .select({
      id: events.id,
      name: events.name,
      from: events.fromState,
      to: events.toState,
      data: events.data,
      at: events.at,
      byId: events.actorId,
      byName: sql<string>`coalesce(nullif(${users.fullName}, ''), ${users.email}, '')`,
    })
    .from(events)
    .leftJoin(users, eq(users.id, events.actorId))
    .where(and(eq(events.entity, 'user'), eq(events.entityId, uid), inArray(events.name, [...names])))
    .orderBy(desc(events.at), desc(events.id))
    .limit(shownAtOnce)
  return rows.map(({ byId, byName, ...event }) => ({
    ...event,
    by: byId === null ? null : { id: byId, name: byName },
  }))
}

export type AgencyName = { id: string; name: string; active: boolean }

/** The names of agencies in Spanish order; an ally knows their own only. */
export async function agencyNames(db: Db, actor: Actor): Promise<AgencyName[]> {
  const agencyId = allyAgencyOf(actor)
  if (isCustomer(actor) || (isAlly(actor) && !agencyId)) return []
  return db
    .select({ id: agencies.id, name: agencies.name, active: agencies.active })
    .from(agencies)
    .where(agencyId ? eq(agencies.id, agencyId) : undefined)
    .orderBy(sql`${agencies.name} collate es`, agencies.id)
}

/**
 * The current data that the manager reads about a user beside their profile, above all why a change would be refused.
 */
export type PersonStatus = Pick<AccessFacts, 'emailVerified' | 'openProject' | 'otherManagers'> & {
  twoFactor: boolean
  /** The requested new e-mail, which waits for verification. */
  nextEmail: string | null
  /** Whether a correction takes the account over for its mailbox's owner. */
  takenOver: boolean
  /** The customer that stands for this one since a merge. */
  mergedIntoId: string | null
  /** Who saved last, and when. */
  saved: string | undefined
}

/** Null for any actor but the manager. */
export async function personStatusOf(
  db: Db,
  actor: Actor,
  uid: string,
  now: Date,
): Promise<PersonStatus | null> {
  if (!managesPeople(actor)) return null
  const others = and(isOfKind('manager'), users.active, ne(users.id, uid))
  const [[person], [managers], [open], nextEmail] = await Promise.all([
    db
      .select({
        emailVerified: users.emailVerified,
        twoFactor: sql<boolean>`${users.twoFactorEnabled} or exists (select 1 from passkeys k where k.user_id = ${uid})`,
        mergedIntoId: users.mergedIntoId,
      })
      .from(users)
      .where(eq(users.id, uid)),
    db.select({ total: count() }).from(users).where(others),
    db
      .select({ total: count() })
      .from(projects)
      .where(and(eq(projects.customerId, uid), isNull(projects.closedAt))),
    waitingEmail(db, uid, now),
  ])
  return {
    emailVerified: person?.emailVerified ?? false,
    twoFactor: person?.twoFactor ?? false,
    otherManagers: managers?.total ?? 0,
    openProject: (open?.total ?? 0) > 0,
    nextEmail,
    mergedIntoId: person?.mergedIntoId ?? null,
    saved: await lastSave(db, actor, { entity: 'user', id: uid }),
    takenOver: person ? await wouldBeClaimed(db, { id: uid, ...person }) : false,
  }
}
