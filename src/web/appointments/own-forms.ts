import type { RouterContextProvider } from 'react-router'
import type { Service } from '../../domain/appointments/appointment.ts'
import { ownChangeInput } from '../../domain/appointments/schema.ts'
import { roomPath } from '../../domain/calls/room.ts'
import { caller, db } from '../../server/app/context.ts'
import { cancel, nobodyCame } from '../../server/appointments/cancel.ts'
import { askCallBack, keepWaiting } from '../../server/calls/outcomes.ts'
import { claimOffer, declineOffer } from '../../server/scheduling/claim.ts'
import { acceptMove, declineMove } from '../../server/scheduling/move-offers.ts'
import { askEarlier, stopWaiting } from '../../server/scheduling/waiting-list.ts'
import { redirectWithToast } from '../lib/flash.ts'
import { requireActor } from '../lib/require-actor.ts'
import { form } from '../lib/submit.ts'
import { agendaPageOf } from './agenda-paths.ts'

/** The forms of a customer's page of one service. */
export function ownForms(context: Readonly<RouterContextProvider>, request: Request, service: Service) {
  const [database, actor, now] = [context.get(db), requireActor(context), new Date()]
  const input = ownChangeInput
  // A form in the room of a call leads back into it.
  const here = new URL(request.url).searchParams.has('llamada') ? roomPath : agendaPageOf[service]
  const cancelling = (late: boolean) =>
    form(input.cancel, async ({ appointmentId, ...wish }) => {
      await cancel(database, actor, appointmentId, { ...wish, late }, now)
      return redirectWithToast(here, 'Cancelamos tu cita', 'Puedes agendar otra cuando quieras.')
    })
  return {
    cancel: cancelling(false),
    'cancel-late': cancelling(true),
    'ask-earlier': form(input['ask-earlier'], async () => {
      await askEarlier(database, actor, service, now)
      return redirectWithToast(
        here,
        'Te avisamos si se abre antes',
        'Te escribimos por correo en cuanto haya un lugar.',
      )
    }),
    'stop-waiting': form(input['stop-waiting'], async () => {
      await stopWaiting(database, actor, service, now)
      return redirectWithToast(
        here,
        'Ya no esperas un horario antes',
        'Pídelo otra vez cuando quieras.',
        'default',
      )
    }),
    'nobody-came': form(input['nobody-came'], async ({ appointmentId }) => {
      await nobodyCame(database, actor, appointmentId, now)
      return redirectWithToast(here, 'Gracias por avisarnos', 'Te llamamos cuanto antes.')
    }),
    'keep-waiting': form(input['keep-waiting'], async ({ appointmentId }) => {
      await keepWaiting(database, actor, appointmentId, now)
      return redirectWithToast(
        here,
        'Gracias por esperar',
        'Si nadie llega en 10 minutos, volvemos a preguntarte.',
      )
    }),
    'ask-call-back': form(input['ask-call-back'], async ({ appointmentId }) => {
      await askCallBack(database, actor, appointmentId, now)
      return redirectWithToast(
        here,
        'Te llamamos',
        'Ten tu teléfono a la mano: te marcamos lo antes posible.',
      )
    }),
    ...offerForms(context, here),
  }
}

/** The answers to a time that opened, and to another time that we propose. */
function offerForms(context: Readonly<RouterContextProvider>, here: string) {
  const [database, actor, now] = [context.get(db), requireActor(context), new Date()]
  const input = ownChangeInput
  return {
    claim: form(input.claim, async ({ offerId }) => {
      await claimOffer(database, actor, offerId, { address: context.get(caller).address, now })
      return redirectWithToast(here, 'El horario es tuyo', 'Te mandamos los datos por correo.')
    }),
    decline: form(input.decline, async ({ offerId }) => {
      await declineOffer(database, actor, offerId, now)
      return redirectWithToast(here, 'Dejamos pasar ese horario', 'Sigues en la lista.', 'default')
    }),
    'accept-move': form(input['accept-move'], async ({ offerId }) => {
      await acceptMove(database, actor, offerId, now)
      return redirectWithToast(here, 'Tu cita ya tiene su nuevo horario', 'Te mandamos los datos por correo.')
    }),
    'decline-move': form(input['decline-move'], async ({ offerId }) => {
      await declineMove(database, actor, offerId, now)
      return redirectWithToast(
        here,
        'Gracias por avisarnos',
        'Te llamamos para acordar otro horario.',
        'default',
      )
    }),
  }
}
