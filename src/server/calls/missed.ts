import { and, eq, gt, isNotNull, isNull, lt, lte, or } from 'drizzle-orm'
import { closingReasons } from '../../domain/appointments/appointment.ts'
import { appointmentMachine } from '../../domain/appointments/transitions.ts'
import { APOLOGY_MINUTES, WAY_OUT_MINUTES } from '../../domain/calls/room.ts'
import { toDate, toMinutes } from '../../domain/shared/calendar.ts'
import { log } from '../app/stop.ts'
import {
  type AppointmentRow,
  affectedUserIds,
  factsOf,
  lockAppointment,
  transition,
} from '../appointments/transition.ts'
import { releaseSlot } from '../appointments/unverified.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { appointments, callSittings, calls } from '../platform/database/schema/appointments.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { askToCallCustomer } from '../projects/projects-queries.ts'

/** Cancels, with our apology, the calls to which their customer came and nobody else. Answers how many; twice at once is once. */
export async function endMissedCalls(db: Db, now: Date): Promise<number> {
  let count = 0
  for (const { id } of await maybeMissed(db, now)) {
    // One that fails must not keep the others waiting; the next round takes it up again.
    const ended = await endOne(db, id, now).catch((err) => {
      log.error({ err, appointment: id }, 'a missed call was not ended')
      return null
    })
    if (!ended) continue
    count++
    announce(db, { people: affectedUserIds(ended) })
  }
  return count
}

const maybeMissed = (db: Db, now: Date) =>
  db
    .select({ id: appointments.id })
    .from(appointments)
    .where(
      and(
        eq(appointments.service, 'videocall'),
        or(eq(appointments.state, 'requested'), eq(appointments.state, 'assigned')),
        lte(appointments.startsAt, toDate(toMinutes(now) - APOLOGY_MINUTES)),
        isNotNull(appointments.customerCameAt),
        isNull(appointments.callBackAskedAt),
      ),
    )

const endOne = (db: Db, id: string, now: Date): Promise<AppointmentRow | null> =>
  transaction(db, async (tx) => {
    const held = await lockAppointment(tx, 'system', id)
    if (!appointmentMachine.can('missCall', 'system', factsOf(held), now) || (await wasMetOrTheirs(tx, held)))
      return null
    const closing = { closingReason: 'analista_no_disponible', customerWaitingSince: null } as const
    const ended = await transition(tx, 'system', held, 'missCall', now, closing, {
      reason: closingReasons.analista_no_disponible,
      data: { from: held.assigneeId, startsAt: held.startsAt },
    })
    await tell(tx, ended)
    await releaseSlot(tx, held, now)
    return ended
  })

/** Whether they met, its beginning taken back since, or the customer gave up although an analyst was there in time: nothing to apologise for. */
async function wasMetOrTheirs(
  tx: Tx,
  { customerWaitingSince, id, startsAt }: AppointmentRow,
): Promise<boolean> {
  if (customerWaitingSince) return false
  const [call] = await tx.select({ metAt: calls.metAt }).from(calls).where(eq(calls.appointmentId, id))
  if (call?.metAt) return true
  const [inTime] = await tx
    .select({ id: callSittings.id })
    .from(callSittings)
    .where(
      and(
        eq(callSittings.appointmentId, id),
        eq(callSittings.side, 'analyst'),
        lt(callSittings.joinedAt, toDate(toMinutes(startsAt) + WAY_OUT_MINUTES)),
        or(isNull(callSittings.leftAt), gt(callSittings.leftAt, startsAt)),
      ),
    )
    .limit(1)
  return inTime !== undefined
}

async function tell(tx: Tx, ended: AppointmentRow) {
  const { assigneeId, confirmedAt, folio, id } = ended
  await enqueue(tx, 'letter', { letter: 'analyst_missed', appointmentId: id, to: 'customer' })
  await enqueue(tx, 'letter', { letter: 'analyst_missed', appointmentId: id, to: 'managers' })
  if (assigneeId && confirmedAt)
    await enqueue(tx, 'letter', {
      letter: 'cancelled',
      appointmentId: id,
      to: 'person',
      personId: assigneeId,
    })
  await askToCallCustomer(tx, ended, {
    subject: `Pedir una disculpa: nadie atendió la videollamada ${folio}`,
    reason: 'missed_call',
  })
}
