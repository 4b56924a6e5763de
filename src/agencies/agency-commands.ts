import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { endSessions } from '../accounts/providers.ts'
import { type Db, databaseFault, isId, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { agencies } from '../platform/database/schema/projects.ts'
import { assertVersion } from '../platform/database/versions.ts'
import { announce } from '../platform/live/announcements.ts'
import { refuse } from '../shared/refusal.ts'
import { agenciesVisibleTo } from './agency-queries.ts'
import { editsAgencies } from './rules/agency.ts'
import type { AgencyDetails } from './rules/schema.ts'

/** Adds an agency; returns its id. */
export async function addAgency(db: Db, actor: Actor, details: AgencyDetails): Promise<string> {
  if (!editsAgencies(actor)) refuse('permission-denied')
  const id = await named(() =>
    transaction(db, async (tx) => {
      const [made] = await tx.insert(agencies).values(details).returning({ id: agencies.id })
      const entityId = made?.id ?? refuse('internal')
      await record(tx, { entity: 'agency', entityId, actorId: actor.id, name: 'create' })
      return entityId
    }),
  )
  announce(db, { people: [] })
  return id
}

/** Saves an agency's data; `version` is the one that the form was shown with. */
export async function editAgency(
  db: Db,
  actor: Actor,
  id: string,
  { version, ...input }: { version: number } & AgencyDetails,
): Promise<void> {
  const allies = await named(() =>
    transaction(db, async (tx) => {
      const current = await held(tx, actor, id, version)
      const changes = differences(current, input)
      if (Object.keys(changes).length === 0) return []
      await write(tx, id, input)
      await record(tx, {
        entity: 'agency',
        entityId: id,
        actorId: actor.id,
        name: 'update',
        data: { changes },
      })
      return alliesOf(tx, id)
    }),
  )
  announce(db, { people: allies })
}

/** Activates or deactivates an agency. Deactivation ends its allies' sessions, and they cannot sign in. */
export async function switchAgency(
  db: Db,
  actor: Actor,
  id: string,
  { active, version }: { active: boolean; version: number },
): Promise<void> {
  const allies = await transaction(db, async (tx) => {
    const current = await held(tx, actor, id, version)
    if (current.active === active) refuse('aborted')
    await write(tx, id, { active })
    await record(tx, {
      entity: 'agency',
      entityId: id,
      actorId: actor.id,
      name: active ? 'activate' : 'deactivate',
    })
    const people = await alliesOf(tx, id)
    if (!active) for (const person of people) await endSessions(tx, person)
    return people
  })
  announce(db, { people: allies })
}

/**
 * The agency with its row locked; it does not exist for actors who may not see it, and read-only actors are refused.
 */
async function held(tx: Tx, actor: Actor, id: string, version: number) {
  if (!isId(id)) refuse('not-found')
  const [agency] = await tx
    .select()
    .from(agencies)
    .where(and(eq(agencies.id, id), agenciesVisibleTo(actor)))
    .for('update')
  if (!agency) refuse('not-found')
  if (!editsAgencies(actor)) refuse('permission-denied')
  await assertVersion(tx, actor, 'agency', agency, version)
  return agency
}

const write = (tx: Tx, id: string, set: Partial<typeof agencies.$inferInsert>) =>
  tx
    .update(agencies)
    .set({ ...set, version: sql`${agencies.version} + 1` })
    .where(eq(agencies.id, id))

async function alliesOf(tx: Tx, id: string): Promise<string[]> {
  const rows = await tx.select({ id: users.id }).from(users).where(eq(users.agencyId, id))
  return rows.map((row) => row.id)
}

/** The differences, field by field, as the history stores them. */
function differences(current: AgencyDetails, input: AgencyDetails) {
  const before = facesOf(current)
  const after = facesOf(input)
  return Object.fromEntries(
    Object.entries(after)
      .map(([field, to]) => [field, { from: before[field], to }] as const)
      .filter(([, { from, to }]) => JSON.stringify(from) !== JSON.stringify(to)),
  )
}

/** A value means nothing without its kind, so the two are recorded together. */
const facesOf = (agency: AgencyDetails): Record<string, unknown> => ({
  name: agency.name,
  brand: agency.brand,
  contact: agency.contact,
  phone: agency.phone,
  email: agency.email,
  address: agency.address,
  municipality: agency.municipality,
  notes: agency.notes,
  commission: { kind: agency.commissionKind, value: agency.commissionValue },
  benefit: { kind: agency.benefitKind, value: agency.benefitValue },
})

/** Runs a change; a name that is taken, in any spelling, is reported under its field. */
async function named<Result>(change: () => Promise<Result>): Promise<Result> {
  try {
    return await change()
  } catch (error) {
    if (databaseFault(error).constraint !== 'agencies_name_unique') throw error
    const name = 'Ya hay una concesionaria con ese nombre.'
    return refuse('already-exists', name, { errors: { name } })
  }
}
