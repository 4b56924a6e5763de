import type { Actor } from '../../domain/actor.ts'
import type { Finishing } from '../../domain/field-input.ts'
import type { MoveName } from '../../domain/moves.ts'
import { type Closing, closingReasons, closingWords } from '../../domain/reasons.ts'
import { refuse } from '../../domain/refusal.ts'
import { type Db, type Tx, transaction } from '../database/database.ts'
import { enqueue } from '../jobs/jobs.ts'
import { announce } from '../live/announcements.ts'
import { concernedBy, type Held, hold, type Trace, type Written, write } from './changes.ts'

/** The technician is on the way; the customer gets a letter. */
export const setOut = (db: Db, actor: Actor, id: string, now: Date) =>
  move(db, actor, id, 'setOut', now, {
    set: { setOutAt: now },
    also: (tx) => enqueue(tx, 'letter', { letter: 'on_the_way', appointmentId: id, to: 'customer' }),
  })

/** The work begins. */
export const start = (db: Db, actor: Actor, id: string, now: Date) =>
  move(db, actor, id, 'start', now, { set: { startedAt: now } })

/** Takes back that somebody is on the way. */
export const undoSetOut = (db: Db, actor: Actor, id: string, now: Date) =>
  move(db, actor, id, 'undoSetOut', now, { set: { setOutAt: null } })

/** Takes back that the work began. Whoever never said that they set out can take that step back as well. */
export const undoStart = (db: Db, actor: Actor, id: string, now: Date) =>
  move(db, actor, id, 'undoStart', now, {
    set: ({ setOutAt, startedAt }) => ({ startedAt: null, setOutAt: setOutAt ?? startedAt }),
  })

/** Takes back that a call began. */
export const undoCallStart = (db: Db, actor: Actor, id: string, now: Date) =>
  move(db, actor, id, 'undoCallStart', now, { set: { startedAt: null } })

/** The work stops for a while. */
export const pause = (db: Db, actor: Actor, id: string, reason: string | null, now: Date) =>
  move(db, actor, id, 'pause', now, { set: { pausedAt: now }, trace: reason ? { reason } : {} })

/** The work goes on. */
export const resume = (db: Db, actor: Actor, id: string, now: Date) =>
  move(db, actor, id, 'resume', now, { set: { pausedAt: null } })

/**
 * The work is over: done, in part, or found impossible; the latter two with a reason, and the next one can be booked.
 * `talked` keeps what only a call leaves behind, which none ends without.
 */
export const finish = (
  db: Db,
  actor: Actor,
  id: string,
  { outcome, reason, closingNote }: Finishing,
  now: Date,
  talked?: (tx: Tx) => Promise<void>,
) =>
  move(db, actor, id, 'finish', now, {
    set: { finishedAt: now, outcome, closingReason: reason, closingNote, pausedAt: null },
    trace: { ...(reason && { reason: closingReasons[reason] }), data: { outcome } },
    also: async (tx, { service }) => {
      if (service === 'videocall' && !talked)
        refuse('failed-precondition', 'Una asesoría se termina en su propia pantalla. Vuelve a abrirla.')
      await talked?.(tx)
    },
  })

/** What was set out for, or begun, does not take place; its customer hears why, and is asked for another time. */
export const callOff = (db: Db, actor: Actor, id: string, closing: Closing, now: Date) =>
  move(db, actor, id, 'callOff', now, {
    set: ({ sequence }) => ({
      closingReason: closing.reason,
      closingNote: closing.note,
      pausedAt: null,
      sequence: sequence + 1,
    }),
    trace: { reason: closingWords(closing) },
    also: async (tx, { assigneeId }) => {
      await enqueue(tx, 'letter', { letter: 'called_off', appointmentId: id, to: 'customer' })
      if (assigneeId !== actor.id)
        await enqueue(tx, 'letter', { letter: 'called_off', appointmentId: id, to: 'person' })
    },
  })

type Steps = {
  set: Written | ((held: Held) => Written)
  trace?: Trace
  also?: (tx: Tx, moved: Held) => Promise<void>
}

/** Every change of state by a person in the field passes here: hold the row, ask the rules, write, leave a trace. */
async function move(
  db: Db,
  actor: Actor,
  id: string,
  name: MoveName,
  now: Date,
  { also, set, trace = {} }: Steps,
): Promise<Held> {
  const moved = await transaction(db, async (tx) => {
    const held = await hold(tx, actor, id)
    const after = await write(tx, actor, held, name, now, typeof set === 'function' ? set(held) : set, trace)
    await also?.(tx, after)
    return after
  })
  announce(db, { people: concernedBy(moved) })
  return moved
}
