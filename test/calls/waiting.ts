import { randomUUID } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import type { CallSide } from '../../src/domain/calls/room.ts'
import { appointments, callSittings, calls } from '../../src/server/platform/database/schema/appointments.ts'
import { minute, storeVisit, type Visit } from '../kit/appointments.ts'
import type { Person } from '../kit/people.ts'
import type { World } from '../kit/world.ts'

/** A call of a customer's with an analyst, as it is booked. */
export async function storeCall(
  world: World,
  customer: Person,
  startsAt: Date,
  assignee: Person,
  wish: Partial<Visit> = {},
) {
  return storeVisit(world, customer, await world.home(customer), startsAt, {
    service: 'videocall',
    folio: `AV-PRUEBA-${randomUUID().slice(0, 8)}`,
    minutes: 30,
    municipality: null,
    interest: '01',
    assigneeId: assignee.id,
    ...wish,
  })
}

/** Somebody sits down in a room, so many minutes after the start: rows as the socket of a call leaves them. */
export async function comes(world: World, call: Visit, by: Person, after: number) {
  const since = new Date(call.startsAt.getTime() + after * minute)
  const side: CallSide = by.id === call.customerId ? 'customer' : 'analyst'
  await world.db.insert(callSittings).values({
    appointmentId: call.id,
    side,
    userId: by.id,
    sessionId: randomUUID(),
    pageId: randomUUID(),
    connectionId: randomUUID(),
    media: { audio: true, video: true, screen: false },
    joinedAt: since,
    seenAt: since,
  })
  if (side === 'customer') await waits(world, call, { customerCameAt: since, customerWaitingSince: since })
}

/** And goes away. */
export async function goes(world: World, call: Visit, by: Person, after: number) {
  await world.db
    .update(callSittings)
    .set({ leftAt: new Date(call.startsAt.getTime() + after * minute), leftBecause: 'left' })
    .where(
      and(
        eq(callSittings.appointmentId, call.id),
        eq(callSittings.userId, by.id),
        isNull(callSittings.leftAt),
      ),
    )
  if (by.id === call.customerId) await waits(world, call, { customerWaitingSince: null })
}

const waits = (world: World, { id }: Visit, set: Partial<Visit>) =>
  world.db.update(appointments).set(set).where(eq(appointments.id, id))

/** What an analyst wrote for the customer of a call that is over. */
export const told = (world: World, { id }: Visit, words: { summary: string; nextSteps: string }) =>
  world.db.insert(calls).values({ appointmentId: id, ...words, notes: 'Solo para mí: duda del precio.' })
