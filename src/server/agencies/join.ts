import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { hashOf } from '../accounts/code.ts'
import { record } from '../platform/database/changes.ts'
import { type Db, type Queryable, type Tx, transaction } from '../platform/database/database.ts'
import { clients } from '../platform/database/schema/agencies.ts'
import { agencies } from '../platform/database/schema/office-schema.ts'
import { projects } from '../platform/database/schema/project-schema.ts'
import { announce } from '../platform/live/announcements.ts'
import { heldProject } from '../projects/projects-changes.ts'
import type { CodeRow } from './code-use.ts'
import { type ClientRow, holdCustomer } from './hold.ts'
import { setAgencyOfProjects } from './projects.ts'
import { isOwnReferral } from './self-referral.ts'

/** Whose account it is. */
export type Whose = Pick<Actor, 'id' | 'role'>

/** What ties a customer to an agency now. */
export async function livingOf(db: Queryable, customerId: string): Promise<ClientRow | null> {
  const [row] = await db
    .select()
    .from(clients)
    .where(and(eq(clients.customerId, customerId), isNull(clients.endedAt)))
  return row ?? null
}

/** Whom an ally registered and sent this link, as long as nobody used it and the agency takes clients. */
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
 * A customer who came by the link of a counter registration joins it, without a code: whoever registered them brought them,
 * also where the code has been used up. Whoever is tied to an agency already, or is one of its allies, joins nothing.
 */
export async function joinInvitation(
  db: Db,
  actor: Whose,
  token: string,
  now: Date,
  phone?: string,
): Promise<boolean> {
  if (actor.role !== 'customer') return false
  const agencyId = await transaction(db, async (tx) => {
    await holdCustomer(tx, actor.id)
    const invited = await openInvitation(tx, token, now)
    if (!invited || (await livingOf(tx, actor.id))) return null
    if (await isOwnReferral(tx, actor.id, invited.agencyId, phone)) return null
    await joinRow(tx, actor, { code: null, invited, source: 'link' }, now)
    return invited.agencyId
  })
  if (agencyId) announce(db, { people: [actor.id, agencyId] })
  return agencyId !== null
}

type Joining = { code: CodeRow | null; invited: ClientRow | null; source: 'link' | 'code' }

/** Ties a customer, who is held, to an agency: as whom it registered, or anew. Their account says from then on who they are. */
export async function joinRow(
  tx: Tx,
  { id: customerId }: Pick<Whose, 'id'>,
  { code, invited, source }: Joining,
  now: Date,
): Promise<void> {
  const joined = { customerId, codeId: code?.id ?? null, joinedAt: now }
  const client =
    (invited && (await takeInvitation(tx, invited, joined))) ?? (await begin(tx, joined, code, source))
  if (!client) return
  await setAgencyOfProjects(tx, customerId, client.agencyId)
  if (invited?.vehicle) await keepVehicle(tx, customerId, invited.vehicle)
  await record(tx, {
    ...{ entity: 'client', entityId: client.id, actorId: customerId, name: 'join' },
    data: { source: client.source, ...(code && { code: code.code }) },
  })
}

type Joined = { customerId: string; codeId: string | null; joinedAt: Date }

/** Null where somebody else was faster with the same link. */
async function takeInvitation(tx: Tx, invited: ClientRow, joined: Joined): Promise<ClientRow | null> {
  const told = { name: null, lastname: null, phone: null, email: null, vehicle: null }
  const [row] = await tx
    .update(clients)
    .set({
      ...{ ...joined, ...told, inviteHash: null, inviteExpiresAt: null },
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

/** The car that was noted at the counter, where its owner has not said which it is. */
async function keepVehicle(tx: Tx, customerId: string, vehicle: NonNullable<ClientRow['vehicle']>) {
  const id = await heldProject(tx, { id: customerId })
  await tx
    .update(projects)
    .set({ vehicle })
    .where(and(eq(projects.id, id), isNull(projects.vehicle)))
}
