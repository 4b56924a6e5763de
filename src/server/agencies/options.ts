import { and, eq, isNull } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import type { Db } from '../platform/database/database.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { clients, codes } from '../platform/database/schema/agencies.ts'
import { clientsVisibleTo } from './visible.ts'

/** What an agency's list of clients can be narrowed to: the codes and the allies that brought some of them. */
export async function clientOptions(db: Db, actor: Actor, agencyId: string) {
  const within = and(clientsVisibleTo(actor), eq(clients.agencyId, agencyId), isNull(clients.endedAt))
  const [ofCode, ofAlly] = await Promise.all([
    db
      .selectDistinct({ value: codes.id, label: codes.code })
      .from(clients)
      .innerJoin(codes, eq(codes.id, clients.codeId))
      .where(within)
      .orderBy(codes.code),
    db
      .selectDistinct({
        value: users.id,
        label: users.fullName,
      })
      .from(clients)
      .innerJoin(users, eq(users.id, clients.allyId))
      .where(within),
  ])
  return { codes: ofCode, allies: ofAlly }
}

export type ClientOptions = Awaited<ReturnType<typeof clientOptions>>
