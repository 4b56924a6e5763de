import { and, eq, isNull } from 'drizzle-orm'
import { PLACE_KEPT_MS } from '../../domain/calls/room.ts'
import { log } from '../app/log.ts'
import type { Db } from '../platform/database/database.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'
import { callSittings, type LeftBecause } from '../platform/database/schema/call-schema.ts'
import { whyOver } from './access.ts'
import { end, ended } from './sittings.ts'

/** A process that wrote nothing for so long has ended, in seconds; each writes every ten. */
const SILENT_SECONDS = 30

const silent = {
  name: 'call_sittings_silent',
  text: `with silent as (
      update call_sittings set lost_at = seen_at, connection_id = null
      where left_at is null and lost_at is null and seen_at < now() - interval '${SILENT_SECONDS} seconds'
      returning appointment_id)
    select pg_notify('calls', appointment_id::text) from silent`,
}

type Sitting = Pick<typeof callSittings.$inferSelect, 'lostAt' | 'side' | 'userId'>

/** Takes note of processes that ended without a word, and of places whose call is over or that nobody came back to. Any process may, also at once. */
export async function sweepSittings(db: Db, now: Date): Promise<void> {
  await db.$client.query(silent)
  const open = await db
    .select({ sitting: callSittings, appointment: appointments })
    .from(callSittings)
    .innerJoin(appointments, eq(appointments.id, callSittings.appointmentId))
    .where(isNull(callSittings.leftAt))
  const due = open.filter(({ appointment, sitting }) => whyGone(appointment, sitting, now))
  // One that fails must not keep the others waiting; the next round takes it up again.
  for (const id of new Set(due.map(({ sitting }) => sitting.appointmentId)))
    await endWhatIsOver(db, id, now).catch((err) =>
      log.warn({ err, appointment: id }, 'a place in a room was not given up'),
    )
}

function whyGone(
  appointment: Parameters<typeof whyOver>[0],
  sitting: Sitting,
  now: Date,
): LeftBecause | null {
  const isGivenUp = sitting.lostAt && now.getTime() - sitting.lostAt.getTime() > PLACE_KEPT_MS
  return whyOver(appointment, sitting, now) ?? (isGivenUp ? 'lost' : null)
}

/** Who is left waits since the other side's connection was lost, not since we noticed. */
const endWhatIsOver = (db: Db, appointmentId: string, now: Date) =>
  end(db, appointmentId, async (tx, held) => {
    let since: Date | null = null
    const open = and(eq(callSittings.appointmentId, appointmentId), isNull(callSittings.leftAt))
    for (const sitting of await tx.select().from(callSittings).where(open)) {
      const because = whyGone(held, sitting, now)
      if (!because) continue
      await tx.update(callSittings).set(ended(because)).where(eq(callSittings.id, sitting.id))
      since = sitting.lostAt ?? now
    }
    return since
  })
