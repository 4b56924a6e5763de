import { randomUUID } from 'node:crypto'
import { and, asc, desc, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { type Actor, isCustomer } from '../access/rules/actor.ts'
import { type Db, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { clients } from '../platform/database/schema/agencies.ts'
import { agencies, projects } from '../platform/database/schema/projects.ts'
import { hashOf } from '../platform/http/sealing.ts'
import { announce } from '../platform/live/announcements.ts'
import { heldProject, type ProjectOwner } from '../projects/open-project.ts'
import { refuse } from '../shared/refusal.ts'
import { type CodeRow, type NewClient, type Registrar, registerWithin } from './client-invitations.ts'
import { isOneOf, mailboxOf } from './rules/clients.ts'

/** Whose account it is. */
export type AccountRef = Pick<Actor, 'id' | 'role' | 'projectId'>

/** A customer's current attribution. */
export async function activeAttribution(db: Queryable, customerId: string): Promise<ClientRow | null> {
  const [row] = await db
    .select()
    .from(clients)
    .where(and(eq(clients.customerId, customerId), isNull(clients.endedAt)))
  return row ?? null
}

/** The client whom an ally registered and sent this link, as long as it is unused and the agency is active. */
export async function openInvitation(
  db: Queryable,
  token: string | null,
  now: Date,
): Promise<ClientRow | null> {
  if (token === null) return null
  const waits = and(isNull(clients.customerId), isNull(clients.endedAt), gt(clients.inviteExpiresAt, now))
  const [row] = await db
    .select({ client: clients })
    .from(clients)
    .innerJoin(agencies, and(eq(agencies.id, clients.agencyId), agencies.active))
    .where(and(eq(clients.inviteHash, hashOf(token)), waits))
  return row?.client ?? null
}

/**
 * A customer with the link of a counter registration joins the agency without a code: the ally who registered them
 * brought them, also where the code is exhausted. A customer who is attributed already, or is one of the agency's
 * allies, joins nothing.
 */
export async function joinInvitation(
  db: Db,
  actor: AccountRef,
  token: string,
  now: Date,
  phone?: string,
): Promise<boolean> {
  if (!isCustomer(actor)) return false
  const agencyId = await transaction(db, async (tx) => {
    await lockCustomer(tx, actor.id)
    const invited = await openInvitation(tx, token, now)
    if (!invited || (await activeAttribution(tx, actor.id))) return null
    if (await isOwnReferral(tx, actor.id, invited.agencyId, phone)) return null
    await joinRow(tx, actor, { code: null, invited, source: 'link' }, now)
    return invited.agencyId
  })
  if (agencyId) announce(db, { people: [actor.id, agencyId] })
  return agencyId !== null
}

type Joining = { code: CodeRow | null; invited: ClientRow | null; source: 'link' | 'code' }

/**
 * Attributes a locked customer to an agency: as the registered client, or as a new one. From then on the account's data
 * identify them.
 */
export async function joinRow(
  tx: Tx,
  { id: customerId, projectId }: Pick<AccountRef, 'id' | 'projectId'>,
  { code, invited, source }: Joining,
  now: Date,
): Promise<void> {
  const joined = { customerId, codeId: code?.id ?? null, joinedAt: now }
  const client =
    (invited && (await takeInvitation(tx, invited, joined))) ?? (await begin(tx, joined, code, source))
  if (!client) return
  await setAgencyOfProjects(tx, customerId, client.agencyId)
  if (invited?.vehicle) await keepVehicle(tx, { id: customerId, projectId }, invited.vehicle)
  await record(tx, {
    entity: 'client',
    entityId: client.id,
    actorId: customerId,
    name: 'join',
    data: { source: client.source, ...(code && { code: code.code }) },
  })
}

type Joined = { customerId: string; codeId: string | null; joinedAt: Date }

/** Null where another request used the same link first. */
async function takeInvitation(tx: Tx, invited: ClientRow, joined: Joined): Promise<ClientRow | null> {
  const told = { name: null, lastname: null, phone: null, email: null, vehicle: null }
  const [row] = await tx
    .update(clients)
    .set({
      ...joined,
      ...told,
      inviteHash: null,
      inviteExpiresAt: null,
      version: sql`${clients.version} + 1`,
    })
    .where(and(eq(clients.id, invited.id), isNull(clients.customerId), isNull(clients.endedAt)))
    .returning()
  return row ?? null
}

async function begin(tx: Tx, joined: Joined, code: CodeRow | null, source: 'link' | 'code') {
  if (!code) return null
  const { agencyId, ownerId: allyId } = code
  const [row] = await tx
    .insert(clients)
    .values({ ...joined, agencyId, allyId, source })
    .returning()
  return row!
}

/** Stores the car noted at the counter, where its owner has not entered one. */
async function keepVehicle(tx: Tx, owner: ProjectOwner, vehicle: NonNullable<ClientRow['vehicle']>) {
  const id = await heldProject(tx, owner)
  await tx
    .update(projects)
    .set({ vehicle })
    .where(and(eq(projects.id, id), isNull(projects.vehicle)))
}

/** Assigns a customer's open projects, which are locked, to an agency, or to none; closed ones keep theirs. */
export async function setAgencyOfProjects(
  tx: Tx,
  customerId: string,
  agencyId: string | null,
): Promise<void> {
  await tx
    .update(projects)
    .set({ agencyId })
    .where(and(eq(projects.customerId, customerId), isNull(projects.closedAt)))
}

/**
 * Whether a customer is one of an agency's own allies under another account, by e-mail or phone. `phone` is one that is
 * not stored yet.
 */
export async function isOwnReferral(
  db: Queryable,
  customerId: string,
  agencyId: string,
  phone?: string,
): Promise<boolean> {
  const [customer] = await db
    .select({ email: users.email, phone: users.phone })
    .from(users)
    .where(eq(users.id, customerId))
  const allies = await alliesOf(db, agencyId)
  return customer !== undefined && isOneOf({ ...customer, phone: phone ?? customer.phone }, allies)
}

const alliesOf = (db: Queryable, agencyId: string) =>
  db
    .select({ email: users.email, phone: users.phone })
    .from(users)
    .where(and(eq(users.agencyId, agencyId), eq(users.kind, 'alliate')))

export type ClientRow = typeof clients.$inferSelect

/**
 * Locks a customer's attribution until the transaction ends: first the customer, so that a project which is just being
 * opened is either seen here or sees what is written here (`projects_attribute`), then their projects, as every
 * transaction about money does. Codes and clients are locked after these, a code before its clients.
 */
export async function lockAttribution(tx: Tx, customerId: string): Promise<{ projectIds: string[] }> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${customerId}, 726005))`)
  const open = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.customerId, customerId), isNull(projects.closedAt)))
    .orderBy(asc(projects.id))
    .for('update')
  return { projectIds: open.map(({ id }) => id) }
}

/** The same for a user who is a customer, and stays one until then; no other user is ever attributed to an agency. */
export async function lockCustomer(tx: Tx, customerId: string): Promise<{ projectIds: string[] }> {
  const held = await lockAttribution(tx, customerId)
  const [customer] = await tx
    .select({ role: users.role })
    .from(users)
    .where(and(eq(users.id, customerId), isNull(users.deletedAt)))
    .for('share')
  if (!customer) refuse('not-found')
  if (!isCustomer(customer)) refuse('failed-precondition', 'Solo un cliente viene de una concesionaria.')
  return held
}

type Reach = Pick<NewClient, 'phone' | 'email'>

/**
 * The open invitations of an agency by a phone or a mailbox, whoever registered them. Another registration by either waits
 * for this transaction. The agency's own allies are refused: their purchases bring it nothing.
 */
export async function invitedAlready(tx: Tx, agencyId: string, { phone, email }: Reach) {
  const mailbox = email && mailboxOf(email)
  for (const reached of [phone, mailbox])
    if (reached)
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${agencyId} ${reached}`}, 0))`)
  const allies = await alliesOf(tx, agencyId)
  if (isOneOf({ email: '', phone }, allies)) refuseAt('phone', ofAlly)
  if (email && isOneOf({ email, phone: null }, allies)) refuseAt('email', ofAlly)
  // Nobody's mailbox has another beginning once labels and dots are left out.
  const name = mailbox?.slice(0, mailbox.lastIndexOf('@')).replaceAll('.', '')
  const beginning = sql`replace(split_part(split_part(lower(${clients.email}), '@', 1), '+', 1), '.', '')`
  const open = await tx
    .select()
    .from(clients)
    .where(
      and(
        eq(clients.agencyId, agencyId),
        isNull(clients.customerId),
        isNull(clients.endedAt),
        or(eq(clients.phone, phone), name ? sql`${beginning} = ${name}` : undefined),
      ),
    )
    .orderBy(desc(clients.createdAt))
  return open.filter((one) => one.phone === phone || (one.email && mailboxOf(one.email) === mailbox))
}

const ofAlly = 'Es de un aliado de tu concesionaria: un aliado no puede ser su propio cliente.'

/** Says at its field which of an open invitation's data were given again. */
export const refuseInvited = (invited: { phone: string | null }, { phone }: Reach): never =>
  invited.phone === phone
    ? refuseAt('phone', 'Tu concesionaria ya invitó a alguien con este teléfono. Búscalo en la lista.')
    : refuseAt('email', 'Tu concesionaria ya invitó a alguien con este correo. Búscalo en la lista.')

const refuseAt = (field: 'phone' | 'email', error: string): never =>
  refuse('already-exists', error, { errors: { [field]: error } })

/** A name as it is compared: without accents, capitals and doubled spaces. */
export const plainName = (name: string) =>
  name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().split(/\s+/).join(' ').trim()

/**
 * Registers a client, or returns the one whom this agency's system registered under the same phone and name, with a new
 * link that replaces the last one. Whoever else was invited by that phone or mailbox is refused, as at the counter.
 */
export async function registerAgain(
  tx: Tx,
  who: Registrar,
  person: NewClient,
  now: Date,
): Promise<{ id: string; token: string; reference: string | null; isNew: boolean }> {
  const invited = await invitedAlready(tx, who.agencyId, person)
  const known = invited.find(
    ({ name, phone, source }) =>
      source === 'api' && phone === person.phone && name && plainName(name) === plainName(person.name),
  )
  if (!known && invited[0]) refuseInvited(invited[0], person)
  return { ...(await registerWithin(tx, who, person, now, known?.requestKey ?? randomUUID())), isNew: !known }
}
