import { randomUUID } from 'node:crypto'
import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { activeStates } from '../../domain/appointments/appointment.ts'
import {
  type FieldForm,
  type Finishing,
  fieldInput,
  type StepForm,
} from '../../domain/appointments/schema.ts'
import { riskNames } from '../../domain/reports/installation-record.ts'
import { noShowSlot } from '../../domain/reports/photos.ts'
import { anyText } from '../../domain/shared/schema.ts'
import { db, drive } from '../../server/app/context.ts'
import { noShow } from '../../server/appointments/cancel.ts'
import {
  callOff,
  finish,
  pause,
  resume,
  setOut,
  start,
  undoCallStart,
  undoSetOut,
  undoStart,
} from '../../server/appointments/field.ts'
import { takeOver } from '../../server/appointments/take-over.ts'
import { storeFile } from '../../server/platform/storage/intake.ts'
import { submitSheet } from '../../server/reports/submit.ts'
import { toast } from '../lib/flash.ts'
import { someone } from '../lib/someone.ts'
import { submit } from '../lib/submit.ts'
import { formWithPhoto } from '../reports/form-with-photo.ts'
import { isOfSheet, sheetAction } from '../reports/sheet-action.ts'
import { noShowMark } from './more-actions.tsx'
import { whileHere } from './while-here.ts'

type Args = { request: Request; context: Readonly<RouterContextProvider>; params: { id: string } }

const pathsOf = (id: string) => ({
  here: `/admin/appointments-pending/${id}`,
  over: `/admin/appointments-done/${id}`,
})

/** Makes the move whose form was sent on the screen of an appointment to be carried out, or keeps what its sheet's form says. */
export async function fieldAction(args: Args) {
  const { here } = pathsOf(args.params.id)
  if (new URL(args.request.url).searchParams.has(noShowMark)) {
    const { form, photo } = await formWithPhoto(args.request)
    const refused = photo && (await keepFacade({ ...args, request: form }, photo))
    return refused || makeMove({ ...args, request: form })
  }
  // The forms of the appointment and those of its sheet are read by rules of their own.
  return (await isOfSheet(args.request)) ? sheetAction(args, { here, states: activeStates }) : makeMove(args)
}

const makeMove = ({ request, context, params: { id } }: Args) =>
  submit(request, fieldInput, (form) =>
    whileHere({ context, id, states: activeStates }, typedIn(form), async () => {
      const paths = pathsOf(id)
      if (form.move !== 'finish') return carryOut(context, id, form, paths)
      await end(context, id, form)
      return toast(paths.over, 'Cita terminada', 'La oficina ya ve lo que registraste.')
    }),
  )

/** Keeps the photo of a no-show before anything else of its form is looked at: whatever that lacks, no one chooses it twice. Answers why not. */
const keepFacade = ({ request, context, params: { id } }: Args, photo: File) =>
  submit(request, z.object({ note: anyText(500) }), ({ note }) =>
    whileHere({ context, id, states: activeStates }, note, async () => {
      const now = new Date()
      const incoming = { id: randomUUID(), appointmentId: id, slot: noShowSlot, capturedAt: now }
      const sent = { ...incoming, sha256: null, keptBecause: null, body: photo.stream() }
      await storeFile(context.get(db), context.get(drive), someone(context), sent, now)
      return null
    }),
  )

/** What was completed is told by its sheet, which ends it; anything else is told here. */
async function end(context: Args['context'], id: string, form: Finishing) {
  const [database, actor, now] = [context.get(db), someone(context), new Date()]
  if (form.outcome !== 'completed') return finish(database, actor, id, form, now)
  return submitSheet(database, actor, id, { at: now, note: form.closingNote }, now)
}

/** What somebody wrote in a form of this screen. */
export function typedIn(form: FieldForm | StepForm): string | null {
  if ('closingNote' in form && form.closingNote) return form.closingNote
  return 'note' in form ? (form.note ?? null) : null
}

/** Makes one of the moves that visits and calls have in common, and goes on to the screen the appointment has then. */
export async function carryOut(
  context: Args['context'],
  id: string,
  form: StepForm,
  { here, over }: { here: string; over: string },
): Promise<Response> {
  const [database, actor, now] = [context.get(db), someone(context), new Date()]
  switch (form.move) {
    case 'setOut':
      await setOut(database, actor, id, now)
      return toast(here, 'Vas en camino', 'Le avisamos al cliente.')
    case 'start':
      await start(
        database,
        actor,
        id,
        now,
        riskNames.filter((name) => form[name]),
      )
      return toast(here, 'Cita iniciada', 'Termínala cuando acabes.')
    case 'undoSetOut':
      await undoSetOut(database, actor, id, now)
      return toast(here, 'Listo: ya no aparece en camino', 'Márcalo otra vez cuando salgas.')
    case 'undoStart':
      await undoStart(database, actor, id, now)
      return toast(here, 'Listo: ya no aparece iniciada', 'Iníciala otra vez cuando empieces.')
    case 'undoCallStart':
      await undoCallStart(database, actor, id, now)
      return toast(here, 'Listo: ya no aparece iniciada', 'Iníciala otra vez cuando empieces.')
    case 'pause':
      await pause(database, actor, id, form.reason, now)
      return toast(here, 'Cita en pausa', 'Continúa con ella cuando puedas.')
    case 'resume':
      await resume(database, actor, id, now)
      return toast(here, 'Continúas con la cita', 'Termínala cuando acabes.')
    case 'callOff':
      await callOff(database, actor, id, form, now)
      return toast(over, 'Cita cancelada', 'Le avisamos al cliente. Ya puede elegir otro horario.')
    case 'noShow':
      await noShow(database, actor, id, form, now)
      return toast(over, 'Registramos que no se presentó', 'La oficina ya lo ve.')
    case 'takeOver':
      await takeOver(database, actor, id, form, now)
      return actor.kind === 'analyst'
        ? toast(here, 'La llamada es tuya', 'Ya puedes entrar a atenderla.')
        : toast(here, 'La llamada cambió de persona', 'Quien la lleva ahora ya la ve en sus citas.')
  }
}
