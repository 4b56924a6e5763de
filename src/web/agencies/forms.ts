import { data, type RouterContextProvider } from 'react-router'
import type { Actor } from '../../domain/access/actor.ts'
import { type AgencySection, editsAgencies } from '../../domain/agencies/agency.ts'
import { codeAnswerInput } from '../../domain/agencies/referral-schema.ts'
import {
  apiKeyInput,
  commissionInput,
  deliveryInput,
  editAgencyInput,
  endpointInput,
  endpointMoveInput,
  holdingsHandOverInput,
  revokeKeyInput,
  switchAgencyInput,
} from '../../domain/agencies/schema.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { adjustCommission } from '../../server/agencies/adjust.ts'
import { editAgency, switchAgency } from '../../server/agencies/agencies-changes.ts'
import { agencyFor } from '../../server/agencies/agencies-queries.ts'
import { moveCode } from '../../server/agencies/changes.ts'
import { handOver } from '../../server/agencies/hand-over.ts'
import { payCommissions } from '../../server/agencies/pay.ts'
import { db, drive, webhooks } from '../../server/app/context.ts'
import { makeKey, revokeKey } from '../../server/integrations/public-api/keys.ts'
import {
  addEndpoint,
  renewSecret,
  switchEndpoint,
  testEndpoint,
} from '../../server/integrations/webhooks/changes.ts'
import { replayDelivery } from '../../server/integrations/webhooks/events.ts'
import type { Db } from '../../server/platform/database/client.ts'
import { redirectWithToast } from '../lib/flash.ts'
import { requireActor } from '../lib/require-actor.ts'
import { form } from '../lib/submit.ts'
import { heldWords } from '../users/held-words.ts'
import { agencySectionPath } from './agency-part.ts'
import { codeMoveForms } from './code-forms.ts'

type Context = Readonly<RouterContextProvider>
type Asked = {
  context: Context
  db: Db
  actor: Actor
  id: string
  here: (section: AgencySection) => string
  now: Date
}

/** Every form of an agency's page; all of them are for those who edit agencies. */
export async function agencyForms(context: Context, id: string) {
  const [database, actor] = [context.get(db), requireActor(context)]
  if (!(await agencyFor(database, actor, id))) refuse('not-found')
  // Said before a word of theirs is looked at.
  if (!editsAgencies(actor)) refuse('permission-denied')
  const here = (section: AgencySection) => agencySectionPath(id, section)
  const asked = { context, db: database, actor, id, here, now: new Date() }
  return {
    ...detailsForms(asked),
    ...codeForms(asked),
    ...commissionForms(asked),
    ...keyForms(asked),
    ...webhookForms(asked),
  }
}

const detailsForms = ({ actor, db, here, id }: Asked) => ({
  edit: form(editAgencyInput, async (input) => {
    await editAgency(db, actor, id, input)
    return redirectWithToast(here('datos'), 'Guardamos los cambios', 'Desde ahora se muestran así.')
  }),
  switch: form(switchAgencyInput, async ({ version, active }) => {
    await switchAgency(db, actor, id, { version, active: active === 'yes' })
    return active === 'yes'
      ? redirectWithToast(here('datos'), 'Concesionaria activada', 'Sus aliados ya pueden entrar.')
      : redirectWithToast(here('datos'), 'Concesionaria desactivada', 'Cerramos las sesiones de sus aliados.')
  }),
  'clients.hand_over': form(holdingsHandOverInput, async ({ from, to }) => {
    const moved = await handOver(db, actor, { agencyId: id, from, to })
    return redirectWithToast(here('clientes'), 'Los pasaste', `Cambiaron de manos ${heldWords(moved)}.`)
  }),
})

function codeForms({ actor, db, here, now }: Asked) {
  const said = 'Se lo decimos por correo a quien lo pidió.'
  return {
    ...codeMoveForms(db, actor, here('codigos'), now),
    'codes.approve': form(codeAnswerInput['codes.approve'], async ({ codeId, version }) => {
      const { code } = await moveCode(db, actor, codeId, 'approve', { version }, now)
      return redirectWithToast(here('codigos'), `Aprobaste el código ${code}`, `Ya sirve. ${said}`)
    }),
    'codes.refuse': form(codeAnswerInput['codes.refuse'], async ({ codeId, reason, version }) => {
      const { code } = await moveCode(db, actor, codeId, 'refuse', { version, reason }, now)
      return redirectWithToast(here('codigos'), `No aprobaste el código ${code}`, said, 'default')
    }),
  }
}

function commissionForms({ actor, context, db, here, id, now }: Asked) {
  const [input, path] = [commissionInput(now), here('comisiones')]
  return {
    'commissions.adjust': form(input['commissions.adjust'], async (wish) => {
      await adjustCommission(db, actor, id, wish, now)
      return redirectWithToast(
        `${path}&mes=${wish.month}`,
        'Comisión ajustada',
        'Ya cuenta en el saldo de su mes.',
      )
    }),
    'commissions.pay': form(input['commissions.pay'], async (wish, { file }) => {
      await payCommissions(db, context.get(drive), actor, id, { ...wish, file: file('file') })
      return redirectWithToast(path, 'Pago registrado', 'Sus aliados reciben un correo con la suma.')
    }),
  }
}

const keyForms = ({ actor, db, here, id, now }: Asked) => ({
  'keys.make': form(apiKeyInput, async (input) =>
    data({ intent: 'keys.make', secret: await makeKey(db, actor, id, input, now) }),
  ),
  'keys.revoke': form(revokeKeyInput, async ({ keyId }) => {
    await revokeKey(db, actor, id, keyId, now)
    return redirectWithToast(here('integracion'), 'Revocamos la llave', 'Desde este momento no abre nada.')
  }),
})

function webhookForms({ actor, context, db, here, id, now }: Asked) {
  const [outside, path] = [context.get(webhooks), here('integracion')]
  const switching = (active: boolean) =>
    form(endpointMoveInput, async (seen) => {
      await switchEndpoint(db, actor, { agencyId: id, ...seen }, active, now)
      return active
        ? redirectWithToast(path, 'Destino encendido', 'Recibe los avisos desde ahora.')
        : redirectWithToast(path, 'Destino apagado', 'No le mandamos avisos hasta que lo enciendas.')
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
      return redirectWithToast(path, 'Prueba en camino', 'En unos segundos verás abajo qué respondió.')
    }),
    'webhooks.on': switching(true),
    'webhooks.off': switching(false),
    'webhooks.replay': form(deliveryInput, async ({ deliveryId }) => {
      await replayDelivery(db, actor, id, deliveryId)
      return redirectWithToast(
        path,
        'Aviso en camino otra vez',
        'En unos segundos verás abajo qué respondió.',
      )
    }),
  }
}
