import { data, type RouterContextProvider } from 'react-router'
import { activeStates } from '../../domain/appointments/appointment.ts'
import { appointmentPath } from '../../domain/appointments/appointment-path.ts'
import { type CallForm, callForm, type NotesForm } from '../../domain/calls/schema.ts'
import { Refusal } from '../../domain/shared/refusal.ts'
import { db } from '../../server/app/context.ts'
import { finishCall } from '../../server/calls/finish.ts'
import { writeNotes } from '../../server/calls/notes.ts'
import { carryOut, typedIn as typedInStep } from '../appointments/field-action.ts'
import { whileHere } from '../appointments/while-here.ts'
import { toast } from '../lib/flash.ts'
import { someone } from '../lib/someone.ts'
import { type Failure, submit } from '../lib/submit.ts'

type Context = Readonly<RouterContextProvider>
type Args = { request: Request; context: Context; params: { id: string } }

/** Makes the move whose form was sent on the screen of a call, or keeps its notes. */
export const callAction = ({ request, context, params: { id } }: Args) =>
  submit(request, callForm, async (form) =>
    form.move === 'notes'
      ? keepNotes(context, id, form)
      : whileHere({ context, id, states: activeStates }, typedIn(form), () => moveOn(context, id, form)),
  )

/** What somebody wrote in a form of this screen. */
function typedIn(form: Exclude<CallForm, { move: 'notes' }>): string | null {
  if (form.move !== 'finish') return typedInStep(form)
  return [form.summary, form.nextSteps, form.closingNote].filter(Boolean).join('\n') || null
}

async function moveOn(context: Context, id: string, form: Exclude<CallForm, { move: 'notes' }>) {
  const call = { id, service: 'videocall' } as const
  const paths = { here: appointmentPath('pending', call), over: appointmentPath('done', call) }
  if (form.move !== 'finish') return carryOut(context, id, form, paths)
  await finishCall(context.get(db), someone(context), id, form, new Date())
  return toast(paths.over, 'Asesoría terminada', 'El cliente ya puede leer el resumen.')
}

const notYours = {
  title: 'La asesoría ya no es tuya',
  description: 'copia lo que escribiste si lo necesitas.',
}

async function keepNotes(context: Context, id: string, form: NotesForm) {
  try {
    return { kept: await writeNotes(context.get(db), someone(context), id, form, new Date()) }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'permission-denied') throw error
    // Somebody else took the call in the middle of a word: what was written stays on the screen.
    const refusal = { code: error.code, ...notYours, details: undefined }
    const values = { move: 'notes', notes: form.notes }
    return data<Failure>({ errors: {}, values, refusal }, { status: error.status })
  }
}
