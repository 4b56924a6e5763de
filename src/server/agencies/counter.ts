import { and, desc, eq, isNull } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { countTry } from '../accounts/limits.ts'
import { type Db, type Tx, transaction } from '../platform/database/database.ts'
import { clients, codes } from '../platform/database/schema/agencies.ts'
import { announce } from '../platform/live/announcements.ts'
import { holdPhone } from './hold.ts'
import { isGiven, type NewClient, registerWithin } from './register.ts'

type Wish = { client: NewClient; requestKey: string; consentVersion: string }

/** An ally registers somebody who stands in front of them; answers the client and the token of their invitation's link. */
export async function registerAtCounter(
  db: Db,
  actor: Actor,
  { client, requestKey, consentVersion }: Wish,
  now: Date,
): Promise<{ id: string; token: string }> {
  if (actor.kind !== 'alliate' || !actor.agencyId) return refuse('permission-denied')
  const { agencyId, id } = actor
  await countTry(db, 'clients by ally', id, now)
  const who = { agencyId, allyId: id, source: 'counter', actorId: id, consentVersion } as const
  const made = await transaction(db, async (tx) => {
    await refuseTwice(tx, agencyId, client.phone, requestKey)
    return registerWithin(tx, who, client, now, requestKey)
  })
  announce(db, { people: [agencyId], desk: false })
  return made
}

/** Somebody whom the agency invited already has a link; two would make two clients of one person, also of two allies at once. */
async function refuseTwice(tx: Tx, agencyId: string, phone: string, requestKey: string): Promise<void> {
  await holdPhone(tx, agencyId, phone)
  const invited = await tx
    .select({ requestKey: clients.requestKey })
    .from(clients)
    .where(
      and(
        ...[eq(clients.agencyId, agencyId), eq(clients.phone, phone)],
        ...[isNull(clients.customerId), isNull(clients.endedAt)],
      ),
    )
  if (invited.every((one) => one.requestKey === requestKey)) return
  const error = 'Tu concesionaria ya invitó a alguien con este teléfono. Búscalo en la lista.'
  refuse('already-exists', error, { errors: { phone: error } })
}

/** The codes an ally may give at the counter: their own that are active, the one made last first. */
export const codesToGive = (db: Db, actor: Actor, now: Date) =>
  db
    .select({ code: codes.code, label: codes.label, kind: codes.benefitKind, value: codes.benefitValue })
    .from(codes)
    .where(and(eq(codes.ownerId, actor.id), isGiven(now)))
    .orderBy(desc(codes.createdAt))
