import { randomUUID } from 'node:crypto'
import { redirect } from 'react-router'
import { type Actor, isAnalyst, isOffice } from '../../access/rules/actor.ts'
import { readsCalls } from '../../access/rules/routes.ts'
import { assignsCalls } from '../../calls/rules/room.ts'
import { openOfferOf } from '../../dispatch/move-offers.ts'
import { customerWords } from '../../kit/customer-words.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { screenOf } from '../../kit/refusals-as-responses.ts'
import { type LoaderContext, requestOf, signedIn } from '../../kit/request.ts'
import { form, type SentForm } from '../../kit/submit.ts'
import { isId } from '../../platform/database/client.ts'
import { historyOf } from '../../platform/database/lists.ts'
import { appointmentHistory } from '../../projects/screens/timeline-words.ts'
import { quotesFrom } from '../../quotes/detail.ts'
import { quoteBlockedReason, writesQuotes } from '../../quotes/rules/quote.ts'
import { facadeOf, lacksFacade } from '../../reports/photo-addresses.ts'
import { storeFile } from '../../reports/photo-upload.ts'
import { sheetFor } from '../../reports/queries.ts'
import { riskNames } from '../../reports/rules/installation-record.ts'
import { asksFacade, noShowSlot } from '../../reports/rules/photos.ts'
import { sheetKindOf } from '../../reports/rules/report.ts'
import { submitSheet } from '../../reports/submit.ts'
import { currentStaffing } from '../../scheduling/roster.ts'
import { dayOf, toMinutes } from '../../shared/calendar.ts'
import { Refusal, refuse } from '../../shared/refusal.ts'
import { tidy } from '../../shared/text.ts'
import { freeToTakeOver, releaseOwn, takeOverCall } from '../assign.ts'
import { noShow } from '../cancel.ts'
import {
  callOff,
  finish,
  pause,
  resume,
  runLate,
  setOut,
  startWork,
  undoCallStart,
  undoSetOut,
  undoStart,
} from '../field.ts'
import { ownStops } from '../lists.ts'
import { answerNobodyCame } from '../nobody-came.ts'
import { type AppointmentDetail, appointmentFor, factsFor } from '../project-appointments.ts'
import {
  type AppointmentState,
  activeStates,
  appointmentStates,
  type Facts,
  isActive,
  isItsAssignee,
  type Service,
} from '../rules/appointment.ts'
import { appointmentPath } from '../rules/appointment-path.ts'
import type { Finishing } from '../rules/ends-schema.ts'
import type { ListName } from '../rules/list.ts'
import { shownFrom } from '../rules/paths.ts'
import { fieldInput } from '../rules/schema.ts'
import { absentFrom, appointmentMachine, type MoveName } from '../rules/transitions.ts'
import { nearestFreeSlots } from '../transition.ts'
import { undoableFor } from '../undo.ts'

export type Asked = { context: LoaderContext; params: { id: string } }

const next = ['setOut', 'start'] as const satisfies readonly MoveName[]
const offered = [
  ...next,
  'undoSetOut',
  'undoStart',
  'undoCallStart',
  'pause',
  'resume',
  'callOff',
  'finish',
  'noShow',
  'release',
  'takeOver',
  'answerNobodyCame',
  'runLate',
] as readonly MoveName[]

/** Moves whose waiting time is shown before it is over. */
const awaited = ['undoSetOut', 'undoStart', 'undoCallStart', 'noShow'] as const satisfies readonly MoveName[]

/**
 * An appointment to be carried out: what its screen shows of it, what the viewer may do with it now and what has to
 * wait until when. The facts that all of it follows from are not for the page.
 */
export async function loadPending({ context, params }: Asked) {
  const { db, actor, now } = signedIn(context)
  const reading = sheetFor(db, actor, params.id)
  // Where the page ends before it is waited for, its failure is nobody's.
  reading.catch(() => undefined)
  const [found, about, offer, history, undoable] = await Promise.all([
    appointmentFor(db, actor, params.id, appointmentStates),
    factsFor(db, actor, params.id),
    openOfferOf(db, actor, params.id, now),
    isOffice(actor) && isId(params.id) ? historyOf(db, 'appointment', params.id) : [],
    undoableFor(db, actor, params.id),
  ])
  const appointment = found ?? refuse('not-found')
  const facts = about ?? refuse('not-found')
  // It ended while this screen was open, or its button was pressed twice.
  if (!isActive(appointment.state)) throw redirect(appointmentPath('done', appointment, actor.kind))
  // The office takes it from its assignee where it assigns another one.
  const moves = offered.filter(
    (name) =>
      appointmentMachine.can(name, actor, facts, now) && (name !== 'release' || isItsAssignee(actor, facts)),
  )
  // A page kept on a phone offers a no-show once it is time.
  const ownAbsence = isItsAssignee(actor, facts) ? absentFrom(facts) : null
  const facadeIsAsked = (moves.includes('noShow') || ownAbsence) && sheetKindOf[appointment.service]
  const isOwn = appointment.assignee?.id === actor.id
  const isOwnVisit = isOwn && sheetKindOf[appointment.service] !== null
  const day = dayOf(toMinutes(appointment.startsAt))
  const [sheet, stops, staffing, extraWork, facade, proposals, free] = await Promise.all([
    reading,
    isOwnVisit ? ownStops(db, actor, day, day) : [],
    isOwnVisit ? currentStaffing(db) : null,
    appointment.service === 'installation' ? quotesFrom(db, actor, params.id, now) : null,
    facadeIsAsked ? facadeOf(db, actor, params.id) : null,
    moves.includes('callOff') ? nearestFreeSlots(db, appointment, now) : [],
    moves.includes('takeOver') && assignsCalls(actor) ? freeToTakeOver(db, appointment, now) : null,
  ])
  const shown = {
    appointment,
    canReassign: (['assign', 'reassign'] as const).some((name) =>
      appointmentMachine.can(name, actor, facts, now),
    ),
    moves,
    mayCancel: appointmentMachine.can('cancel', actor, facts, now),
    mayQuote: mayQuote(actor, appointment),
    ...waitsOf(actor, facts, now),
    absentFrom: ownAbsence,
    sheet,
    offer,
    undoable,
    history: appointmentHistory(history),
    readAt: now,
    isOffice: isOffice(actor),
    isOwn,
    way: staffing && {
      travel: stops.find(({ id }) => id === appointment.id)?.travel ?? 0,
      window: staffing.settings.arrivalWindowMinutes,
    },
    extraWork,
    facade: facadeIsAsked
      ? { isAsked: asksFacade(actor, appointment.service), takenAt: facade?.capturedAt ?? null }
      : null,
    proposals,
    free,
  }
  return { shown, facts, now }
}

/** Whether more work may be quoted for an installation in progress. */
const mayQuote = (actor: Actor, { service, state }: AppointmentDetail) =>
  service === 'installation' &&
  writesQuotes(actor) &&
  quoteBlockedReason({ service, state, report: null, isViable: true, isProjectClosed: false }) === null

function waitsOf(actor: Actor, facts: Facts, now: Date) {
  const words = (names: readonly MoveName[]) =>
    names
      .map((name) => appointmentMachine.blockedReason(name, actor, facts, now))
      .filter((line) => line !== null)
  const waiting = facts.customerWaitingSince ? words(['takeOver']) : []
  const waits = [...words(awaited), ...waiting]
  const absent = words(['noShow'])
  return {
    wait: words(next)[0] ?? null,
    waits,
    /** Once a kept page offers a no-show. */
    otherWaits: waits.filter((line) => !absent.includes(line)),
  }
}

/** What the screen of an appointment to be carried out shows of it. */
export type Pending = Omit<Awaited<ReturnType<typeof loadPending>>['shown'], 'sheet'>

/** Where an appointment is shown while it is to be carried out, and once it is over. */
type Paths = { here: string; over: string }

/** The forms by which a visit or an installation is carried out; those of its sheet are separate. */
export function fieldForms(context: LoaderContext, id: string) {
  const over = `/admin/appointments-done/${id}`
  const here = `/admin/appointments-pending/${id}`
  const { db } = requestOf(context)
  return {
    ...stepForms(context, id, { here, over }),
    answerNobodyCame: form(fieldInput.answerNobodyCame, async ({ answer }) => {
      await answerNobodyCame(db, signedIn(context).actor, id, answer, new Date())
      const words =
        answer === 'calling'
          ? 'Lo ve en su página.'
          : await customerWords(db, { of: 'appointments', id }, 'Le avisamos al cliente.')
      return redirectWithToast(here, 'Respuesta guardada', words)
    }),
    finish: form(fieldInput.finish, (input) =>
      whileHere({ context, id, states: activeStates }, input.closingNote, async () => {
        await end(context, id, input)
        return redirectWithToast(over, 'Cita terminada', 'La oficina ya ve lo que registraste.')
      }),
    ),
  }
}

/** A completed appointment ends by its sheet, which says what was done; any other outcome is recorded here. */
async function end(context: LoaderContext, id: string, input: Finishing) {
  const { db, actor, now } = signedIn(context)
  if (input.outcome !== 'completed') return finish(db, actor, id, input, now)
  return submitSheet(db, actor, id, { at: now, note: input.closingNote }, now)
}

/** The forms that visits and calls have in common; each redirects to the screen that the appointment has then. */
export function stepForms(context: LoaderContext, id: string, paths: Paths) {
  const { db, actor } = signedIn(context)
  const { here } = paths
  const told = (words: string) => customerWords(db, { of: 'appointments', id }, words)
  const back = ({ from }: SentForm['values']) => shownFrom.get(from) ?? here
  return {
    setOut: form(fieldInput.setOut, async (_, { values }) => {
      await setOut(db, actor, id, new Date())
      return redirectWithToast(back(values), 'Vas en camino', await told('Le avisamos al cliente.'))
    }),
    runLate: form(fieldInput.runLate, async ({ minutes }, { values }) => {
      await runLate(db, actor, id, minutes, new Date())
      return minutes
        ? redirectWithToast(back(values), 'Anotamos el retraso', await told('Le avisamos al cliente.'))
        : redirectWithToast(back(values), 'Listo: va a tiempo', 'El cliente ya ve la hora de antes.')
    }),
    start: form(fieldInput.start, async (ticked) => {
      const risks = riskNames.filter((name) => ticked[name])
      await startWork(db, actor, id, new Date(), risks)
      return redirectWithToast(here, 'Cita iniciada', 'Llena lo que falta y envíalo: con eso termina.')
    }),
    pause: form(fieldInput.pause, async ({ reason }) => {
      await pause(db, actor, id, reason, new Date())
      return redirectWithToast(here, 'Cita en pausa', 'Continúa con ella cuando puedas.')
    }),
    resume: form(fieldInput.resume, async () => {
      await resume(db, actor, id, new Date())
      return redirectWithToast(
        here,
        'Continúas con la cita',
        'Llena lo que falta y envíalo: con eso termina.',
      )
    }),
    takeOver: form(fieldInput.takeOver, async (input) => {
      await takeOverCall(db, actor, id, input, new Date())
      return isAnalyst(actor)
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

function undoForms(context: LoaderContext, id: string, { here }: Paths) {
  const { db, actor } = signedIn(context)
  const notStarted = () =>
    redirectWithToast(here, 'Listo: ya no aparece iniciada', 'Iníciala otra vez cuando empieces.')
  return {
    undoSetOut: form(fieldInput.undoSetOut, async () => {
      await undoSetOut(db, actor, id, new Date())
      return redirectWithToast(here, 'Listo: ya no aparece en camino', 'Márcalo otra vez cuando salgas.')
    }),
    undoStart: form(fieldInput.undoStart, async () => {
      await undoStart(db, actor, id, new Date())
      return notStarted()
    }),
    undoCallStart: form(fieldInput.undoCallStart, async () => {
      await undoCallStart(db, actor, id, new Date())
      return notStarted()
    }),
  }
}

/** The ends of an appointment that did not take place. */
function earlyEndForms(context: LoaderContext, id: string, { over }: Paths) {
  const { db, actor } = signedIn(context)
  const here = { context, id, states: activeStates }
  return {
    callOff: form(fieldInput.callOff, (input) =>
      whileHere(here, input.note, async () => {
        await callOff(db, actor, id, input, new Date())
        const whose = { of: 'appointments', id } as const
        const told = await customerWords(db, whose, 'Le avisamos al cliente.')
        return redirectWithToast(over, 'Cita cancelada', `${told} Ya puede elegir otro horario.`)
      }),
    ),
    release: form(fieldInput.release, ({ reason }) =>
      whileHere(here, reason, async () => {
        await releaseOwn(db, actor, id, reason, new Date())
        return redirectWithToast(
          '/admin',
          'La oficina ya sabe que no puedes llegar',
          'Ella sigue con el cliente.',
        )
      }),
    ),
    noShow: form(
      fieldInput.noShow,
      (input) =>
        whileHere(here, input.note, async () => {
          await noShow(db, actor, id, input, new Date())
          return redirectWithToast(over, 'Registramos que no se presentó', 'La oficina ya lo ve.')
        }),
      // Whatever the form lacks, the photo need not be chosen twice.
      (sent) => whileHere(here, tidy(sent.values.note), () => keepFacade(context, id, sent)),
    ),
  }
}

/** When a photo was taken, as its form says; now where it does not. */
function takenAt({ takenAt }: SentForm['values'], now: Date): Date {
  const taken = new Date(takenAt ?? Number.NaN)
  return taken < now ? taken : now
}

/** Keeps the photo of a no-show, where one came; says that it is missing where it has to be there. */
async function keepFacade(context: LoaderContext, id: string, { file, values }: SentForm) {
  const { db, actor, drive } = signedIn(context)
  const photo = file('photo')
  if (photo?.size) {
    const now = new Date()
    const incoming = {
      id: randomUUID(),
      appointmentId: id,
      slot: noShowSlot,
      capturedAt: takenAt(values, now),
    }
    const sent = { ...incoming, sha256: null, keptBecause: null, body: photo.stream() }
    await storeFile(db, drive, actor, sent, now)
  }
  const shown = await appointmentFor(db, actor, id, appointmentStates)
  return shown ? lacksFacade(db, actor, shown) : {}
}

type Here = { context: LoaderContext; id: string; states: readonly AppointmentState[] }

/**
 * Makes a change from the screen of an appointment in these states. When another user took the appointment off that
 * screen, the refusal replaces the screen, with what was typed: the form is gone, and its loader redirects.
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
    const { db, actor } = signedIn(context)
    const shown = await appointmentFor(db, actor, id, appointmentStates)
    // The same form sent twice loses nothing: what was typed is in the appointment.
    if (!shown || states.includes(shown.state) || shown.closingNote?.includes(typed)) throw error
    const description = `${error.description} Esto escribiste: «${typed}»`
    throw screenOf(new Refusal(error.code, { title: error.title, description }))
  }
}

/** Redirects users who may read calls from the screen of a visit to the screen of a call; allies stay. */
export function leadToCall(list: ListName, appointment: { id: string; service: Service }, { kind }: Actor) {
  if (appointment.service === 'videocall' && kind && readsCalls(kind))
    throw redirect(appointmentPath(list, appointment, kind))
}
