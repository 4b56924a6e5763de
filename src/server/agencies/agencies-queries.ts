import { randomInt } from 'node:crypto'
import { and, countDistinct, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { editsAgencies, readsAgencyWork, seesAllAgencies } from '../../domain/agencies/agency.ts'
import { type Db, isId } from '../platform/database/client.ts'
import { contains, keyset, listPage } from '../platform/database/lists.ts'
import { sessions, users } from '../platform/database/schema/accounts.ts'
import { codes } from '../platform/database/schema/agencies.ts'
import { agencies } from '../platform/database/schema/projects.ts'

/** The rows an actor may see: an ally only their own agency, a customer none. */
export const agenciesVisibleTo = (actor: Actor): SQL | undefined => {
  if (seesAllAgencies(actor)) return undefined
  return actor.agencyId ? eq(agencies.id, actor.agencyId) : sql`false`
}

/** What narrows the list, and where a page of it stands: `after` is the last agency of the page before. */
type AgencyFilters = { text?: string; active?: 'yes' | 'no'; after?: string }

const byName = keyset(agencies, {
  direction: 'asc',
  key: (of) => [sql`${of.name} collate es`, of.id],
  id: agencies.id,
})
const alliesCount = sql<number>`(select count(*)::int from users where users.agency_id = agencies.id and users.active)`

/** Counted as the lists of clients and the agency's own figures count; null for whoever reads contact facts only. */
const workOf = (actor: Actor) =>
  readsAgencyWork(actor)
    ? {
        clients: sql<
          number | null
        >`(select count(*)::int from clients where clients.agency_id = agencies.id and clients.ended_at is null)`,
        installations: sql<
          number | null
        >`(select count(*)::int from appointments where appointments.agency_id = agencies.id
          and appointments.service = 'installation' and appointments.state = 'done'
          and coalesce(appointments.outcome, 'completed') = 'completed')`,
      }
    : { clients: sql<number | null>`null`, installations: sql<number | null>`null` }

/** The agencies an actor may see, in Spanish order, with how many allies, clients and installations each has. Text is looked for without accents. */
export async function listAgencies(db: Db, actor: Actor, filters: AgencyFilters) {
  const wanted = and(agenciesVisibleTo(actor), ...narrowed(filters))
  const read = (after: SQL | undefined, limit: number) =>
    db
      .select({
        id: agencies.id,
        name: agencies.name,
        brand: agencies.brand,
        contact: agencies.contact,
        phone: agencies.phone,
        municipality: agencies.municipality,
        active: agencies.active,
        allies: alliesCount,
        ...workOf(actor),
      })
      .from(agencies)
      .where(and(wanted, after))
      .orderBy(...byName.orderBy)
      .limit(limit)
  const [page, total] = await Promise.all([
    listPage(read, byName, filters.after),
    db.$count(agencies, wanted),
  ])
  return { ...page, total }
}

export type ListedAgency = Awaited<ReturnType<typeof listAgencies>>['rows'][number]

function narrowed({ text, active }: AgencyFilters): SQL[] {
  const words = sql`concat_ws(' ', ${agencies.name}, ${agencies.brand}, ${agencies.contact})`
  return [
    ...(text ? [contains(words, text)] : []),
    ...(active ? [eq(agencies.active, active === 'yes')] : []),
  ]
}

const shown = {
  id: agencies.id,
  name: agencies.name,
  brand: agencies.brand,
  contact: agencies.contact,
  phone: agencies.phone,
  email: agencies.email,
  address: agencies.address,
  municipality: agencies.municipality,
  active: agencies.active,
  version: agencies.version,
}
const terms = {
  commissionKind: agencies.commissionKind,
  commissionValue: agencies.commissionValue,
  benefitKind: agencies.benefitKind,
  benefitValue: agencies.benefitValue,
  notes: agencies.notes,
}

/** One agency as an actor may see it, or null. Its terms and our notes leave the database for whoever edits it only. */
export async function agencyFor(db: Db, actor: Actor, id: string) {
  if (!isId(id)) return null
  const within = and(eq(agencies.id, id), agenciesVisibleTo(actor))
  if (editsAgencies(actor)) {
    const [row] = await db
      .select({ ...shown, terms })
      .from(agencies)
      .where(within)
    return row ?? null
  }
  const [row] = await db.select(shown).from(agencies).where(within)
  return row ? { ...row, terms: null } : null
}

/** How many allies of an agency have a session open. */
export async function signedInAllies(db: Db, agencyId: string, now: Date): Promise<number> {
  const [row] = await db
    .select({ people: countDistinct(sessions.userId) })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(users.agencyId, agencyId), gt(sessions.expiresAt, now)))
  return row?.people ?? 0
}

/** What a code is made of: nothing that is read as something else. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const length = 8

/** A code's text that nobody has yet, and nobody guesses. */
export async function suggestCode(db: Db): Promise<string> {
  for (;;) {
    const text = Array.from({ length }, () => letters[randomInt(letters.length)]).join('')
    const [taken] = await db.select({ id: codes.id }).from(codes).where(eq(codes.code, text))
    if (!taken) return text
  }
}
