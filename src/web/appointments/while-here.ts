import type { RouterContextProvider } from 'react-router'
import { type AppointmentState, appointmentStates } from '../../domain/appointments/appointment.ts'
import { Refusal } from '../../domain/shared/refusal.ts'
import { db } from '../../server/app/context.ts'
import { appointmentFor } from '../../server/appointments/detail.ts'
import { screenOf } from '../lib/refusals-as-responses.ts'
import { requireActor } from '../lib/require-actor.ts'

type Here = { context: Readonly<RouterContextProvider>; id: string; states: readonly AppointmentState[] }

/**
 * Makes a change from the screen of an appointment in these states. Refused because somebody else took the appointment off
 * that screen, its words take the screen's place, with what was typed: the form is gone, and its loader leads away.
 */
export async function whileHere<Result>(
  { context, id, states }: Here,
  typed: string | null | undefined,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'permission-denied' || !typed) throw error
    const shown = await appointmentFor(context.get(db), requireActor(context), id, appointmentStates)
    // The same form sent twice is no loss: what was typed stands in the appointment.
    if (!shown || states.includes(shown.state) || shown.closingNote?.includes(typed)) throw error
    const description = `${error.description} Esto escribiste: «${typed}»`
    throw screenOf(new Refusal(error.code, { title: error.title, description }))
  }
}
