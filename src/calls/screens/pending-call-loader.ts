import { data, redirect } from 'react-router'
import type { Actor } from '../../access/rules/actor.ts'
import { activeStates, type Facts, isItsAssignee } from '../../appointments/rules/appointment.ts'
import { appointmentPath } from '../../appointments/rules/appointment-path.ts'
import { appointmentMachine } from '../../appointments/rules/transitions.ts'
import { type Asked, loadPending, stepForms, whileHere } from '../../appointments/screens/pending-server.ts'
import { stageFor } from '../../customers/overview.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { type LoaderContext, signedIn } from '../../kit/request.ts'
import { type Failure, form } from '../../kit/submit.ts'
import { Refusal } from '../../shared/refusal.ts'
import { finishCall, notesOf, writeNotes } from '../outcomes.ts'
import { callEntry, sidesInRoom } from '../queries.ts'
import { roomOpensAt, roomPhase, waitOf, writesNotes } from '../rules/room.ts'
import { ownCallInput, type WrittenNotes } from '../rules/schema.ts'

/** A call to carry out: what the screen of an open appointment shows, who is in its room, and its notes. */
export async function loadPendingCall(asked: Asked) {
  const { facts, now, shown } = await loadPending(asked)
  const { appointment } = shown
  if (appointment.service !== 'videocall') throw redirect(appointmentPath('pending', appointment))
  const { db, actor } = signedIn(asked.context)
  const [notes, inRoom, stage, entry] = await Promise.all([
    notesOf(db, appointment.id),
    sidesInRoom(db, appointment.id),
    stageFor(db, { ...appointment.customer, projectId: appointment.projectId }, now),
    callEntry(db, actor, appointment.id, now),
  ])
  return {
    ...shown,
    // A call is not paused half way: the room keeps the analyst's place.
    moves: shown.moves.filter((move): boolean => move !== 'pause'),
    now,
    viewer: actor.id,
    notes,
    stage,
    entry,
    mayWriteNotes: writesNotes(actor, facts),
    room: { ...roomOf(facts, actor, now), inRoom },
    waits: shown.waits.filter((words) => words !== takeOverWait(facts, actor, now)),
    refreshIn: refreshIn(facts, now),
  }
}

/** From when on another analyst may take the call, beside the waiting customer. */
const takeOverWait = (facts: Facts, actor: Actor, now: Date) =>
  facts.customerWaitingSince ? appointmentMachine.blockedReason('takeOver', actor, facts, now) : null

const roomOf = (facts: Facts, actor: Actor, now: Date) => ({
  takeOverWait: takeOverWait(facts, actor, now),
  phase: roomPhase(facts, now),
  opensAt: roomOpensAt(facts.startsAt),
  waitingSince: facts.customerWaitingSince,
  callBackAskedAt: facts.callBackAskedAt,
  isMine: isItsAssignee(actor, facts),
})

/** In how many milliseconds the screen changes by itself: the room opens, or another analyst may take the call. */
function refreshIn(facts: Facts, now: Date): number | null {
  const moments = [roomOpensAt(facts.startsAt), facts.customerWaitingSince && waitOf(facts)?.takeOverAt]
  const ahead = moments.map((at) => (at ? at.getTime() - now.getTime() : 0)).filter((ms) => ms > 0)
  return ahead.length > 0 ? Math.min(...ahead) : null
}

export type PendingCall = Awaited<ReturnType<typeof loadPendingCall>>

/** The forms of the screen of a call. */
export function callForms(context: LoaderContext, id: string) {
  const call = { id, service: 'videocall' } as const
  const paths = { here: appointmentPath('pending', call), over: appointmentPath('done', call) }
  return {
    ...stepForms(context, id, paths),
    finish: form(ownCallInput.finish, (input) => {
      const typed = [input.summary, input.nextSteps, input.closingNote].filter(Boolean).join('\n')
      return whileHere({ context, id, states: activeStates }, typed, async () => {
        const { db, actor, now } = signedIn(context)
        await finishCall(db, actor, id, input, now)
        return redirectWithToast(paths.over, 'Asesoría terminada', 'El cliente ya puede leer el resumen.')
      })
    }),
    notes: form(ownCallInput.notes, (written) => keepNotes(context, id, written)),
  }
}

const notYours = {
  title: 'La asesoría ya no es tuya',
  description: 'copia lo que escribiste si lo necesitas.',
}

async function keepNotes(context: LoaderContext, id: string, written: WrittenNotes) {
  try {
    const { db, actor, now } = signedIn(context)
    return { kept: await writeNotes(db, actor, id, written, now) }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'permission-denied') throw error
    // Another analyst took the call while the user typed: what was written stays on the screen.
    const refusal = { code: error.code, ...notYours, details: undefined }
    const values = { move: 'notes', notes: written.notes }
    return data<Failure>({ errors: {}, values, refusal }, { status: error.status })
  }
}
