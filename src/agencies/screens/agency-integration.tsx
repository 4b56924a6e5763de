import { data, useActionData } from 'react-router'
import { apiKeysOf, makeKey, revokeKey } from '../../integrations/public-api/keys.ts'
import {
  addEndpoint,
  removeEndpoint,
  renewSecret,
  switchEndpoint,
  testEndpoint,
  webhooksOf,
} from '../../integrations/webhooks/endpoints.ts'
import { replayDelivery } from '../../integrations/webhooks/events.ts'
import type { Webhooks } from '../../integrations/webhooks/send.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { OrphanedFormError } from '../../kit/form/form.tsx'
import { useLastActionData } from '../../kit/form/use-action-data.ts'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { requestOf } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import { refuse } from '../../shared/refusal.ts'
import { keyState } from '../rules/integrations.ts'
import {
  apiKeyInput,
  deliveryInput,
  endpointInput,
  endpointMoveInput,
  revokeKeyInput,
} from '../rules/schema.ts'
import type { Route } from './+types/agency-integration.ts'
import { AgencyKeys } from './agency-keys.tsx'
import { agencyPath } from './agency-paths.ts'
import { openEditor, openTab, type TabRequest } from './agency-server.ts'
import { AgencyWebhooks } from './agency-webhooks.tsx'

export const shouldRevalidate = revalidateOnConflict

export const loader = (args: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const opened = await openTab(args, 'integracion')
    const [keys, webhooks] = await Promise.all([loadKeys(opened), loadWebhooks(opened)])
    return { keys, webhooks }
  })

/** What is shown of the keys: those that serve before the others. */
async function loadKeys({ db, actor, agency, now }: TabRequest) {
  const keys = await apiKeysOf(db, actor, agency.id)
  const told = keys.map((key) => ({ ...key, state: keyState(key, now) }))
  const serving = told.filter(({ state }) => state === 'active')
  return { isActive: agency.active, serving, ended: told.filter(({ state }) => state !== 'active'), now }
}

/** What is shown of webhooks; ?antes= is the delivery that a page of older ones begins after. */
async function loadWebhooks({ db, actor, agency, now, url }: TabRequest) {
  const before = url.searchParams.get('antes')
  const { older, ...shown } = (await webhooksOf(db, actor, agency.id, { before, now })) ?? refuse('not-found')
  const here = agencyPath(agency.id, 'integracion')
  return { ...shown, first: before && here, next: older && `${here}?antes=${older}` }
}

export const action = forms(async (args: Route.ActionArgs) => {
  const opened = await openEditor(args)
  const editor = {
    ...opened,
    here: agencyPath(opened.id, 'integracion'),
    outside: requestOf(args.context).webhooks,
  }
  return { ...keyForms(editor), ...webhookForms(editor) }
})

type Editor = Awaited<ReturnType<typeof openEditor>> & { here: string; outside: Webhooks }

const keyForms = ({ actor, db, here, id, now }: Editor) => ({
  'keys.make': form(apiKeyInput, async (input) =>
    data({ intent: 'keys.make', secret: await makeKey(db, actor, id, input, now) }),
  ),
  'keys.revoke': form(revokeKeyInput, async ({ keyId }) => {
    await revokeKey(db, actor, id, keyId, now)
    return redirectWithToast(here, 'Revocamos la llave', 'Ya no da acceso.')
  }),
})

function webhookForms({ actor, db, here, id, now, outside }: Editor) {
  const switching = (active: boolean) =>
    form(endpointMoveInput, async (seen) => {
      await switchEndpoint(db, actor, { agencyId: id, ...seen }, active, now)
      return active
        ? redirectWithToast(here, 'Destino encendido', 'Recibe los avisos desde ahora.')
        : redirectWithToast(here, 'Destino apagado', 'No le mandamos avisos hasta que lo enciendas.')
    })
  return {
    'webhooks.add': form(endpointInput(outside.allowPrivate), async ({ url }) =>
      data({ intent: 'webhooks.add', secret: await addEndpoint(db, outside, actor, id, url) }),
    ),
    'webhooks.renew': form(endpointMoveInput, async (seen) => {
      const secret = await renewSecret(db, outside, actor, { agencyId: id, ...seen }, now)
      return data({ intent: 'webhooks.renew', secret })
    }),
    'webhooks.test': form(endpointMoveInput, async (seen) => {
      await testEndpoint(db, actor, { agencyId: id, ...seen }, now)
      return redirectWithToast(here, 'Enviando la prueba', 'En unos segundos verás abajo qué respondió.')
    }),
    'webhooks.remove': form(endpointMoveInput, async (seen) => {
      await removeEndpoint(db, actor, { agencyId: id, ...seen })
      return redirectWithToast(here, 'Quitamos el destino', 'Ya no le mandamos avisos.')
    }),
    'webhooks.on': switching(true),
    'webhooks.off': switching(false),
    'webhooks.replay': form(deliveryInput, async ({ deliveryId }) => {
      await replayDelivery(db, actor, id, deliveryId)
      return redirectWithToast(
        here,
        'Enviando el aviso otra vez',
        'En unos segundos verás abajo qué respondió.',
      )
    }),
  }
}

type ShownOnce = { intent: string; secret: string }

/** The secret shown only in the answer to the form whose intent begins so ("keys."). */
function useSecret(): (prefix: string) => string | null {
  // It stays while the page revalidates, and goes with the page.
  const answer = useLastActionData<object | undefined>(useActionData())
  const shown = answer && 'secret' in answer ? (answer as ShownOnce) : null
  return (prefix) => (shown?.intent.startsWith(prefix) ? shown.secret : null)
}

export default function AgencyIntegration({ loaderData: { keys, webhooks } }: Route.ComponentProps) {
  const secret = useSecret()
  return (
    <>
      <OrphanedFormError />
      <AgencyKeys {...keys} secret={secret('keys.')} />
      <AgencyWebhooks {...webhooks} secret={secret('webhooks.')} />
    </>
  )
}
