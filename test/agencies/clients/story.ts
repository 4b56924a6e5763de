import { and, asc, eq } from 'drizzle-orm'
import { clients } from '../../../src/server/platform/database/schema/agencies.ts'
import { events } from '../../../src/server/platform/database/schema/projects.ts'
import type { Person } from '../../kit/people.ts'
import type { World } from '../../kit/world.ts'

type Stored = Partial<typeof clients.$inferInsert>

/** A customer whom an ally brought. */
export async function joined(
  { db }: Pick<World, 'db'>,
  customer: Pick<Person, 'id'>,
  ally: Person,
  wish: Stored = {},
): Promise<string> {
  const [row] = await db
    .insert(clients)
    .values({
      ...{ agencyId: ally.agencyId!, allyId: ally.id, source: 'link', customerId: customer.id },
      ...{ joinedAt: new Date(), ...wish },
    })
    .returning({ id: clients.id })
  return row!.id
}

/** A client as stored now. */
export const clientOf = async ({ db }: Pick<World, 'db'>, id: string) =>
  (await db.select().from(clients).where(eq(clients.id, id)))[0]!

/** What happened to a client, in order: what, from where, to where. */
export async function trailOf({ db }: Pick<World, 'db'>, id: string): Promise<string[]> {
  const rows = await db
    .select({ name: events.name, from: events.fromState, to: events.toState })
    .from(events)
    .where(and(eq(events.entity, 'client'), eq(events.entityId, id)))
    .orderBy(asc(events.id))
  return rows.map(({ from, name, to }) => [name, from, to].filter(Boolean).join(' '))
}
