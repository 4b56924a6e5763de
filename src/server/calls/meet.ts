import { and, eq, isNull } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { appointmentMachine } from '../../domain/appointments/transitions.ts'
import { factsOf, type Held, write } from '../appointments/appointments-changes.ts'
import type { Tx } from '../platform/database/database.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { callSittings, calls } from '../platform/database/schema/call-schema.ts'

/** Notes when both sides are first in the room together, and then lets the appointment begin in its analyst's name. */
export async function meet(tx: Tx, held: Held, now: Date): Promise<Held> {
  await tx.insert(calls).values({ appointmentId: held.id }).onConflictDoNothing()
  if (!(await areBothHere(tx, held)) || !(await areFirstHere(tx, held, now))) return held
  const analyst = await analystOf(tx, held)
  // Begun by hand, or taken back since: what people said stands.
  if (!analyst || held.state !== 'assigned' || !appointmentMachine.can('start', analyst, factsOf(held), now))
    return held
  return write(tx, analyst, held, 'start', now, { startedAt: now })
}

async function areBothHere(tx: Tx, { id }: Held): Promise<boolean> {
  const here = await tx
    .select({ side: callSittings.side })
    .from(callSittings)
    .where(and(eq(callSittings.appointmentId, id), isNull(callSittings.leftAt), isNull(callSittings.lostAt)))
  return here.length === 2
}

async function areFirstHere(tx: Tx, { id }: Held, now: Date): Promise<boolean> {
  const first = await tx
    .update(calls)
    .set({ metAt: now })
    .where(and(eq(calls.appointmentId, id), isNull(calls.metAt)))
    .returning({ id: calls.appointmentId })
  return first.length === 1
}

async function analystOf(tx: Tx, { assigneeId }: Held): Promise<Actor | null> {
  if (!assigneeId) return null
  const [person] = await tx.select().from(users).where(eq(users.id, assigneeId))
  return person ? ({ ...person, twoFactor: person.twoFactorEnabled } as Actor) : null
}
