import type { RouterContextProvider } from 'react-router'
import { appointmentPath } from '../../domain/appointments/appointment-path.ts'
import { cancellingInput, givingInput, releasingInput } from '../../domain/appointments/schema.ts'
import { assignableStates } from '../../domain/appointments/transitions.ts'
import { dateTime } from '../../domain/shared/format.ts'
import { db } from '../../server/app/context.ts'
import { cancel } from '../../server/appointments/cancel.ts'
import { release } from '../../server/appointments/release.ts'
import { moveOnBoard } from '../../server/scheduling/move.ts'
import { whileHere } from '../appointments/while-here.ts'
import { toast } from '../lib/flash.ts'
import { formOf } from '../lib/form.ts'
import { someone } from '../lib/someone.ts'
import { submit } from '../lib/submit.ts'

type Context = Readonly<RouterContextProvider>

const list = '/admin/assignations'
const at = (context: Context, id: string) => ({ context, id, states: assignableStates })

/** The forms of the screen of one appointment to be given: to somebody, to nobody for now, or let go. */
export async function assignAction(request: Request, context: Context, id: string) {
  const form = await formOf(request)
  const intent = form.get('intent')
  if (intent === 'cancel-by-house') return cancelIt(request, context, id)
  return intent === 'release' ? releaseIt(request, context, id) : giveIt(request, context, id)
}

const giveIt = (request: Request, context: Context, id: string) =>
  submit(request, givingInput, async (input) => {
    const moved = await whileHere(at(context, id), input.overrideReason, () =>
      moveOnBoard(context.get(db), someone(context), id, input, new Date()),
    )
    const words = `${moved.folio}: ${dateTime(moved.startsAt)} Le avisamos al cliente.`
    return toast(list, 'Asignación confirmada', words)
  })

const cancelIt = (request: Request, context: Context, id: string) =>
  submit(request, cancellingInput, async ({ intent, ...wish }) => {
    const cancelled = await whileHere(at(context, id), wish.note, () =>
      cancel(context.get(db), someone(context), id, wish, new Date()),
    )
    const words = `${cancelled.folio}. Le avisamos al cliente.`
    return toast(appointmentPath('done', cancelled), 'Cita cancelada', words)
  })

const releaseIt = (request: Request, context: Context, id: string) =>
  submit(request, releasingInput, async ({ releaseReason: reason, version }) => {
    const { folio } = await whileHere(at(context, id), reason, () =>
      release(context.get(db), someone(context), id, { reason, version }, new Date()),
    )
    return toast(
      `${list}/${id}`,
      'La cita quedó sin persona',
      `${folio}. Elige a alguien más; el cliente ya lo sabe.`,
      'default',
    )
  })
