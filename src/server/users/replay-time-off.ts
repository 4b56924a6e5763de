import type { Actor } from '../../domain/access/actor.ts'
import type { MinuteSpan } from '../../domain/scheduling/roster.ts'
import { clientTimestamp, isReplay, replayTrace } from '../appointments/replay.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { announce } from '../platform/live/announcements.ts'
import { lockingAllStaffing } from '../scheduling/choose.ts'
import { askedHeld, duringOf, hasAsked, hasWithdrawn, withdrawnHeld } from './own-time-off.ts'

type PressedTimeOff = { at: Date } & (
  | { move: 'askTimeOff'; form: { span: MinuteSpan; reason: string } }
  | { move: 'withdrawTimeOff'; form: { timeOffId: string } }
)

/**
 * Time off asked for or withdrawn without a network, judged by the time it was pressed. Received twice, it is one; nothing
 * is done where another phone of the same person asked for the same dates, or withdrew the same request.
 */
export async function replayTimeOff(db: Db, actor: Actor, pressed: PressedTimeOff, now: Date): Promise<void> {
  const at = clientTimestamp(pressed.at, now)
  const trace = replayTrace(pressed.at, at)
  const isHeard = (tx: Tx, name: string) => isReplay(tx, 'user', actor.id, name, actor.id, pressed.at)
  await transaction(
    db,
    async (tx) => {
      if (pressed.move === 'askTimeOff') {
        const during = duringOf(pressed.form.span, at)
        if ((await isHeard(tx, 'ask_time_off')) || (await hasAsked(tx, actor, during))) return
        await askedHeld(tx, actor, { during, reason: pressed.form.reason }, trace)
      } else if (!(await hasWithdrawn(tx, actor, pressed.form.timeOffId)))
        await withdrawnHeld(tx, actor, pressed.form.timeOffId, at, trace)
    },
    lockingAllStaffing,
  )
  announce(db, { people: [actor.id], desk: false })
}
