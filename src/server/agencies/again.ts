import { randomUUID } from 'node:crypto'
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Tx } from '../platform/database/database.ts'
import { clients } from '../platform/database/schema/agencies.ts'
import { holdPhone } from './hold.ts'
import { type NewClient, type Registrar, registerWithin } from './register.ts'

/** A name as it is compared: without accents, capitals and doubled spaces. */
export const plainName = (name: string) =>
  name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().split(/\s+/).join(' ').trim()

/**
 * Registers somebody, or answers the client whom this agency's system registered within a day under the same phone and
 * name, with a new link that takes the place of the last one.
 */
export async function registerAgain(
  tx: Tx,
  who: Registrar,
  person: NewClient,
  now: Date,
): Promise<{ id: string; token: string; isNew: boolean }> {
  await holdPhone(tx, who.agencyId, person.phone)
  const recent = await tx
    .select({ name: clients.name, requestKey: clients.requestKey, id: clients.id })
    .from(clients)
    .where(
      and(
        ...[eq(clients.agencyId, who.agencyId), eq(clients.phone, person.phone), eq(clients.source, 'api')],
        ...[isNull(clients.customerId), isNull(clients.endedAt)],
        sql`${clients.createdAt} > ${now}::timestamptz - interval '1 day'`,
      ),
    )
    .orderBy(desc(clients.createdAt))
  const known = recent.find(({ name }) => name !== null && plainName(name) === plainName(person.name))
  return { ...(await registerWithin(tx, who, person, now, known?.requestKey ?? randomUUID())), isNew: !known }
}
