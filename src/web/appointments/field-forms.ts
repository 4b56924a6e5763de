import { randomUUID } from 'node:crypto'
import type { RouterContextProvider } from 'react-router'
import { activeStates } from '../../domain/appointments/appointment.ts'
import { type Finishing, fieldInput } from '../../domain/appointments/schema.ts'
import { riskNames } from '../../domain/reports/installation-record.ts'
import { noShowSlot } from '../../domain/reports/photos.ts'
import { tidy } from '../../domain/shared/text.ts'
import { db, drive } from '../../server/app/context.ts'
import { takeOverCall } from '../../server/appointments/assign.ts'
import { noShow } from '../../server/appointments/cancel.ts'
import {
  callOff,
  finish,
  pause,
  resume,
  setOut,
  startWork,
  undoCallStart,
  undoSetOut,
  undoStart,
} from '../../server/appointments/field.ts'
import { storeFile } from '../../server/platform/storage/intake.ts'
import { submitSheet } from '../../server/reports/submit.ts'
import { redirectWithToast } from '../lib/flash.ts'
import { requireActor } from '../lib/require-actor.ts'
import { form, type SentForm } from '../lib/submit.ts'
import { whileHere } from './while-here.ts'

type Context = Readonly<RouterContextProvider>
/** Where an appointment is shown while it is to be carried out, and once it is over. */
type Paths = { here: string; over: string }

/** The forms by which a visit or an installation is carried out; those of its sheet stand apart. */
export function fieldForms(context: Context, id: string) {
  const over = `/admin/appointments-done/${id}`
  return {
    ...stepForms(context, id, { here: `/admin/appointments-pending/${id}`, over }),
    finish: form(fieldInput.finish, (wish) =>
      whileHere({ context, id, states: activeStates }, wish.closingNote, async () => {
        await end(context, id, wish)
        return redirectWithToast(over, 'Cita terminada', 'La oficina ya ve lo que registraste.')
      }),
    ),
  }
}

/** What was completed is told by its sheet, which ends it; anything else is told here. */
async function end(context: Context, id: string, wish: Finishing) {
  const [database, actor, now] = [context.get(db), requireActor(context), new Date()]
  if (wish.outcome !== 'completed') return finish(database, actor, id, wish, now)
  return submitSheet(database, actor, id, { at: now, note: wish.closingNote }, now)
}

/** The forms that visits and calls have in common; each goes on to the screen that the appointment has then. */
export function stepForms(context: Context, id: string, paths: Paths) {
  const [database, actor, { here }] = [context.get(db), requireActor(context), paths]
  return {
    setOut: form(fieldInput.setOut, async () => {
      await setOut(database, actor, id, new Date())
      return redirectWithToast(here, 'Vas en camino', 'Le avisamos al cliente.')
    }),
    start: form(fieldInput.start, async (ticked) => {
      const risks = riskNames.filter((name) => ticked[name])
      await startWork(database, actor, id, new Date(), risks)
      return redirectWithToast(here, 'Cita iniciada', 'Termínala cuando acabes.')
    }),
    pause: form(fieldInput.pause, async ({ reason }) => {
      await pause(database, actor, id, reason, new Date())
      return redirectWithToast(here, 'Cita en pausa', 'Continúa con ella cuando puedas.')
    }),
    resume: form(fieldInput.resume, async () => {
      await resume(database, actor, id, new Date())
      return redirectWithToast(here, 'Continúas con la cita', 'Termínala cuando acabes.')
    }),
    takeOver: form(fieldInput.takeOver, async (wish) => {
      await takeOverCall(database, actor, id, wish, new Date())
      return actor.kind === 'analyst'
        ? redirectWithToast(here, 'La llamada es tuya', 'Ya puedes entrar a atenderla.')
        : redirectWithToast(
            here,
            'La llamada cambió de persona',
            'Quien la lleva ahora ya la ve en sus citas.',
          )
    }),
    ...undoForms(context, id, paths),
    ...earlyEndForms(context, id, paths),
  }
}

function undoForms(context: Context, id: string, { here }: Paths) {
  const [database, actor] = [context.get(db), requireActor(context)]
  const notStarted = () =>
    redirectWithToast(here, 'Listo: ya no aparece iniciada', 'Iníciala otra vez cuando empieces.')
  return {
    undoSetOut: form(fieldInput.undoSetOut, async () => {
      await undoSetOut(database, actor, id, new Date())
      return redirectWithToast(here, 'Listo: ya no aparece en camino', 'Márcalo otra vez cuando salgas.')
    }),
    undoStart: form(fieldInput.undoStart, async () => {
      await undoStart(database, actor, id, new Date())
      return notStarted()
    }),
    undoCallStart: form(fieldInput.undoCallStart, async () => {
      await undoCallStart(database, actor, id, new Date())
      return notStarted()
    }),
  }
}

/** The ends of an appointment that did not take place. */
function earlyEndForms(context: Context, id: string, { over }: Paths) {
  const [database, actor] = [context.get(db), requireActor(context)]
  const here = { context, id, states: activeStates }
  return {
    callOff: form(fieldInput.callOff, (wish) =>
      whileHere(here, wish.note, async () => {
        await callOff(database, actor, id, wish, new Date())
        return redirectWithToast(
          over,
          'Cita cancelada',
          'Le avisamos al cliente. Ya puede elegir otro horario.',
        )
      }),
    ),
    noShow: form(
      fieldInput.noShow,
      (wish) =>
        whileHere(here, wish.note, async () => {
          await noShow(database, actor, id, wish, new Date())
          return redirectWithToast(over, 'Registramos que no se presentó', 'La oficina ya lo ve.')
        }),
      // Whatever the form lacks, nobody chooses the photo twice.
      (sent) => whileHere(here, tidy(sent.values.note), () => keepFacade(context, id, sent)),
    ),
  }
}

/** Keeps the photo of a no-show, where one came. */
async function keepFacade(context: Context, id: string, { file }: SentForm): Promise<void> {
  const photo = file('photo')
  if (!photo?.size) return
  const now = new Date()
  const incoming = { id: randomUUID(), appointmentId: id, slot: noShowSlot, capturedAt: now }
  const sent = { ...incoming, sha256: null, keptBecause: null, body: photo.stream() }
  await storeFile(context.get(db), context.get(drive), requireActor(context), sent, now)
}
