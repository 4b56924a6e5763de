import { and, eq, isNull } from 'drizzle-orm'
import { type Actor, isCustomer } from '../access/rules/actor.ts'
import type { Queryable } from '../platform/database/client.ts'
import { quotes } from '../platform/database/schema/payments.ts'
import { addresses } from '../platform/database/schema/projects.ts'
import { refuse } from '../shared/refusal.ts'
import { type Home, homeLine, isSameHome } from './rules/address.ts'

const present = and(eq(addresses.projectId, quotes.projectId), isNull(addresses.archivedAt))

/**
 * The home that a project's accepted quote is for, or the one that the manager approved since in its place; null while
 * no quote is accepted. It is the home of the sent quote, regardless of later changes of the address.
 */
export async function quotedHome(db: Queryable, projectId: string): Promise<Home | null> {
  const [row] = await db
    .select({ quoted: quotes.address, sentAt: quotes.sentAt, address: addresses })
    .from(quotes)
    .leftJoin(addresses, present)
    .where(
      and(eq(quotes.projectId, projectId), eq(quotes.kind, 'installation'), eq(quotes.state, 'accepted')),
    )
  if (!row) return null
  return isApproved(row.address, row.sentAt) ? row.address : (row.quoted ?? row.address)
}

const isApproved = (
  address: { approvedAt: Date | null } | null,
  sentAt: Date | null,
): address is NonNullable<typeof address> =>
  Boolean(address?.approvedAt && (!sentAt || address.approvedAt > sentAt))

/** Refuses another home than the one that a project's accepted quote is for. The writer holds the project's row. */
export async function assertQuotedHome(
  db: Queryable,
  projectId: string,
  wished: Home,
  actor: Pick<Actor, 'role'>,
): Promise<void> {
  const home = await quotedHome(db, projectId)
  if (!home || isSameHome(home, wished)) return
  if (!isCustomer(actor))
    refuse(
      'failed-precondition',
      `Su cotización aceptada es para ${homeLine(home)}. Otro domicilio se aprueba en esa cotización.`,
    )
  refuse(
    'failed-precondition',
    `Tu cotización es para este domicilio: ${homeLine(home)}. Para instalar en otro, agrégalo como otro domicilio o pide ayuda.`,
    { offers: 'help' },
  )
}

/** Refuses to remove the home of an accepted quote from its project. */
export async function assertNotQuoted(db: Queryable, projectId: string): Promise<void> {
  if (await quotedHome(db, projectId))
    refuse(
      'failed-precondition',
      'Tu cotización es para este domicilio, así que no se puede quitar. Pide ayuda si ya no vives ahí.',
      { offers: 'help' },
    )
}

type Sent = Pick<typeof quotes.$inferSelect, 'projectId' | 'address' | 'sentAt'>

/** Refuses to accept a quote for a home that its customer has left since. */
export async function assertStillHome(
  db: Queryable,
  { address: quoted, projectId, sentAt }: Sent,
): Promise<void> {
  const own = and(eq(addresses.projectId, projectId), isNull(addresses.archivedAt))
  const [address] = await db.select().from(addresses).where(own)
  if (!quoted || !address || isApproved(address, sentAt) || isSameHome(quoted, address)) return
  refuse(
    'failed-precondition',
    `Esta cotización es para ${homeLine(quoted)}, y tu domicilio ya es otro. Si sigue siendo tu casa, corrígelo en Mi domicilio; si te cambiaste, pide ayuda.`,
    { offers: 'help' },
  )
}
