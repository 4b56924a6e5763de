import { data } from 'react-router'
import type { Actor } from '../../access/rules/actor.ts'
import { askCallBack, keepWaiting } from '../../calls/outcomes.ts'
import { roomPath } from '../../calls/rules/room.ts'
import { type OwnAppointment, overviewOf, streetLine } from '../../customers/overview.ts'
import { preparations, sentenceAbove } from '../../customers/rules/customer-home.ts'
import { arrivalFor } from '../../dispatch/arrival.ts'
import { claimOffer, declineOffer } from '../../dispatch/claim.ts'
import { acceptMove, declineMove } from '../../dispatch/move-offers.ts'
import { notBefore } from '../../dispatch/rules/arrival.ts'
import { askEarlier, stopWaiting, waitingOf } from '../../dispatch/waiting-list.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { type LoaderContext, requestOf, signedIn } from '../../kit/request.ts'
import { form } from '../../kit/submit.ts'
import type { Db } from '../../platform/database/client.ts'
import { facadeOf } from '../../reports/photo-addresses.ts'
import { currentStaffing } from '../../scheduling/roster.ts'
import { calendarLinks, customersEntry } from '../calendar.ts'
import { answerNoShow, cancel, isNoShowAnswered } from '../cancel.ts'
import { allowedActionsOf } from '../change-time.ts'
import { nobodyCame } from '../nobody-came.ts'
import { isUpcoming, type Service, serviceFacts } from '../rules/appointment.ts'
import { isUnanswered } from '../rules/nobody-came.ts'
import { agendaPageOf, confirming, sharedVisitPath } from '../rules/paths.ts'
import { mayBeShared } from '../rules/rules.ts'
import { ownChangeInput } from '../rules/schema.ts'
import { sharedSince, shareVisit, stopSharing } from '../shared-visit.ts'
import { standingBooking } from '../unverified.ts'
import type { ShownAppointment } from './appointment-card.tsx'

export type OwnServicePage = Awaited<ReturnType<typeof ownService>>

/** What a customer's page of one service shows. */
export async function ownService(context: LoaderContext, service: Service, url: URL) {
  const { db, actor, now, modules, calendarSource } = signedIn(context)
  const [overview, { settings }, waiting] = await Promise.all([
    overviewOf(db, actor, now, modules),
    currentStaffing(db),
    waitingOf(db, actor, [service], now),
  ])
  const { active, past, hindrance, moveOffer } = overview.services[service]
  const [rights, arrival, missed, share, standing] = await Promise.all([
    active && allowedActionsOf(db, actor, active.id, now),
    active && arrivalOfShown(context, active, now),
    active ? null : missedVisit(db, actor, past[0]),
    active && mayBeShared(active, now) ? sharedSince(db, actor, active.id) : undefined,
    actor.emailVerified ? null : standingBooking(db, actor.id),
  ])
  const window = settings.arrivalWindowMinutes
  const isJustBooked = url.searchParams.has(confirming) && active && isUpcoming(active.state)
  return {
    service,
    stage: overview.stage,
    line: overview.line,
    lead: active && !overview.call?.turn ? sentenceAbove({ ...active, arrival }, { now, window }) : null,
    missed,
    prepare: active && isPrepared(active) ? preparations(overview.prepared) : [],
    asked: overview.asked,
    hindrance,
    area: hindrance === 'area' ? overview.area : null,
    wantsNotice: overview.address?.wantsNotice ?? false,
    ready: service === 'installation' ? overview.ready : [],
    limit: service === 'installation' ? overview.limit : null,
    minutes: settings.services[service].minutes,
    visitPrice: settings.visitFee.amount,
    window,
    rights,
    share: share === undefined ? null : { since: share },
    justBooked: isJustBooked
      ? {
          calendars: calendarLinks(entryOf(active, { ...calendarSource, settings })),
          keptUntil: standing?.keptUntil ?? null,
        }
      : null,
    waiting: waiting.get(service) ?? { isWaiting: false, offer: null },
    moveOffer,
    now,
    call: service === 'videocall' ? overview.call : null,
    next: overview.next,
    active: active && { ...shown(active), arrival },
    past: past.map(shown),
  }
}

/** Of a visit whose customer was not found: the photo that shows it, and whether they answered. */
async function missedVisit(database: Db, actor: Actor, last: OwnAppointment | undefined) {
  if (last?.state !== 'no_show') return null
  const [facade, isAnswered] = await Promise.all([
    facadeOf(database, actor, last.id),
    isNoShowAnswered(database, last.id),
  ])
  return { id: last.id, facade, isAnswered }
}

/** Whether somebody comes home, and is not on the way yet. */
export const isPrepared = ({ service, state }: Pick<OwnAppointment, 'service' | 'state'>) =>
  serviceFacts[service].needsTravel && isUpcoming(state)

const entryOf = (active: OwnAppointment, house: Parameters<typeof customersEntry>[2]) =>
  customersEntry(
    { ...active, sequence: 0, updatedAt: active.since, performer: active.assignee },
    { whole: true },
    house,
  )

/** When the technician of a customer's appointment arrives, while we say that they are on the way. */
export const arrivalOfShown = async (
  context: LoaderContext,
  { id, missed, runningLate, state }: Arriving,
  now: Date,
  customer: Pick<Actor, 'id'> = signedIn(context).actor,
) => {
  if (state !== 'en_route' || isUnanswered(missed)) return null
  const { db, routing } = requestOf(context)
  const arrival = await arrivalFor(db, routing, customer, id, now)
  return notBefore(arrival, runningLate?.until ?? null)
}

type Arriving = Pick<OwnAppointment, 'id' | 'missed' | 'state'> & Partial<Pick<OwnAppointment, 'runningLate'>>

/** An appointment without what its customer's pages don't show. */
export const shown = ({
  id,
  folio,
  service,
  state,
  startsAt,
  minutes,
  assignee,
  interest,
  outcome,
  closingReason,
  closingNote,
  notes,
  address,
  summary,
  nextSteps,
  customerCameAt,
  missed,
  who,
}: OwnAppointment): ShownAppointment => ({
  id,
  folio,
  service,
  state,
  startsAt,
  minutes,
  assignee,
  interest,
  outcome,
  closingReason,
  closingNote,
  notes,
  summary,
  nextSteps,
  isMissed: closingReason === 'analista_no_disponible' && customerCameAt !== null,
  place: address && streetLine(address),
  missed,
  who,
  arrival: null,
})

/** The forms of a customer's page of one service. */
export function ownForms(context: LoaderContext, request: Request, service: Service) {
  const { db, actor, now, calendarSource } = signedIn(context)
  const schemas = ownChangeInput
  // A form in the room of a call redirects back into it.
  const here = new URL(request.url).searchParams.has('llamada') ? roomPath : agendaPageOf[service]
  const cancelling = (late: boolean) =>
    form(schemas.cancel, async ({ appointmentId, ...input }) => {
      await cancel(db, actor, appointmentId, { ...input, late }, now)
      return redirectWithToast(here, 'Cancelamos tu cita', 'Puedes agendar otra cuando quieras.')
    })
  return {
    cancel: cancelling(false),
    'cancel-late': cancelling(true),
    'ask-earlier': form(schemas['ask-earlier'], async () => {
      await askEarlier(db, actor, service, now)
      return redirectWithToast(
        here,
        'Te avisamos si se abre antes',
        'Te escribimos por correo en cuanto haya un lugar.',
      )
    }),
    'stop-waiting': form(schemas['stop-waiting'], async () => {
      await stopWaiting(db, actor, service, now)
      return redirectWithToast(
        here,
        'Ya no esperas un horario antes',
        'Pídelo otra vez cuando quieras.',
        'default',
      )
    }),
    'nobody-came': form(schemas['nobody-came'], async ({ appointmentId }) => {
      await nobodyCame(db, actor, appointmentId, now)
      return redirectWithToast(here, 'Gracias por avisarnos', 'Te llamamos cuanto antes.')
    }),
    'share-visit': form(schemas['share-visit'], async ({ appointmentId }) => {
      const secret = await shareVisit(db, actor, appointmentId, now)
      return data({ sharedLink: calendarSource.baseUrl + sharedVisitPath(secret) })
    }),
    'stop-sharing': form(schemas['stop-sharing'], async ({ appointmentId }) => {
      await stopSharing(db, actor, appointmentId)
      return redirectWithToast(here, 'Dejaste de compartir tu visita', 'El enlace ya no muestra nada.')
    }),
    'answer-no-show': form(schemas['answer-no-show'], async (answer) => {
      await answerNoShow(db, actor, answer)
      return redirectWithToast(here, 'Gracias por decirnos', 'Lo revisamos y te llamamos.')
    }),
    'keep-waiting': form(schemas['keep-waiting'], async ({ appointmentId }) => {
      await keepWaiting(db, actor, appointmentId, now)
      return redirectWithToast(
        here,
        'Gracias por esperar',
        'Si nadie llega en 10 minutos, volvemos a preguntarte.',
      )
    }),
    'ask-call-back': form(schemas['ask-call-back'], async ({ appointmentId }) => {
      await askCallBack(db, actor, appointmentId, now)
      return redirectWithToast(
        here,
        'Te vamos a llamar',
        'Ten tu teléfono a la mano: te marcamos lo antes posible.',
      )
    }),
    ...offerForms(context, here),
  }
}

/** The answers to a time that opened, and to another time that we propose. */
function offerForms(context: LoaderContext, here: string) {
  const { db, actor, now, caller } = signedIn(context)
  const schemas = ownChangeInput
  return {
    claim: form(schemas.claim, async ({ offerId }) => {
      await claimOffer(db, actor, offerId, { address: caller.address, now })
      return redirectWithToast(here, 'Listo, cambiamos tu cita', 'Te mandamos los datos por correo.')
    }),
    decline: form(schemas.decline, async ({ offerId }) => {
      await declineOffer(db, actor, offerId, now)
      return redirectWithToast(here, 'Dejamos pasar ese horario', 'Sigues en la lista.', 'default')
    }),
    'accept-move': form(schemas['accept-move'], async ({ offerId }) => {
      await acceptMove(db, actor, offerId, now)
      return redirectWithToast(here, 'Tu cita ya tiene su nuevo horario', 'Te mandamos los datos por correo.')
    }),
    'decline-move': form(schemas['decline-move'], async ({ offerId }) => {
      await declineMove(db, actor, offerId, now)
      return redirectWithToast(
        here,
        'Gracias por avisarnos',
        'Te llamamos para acordar otro horario.',
        'default',
      )
    }),
  }
}
