import type { RouterContextProvider } from 'react-router'
import { roomPath } from '../../domain/own-call.ts'
import { type OwnChange, ownChangeInput } from '../../domain/own-change-input.ts'
import type { Service } from '../../domain/services.ts'
import { acceptMove, declineMove } from '../../server/absences/answers.ts'
import { nobodyCame } from '../../server/appointments/absent.ts'
import { cancel } from '../../server/appointments/cancel.ts'
import { askCallBack, keepWaiting } from '../../server/calls/way-out.ts'
import { caller, db } from '../../server/context.ts'
import { claimOffer, declineOffer } from '../../server/waiting-list/claim.ts'
import { askEarlier, stopWaiting } from '../../server/waiting-list/wishes.ts'
import { pageOf } from '../agenda/paths.ts'
import { toast } from '../flash.ts'
import { someone } from '../someone.ts'
import { submit } from '../submit.ts'

type Context = Readonly<RouterContextProvider>

/** The forms of a customer's page of one service. */
export const ownAction = (request: Request, context: Context, service: Service) =>
  submit(request, ownChangeInput, (form) => answer(form, context, hereOf(request, service)))

/** A form in the room of a call leads back into it. */
const hereOf = (request: Request, service: Service): Here => ({
  service,
  here: new URL(request.url).searchParams.has('llamada') ? roomPath : pageOf[service],
})

type Here = { service: Service; here: string }

async function answer(form: OwnChange, context: Context, { here, service }: Here) {
  const [database, actor, now] = [context.get(db), someone(context), new Date()]
  switch (form.intent) {
    case 'cancel':
    case 'cancel-late': {
      const { appointmentId, intent, ...wish } = form
      await cancel(database, actor, appointmentId, { ...wish, late: intent === 'cancel-late' }, now)
      return toast(here, 'Cancelamos tu cita', 'Puedes agendar otra cuando quieras.')
    }
    case 'ask-earlier':
      await askEarlier(database, actor, service, now)
      return toast(here, 'Te avisamos si se abre antes', 'Te escribimos por correo en cuanto haya un lugar.')
    case 'stop-waiting':
      await stopWaiting(database, actor, service, now)
      return toast(here, 'Ya no esperas un horario antes', 'Pídelo otra vez cuando quieras.', 'default')
    case 'claim':
      await claimOffer(database, actor, form.offerId, { address: context.get(caller).address, now })
      return toast(here, 'El horario es tuyo', 'Te mandamos los datos por correo.')
    case 'nobody-came':
      await nobodyCame(database, actor, form.appointmentId, now)
      return toast(here, 'Gracias por avisarnos', 'Te llamamos cuanto antes.')
    case 'keep-waiting':
      await keepWaiting(database, actor, form.appointmentId, now)
      return toast(here, 'Gracias por esperar', 'Si nadie llega en 10 minutos, volvemos a preguntarte.')
    case 'ask-call-back':
      await askCallBack(database, actor, form.appointmentId, now)
      return toast(here, 'Te llamamos', 'Ten tu teléfono a la mano: te marcamos lo antes posible.')
    case 'accept-move':
      await acceptMove(database, actor, form.offerId, now)
      return toast(here, 'Tu cita ya tiene su nuevo horario', 'Te mandamos los datos por correo.')
    case 'decline-move':
      await declineMove(database, actor, form.offerId, now)
      return toast(here, 'Gracias por avisarnos', 'Te llamamos para acordar otro horario.', 'default')
    case 'decline':
      await declineOffer(database, actor, form.offerId, now)
      return toast(here, 'Dejamos pasar ese horario', 'Sigues en la lista.', 'default')
  }
}
