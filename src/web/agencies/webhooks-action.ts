import { data } from 'react-router'
import { refuse } from '../../domain/refusal.ts'
import { staleForm } from '../../domain/seen-version.ts'
import { deliveryInput, endpointInput, endpointMoveInput } from '../../domain/webhook-input.ts'
import { webhooks } from '../../server/context.ts'
import { addEndpoint, renewSecret, switchEndpoint, testEndpoint } from '../../server/webhooks/changes.ts'
import { replayDelivery } from '../../server/webhooks/replay.ts'
import { toast } from '../flash.ts'
import { submit } from '../submit.ts'
import type { PartAnswer, PartForm } from './agency-part.ts'

type Answer = (form: PartForm) => PartAnswer

const answers: Record<string, Answer> = {
  'webhooks.add': ({ db, actor, agency, context, sent: { form, intent } }) =>
    submit(form, endpointInput(context.get(webhooks).allowPrivate), async ({ url }) => {
      const secret = await addEndpoint(db, context.get(webhooks), actor, agency.id, url)
      return data({ intent, secret })
    }),
  'webhooks.renew': ({ db, actor, agency, context, now, sent: { form, intent } }) =>
    submit(form, endpointMoveInput, async (seen) => {
      const asked = { agencyId: agency.id, ...seen }
      return data({ intent, secret: await renewSecret(db, context.get(webhooks), actor, asked, now) })
    }),
  'webhooks.test': ({ db, actor, agency, here, now, sent: { form } }) =>
    submit(form, endpointMoveInput, async (seen) => {
      await testEndpoint(db, actor, { agencyId: agency.id, ...seen }, now)
      return toast(here, 'Prueba en camino', 'En unos segundos verás abajo qué respondió.')
    }),
  'webhooks.on': switching(true),
  'webhooks.off': switching(false),
  'webhooks.replay': ({ db, actor, agency, here, sent: { form } }) =>
    submit(form, deliveryInput, async ({ deliveryId }) => {
      await replayDelivery(db, actor, agency.id, deliveryId)
      return toast(here, 'Aviso en camino otra vez', 'En unos segundos verás abajo qué respondió.')
    }),
}

function switching(active: boolean): Answer {
  return ({ db, actor, agency, here, now, sent: { form } }) =>
    submit(form, endpointMoveInput, async (seen) => {
      await switchEndpoint(db, actor, { agencyId: agency.id, ...seen }, active, now)
      return active
        ? toast(here, 'Destino encendido', 'Recibe los avisos desde ahora.')
        : toast(here, 'Destino apagado', 'No le mandamos avisos hasta que lo enciendas.')
    })
}

/** Answers the forms of the page whose intent begins with "webhooks.". */
export const webhooksAction: Answer = async (form) => {
  const { intent } = form.sent
  return Object.hasOwn(answers, intent) ? answers[intent]!(form) : refuse('invalid-argument', staleForm)
}
