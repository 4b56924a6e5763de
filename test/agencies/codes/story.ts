import { randomInt } from 'node:crypto'
import { clients, codes } from '../../../src/server/platform/database/schema/agencies.ts'
import type { Person } from '../../kit/people.ts'
import type { World } from '../../kit/world.ts'

export type Code = typeof codes.$inferSelect
type Stored = Partial<typeof codes.$inferInsert>

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const anyText = () => Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')

/** A code of an ally's, active since yesterday for ten people, without a benefit unless told otherwise. */
export async function storeCode({ db }: Pick<World, 'db'>, ally: Person, wish: Stored = {}): Promise<Code> {
  const [code] = await db
    .insert(codes)
    .values({
      ...{ code: anyText(), agencyId: ally.agencyId!, ownerId: ally.id, state: 'active', maxUses: 10 },
      startsOn: '2026-01-01',
      ...wish,
    })
    .returning()
  return code!
}

/** Ties a customer to a code's ally, as if they had used it. */
export async function storeTie({ db }: Pick<World, 'db'>, customer: Pick<Person, 'id'>, code: Code) {
  const { agencyId, id: codeId, ownerId: allyId } = code
  const [tie] = await db
    .insert(clients)
    .values({ agencyId, allyId, codeId, source: 'code', customerId: customer.id, joinedAt: new Date() })
    .returning()
  return tie!
}
