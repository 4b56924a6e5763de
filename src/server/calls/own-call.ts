import { and, eq, isNull } from 'drizzle-orm'
import {
  type CallTurn,
  callChangesAt,
  callTurnOf,
  type OwnCallFacts,
  roomOpensAt,
  roomPhase,
} from '../../domain/calls/room.ts'
import type { Db } from '../platform/database/database.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { callSittings } from '../platform/database/schema/call-schema.ts'

/** A customer's call as their pages show it. `changesIn`: milliseconds from now until it is something else by itself. */
export type OwnCall = {
  turn: CallTurn | null
  opensAt: Date
  callBackAskedAt: Date | null
  /** Where they would be phoned; told only while the room is open. */
  phone: string | null
  changesIn: number | null
}

type Row = Omit<OwnCallFacts, 'now' | 'analystIsHere'> & { id: string }

/** How the room of somebody's own active call stands for them. */
export async function ownCallOf(db: Db, customerId: string, row: Row, now: Date): Promise<OwnCall> {
  const isOpen = roomPhase(row, now) === 'open'
  const [analystIsHere, phone] = isOpen
    ? await Promise.all([analystIn(db, row.id), phoneOf(db, customerId)])
    : [false, null]
  const facts = { ...row, analystIsHere, now }
  const changesAt = callChangesAt(facts)
  return {
    turn: callTurnOf(facts),
    opensAt: roomOpensAt(row.startsAt),
    callBackAskedAt: row.callBackAskedAt,
    phone,
    changesIn: changesAt && changesAt.getTime() - now.getTime(),
  }
}

async function analystIn(db: Db, appointmentId: string): Promise<boolean> {
  const sitting = and(
    eq(callSittings.appointmentId, appointmentId),
    eq(callSittings.side, 'analyst'),
    isNull(callSittings.leftAt),
    isNull(callSittings.lostAt),
  )
  return (await db.select({ id: callSittings.id }).from(callSittings).where(sitting).limit(1)).length > 0
}

async function phoneOf(db: Db, id: string): Promise<string | null> {
  const [customer] = await db.select({ phone: users.phone }).from(users).where(eq(users.id, id))
  return customer?.phone ?? null
}
