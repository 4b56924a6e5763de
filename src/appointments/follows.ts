import type { Tx } from '../platform/database/client.ts'
import { endFeed } from './calendar.ts'
import { affectedUserIds } from './rules/appointment.ts'
import { endSharedVisits } from './shared-visit.ts'
import { letDisownedGo } from './unverified.ts'

/** Links to a user's visits and calendar open without a session, and an intruder may have made them. */
export async function endLinks(tx: Tx, ended: { userId: string; hadFeed: boolean }): Promise<void> {
  await endSharedVisits(tx, ended.userId)
  ended.hadFeed = await endFeed(tx, ended.userId)
}

export async function cancelDisowned(
  tx: Tx,
  { now, people, userId }: { userId: string; now: Date; people: string[] },
): Promise<void> {
  people.push(...(await letDisownedGo(tx, userId, now)).flatMap(affectedUserIds))
}
