import { feedOf } from '../../appointments/calendar.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { Checkbox } from '../../kit/form/field.tsx'
import { Form, FormDetails, OrphanedFormError, Submit, useFormResult } from '../../kit/form/form.tsx'
import { useLastActionData } from '../../kit/form/use-action-data.ts'
import { Part, PartGroup, PartLink, SaveChanges } from '../../kit/part-rows.tsx'
import { requestOf, signedIn } from '../../kit/request.ts'
import { form, forms } from '../../kit/submit.ts'
import { DeviceNotices } from '../../notifications/screens/device-notices.tsx'
import { lastSave } from '../../platform/database/versions.ts'
import { askDeletion, inTheWayOf, inTheWayWords, keepAccount } from '../../privacy/deletion.ts'
import { ownData } from '../../privacy/own-data.ts'
import { areSingleKeysOn } from '../../shared/device.ts'
import { dateTime, longDate } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { buttonClass, LinkButton } from '../../ui/button.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Holdings, type ShownData } from '../../users/screens/holdings.tsx'
import { accountPage, chooseNotices } from '../profile.ts'
import { blockedFor, customerAccountInput, deletionDue, deletionWaitDays } from '../rules/schema.ts'
import { secondFactorOf } from '../second-factor.ts'
import type { Route } from './+types/my-account.ts'
import {
  ContrastCard,
  calendarLinkIn,
  FeedCard,
  KeysCard,
  ProfileCard,
  ProvidersCard,
  SessionsCard,
} from './account-cards.tsx'
import { EmailCard } from './email-card.tsx'
import { accountForms, newsOf, ownOf, providerLabel } from './forms.ts'
import { PasskeyCards } from './passkeys/passkeys-card.tsx'
import { OwnPassword, PasswordCard } from './password-card.tsx'

type Deletion = {
  /** When it happens, once it was requested. */
  dueAt: Date | null
  /** Why it can't be requested now. */
  obstacle: { words: string; to: string; label: string } | null
  waitDays: number
  /** How long the data stays blocked after that, in words. */
  blockedFor: string
}

type DeleteCardProps = {
  deletion: Deletion
  hasPassword: boolean
}

/** Requests the deletion of the account, or withdraws it. */
function DeleteCard({ deletion, hasPassword }: DeleteCardProps) {
  const { blockedFor, dueAt, obstacle, waitDays } = deletion
  return (
    <Part
      id="eliminar"
      title="Eliminar mi cuenta"
      value={dueAt ? `Se elimina el ${longDate(dueAt)}` : `Con ${waitDays} días para arrepentirte`}
      isOpen={useFormResult('delete') !== undefined || dueAt !== null}
    >
      {dueAt ? (
        <Waiting dueAt={dueAt} />
      ) : obstacle ? (
        <>
          <p>{obstacle.words}</p>
          <LinkButton to={obstacle.to} variant="ghost" className="justify-self-start">
            {obstacle.label}
          </LinkButton>
        </>
      ) : hasPassword ? (
        <Ask waitDays={waitDays} blockedFor={blockedFor} />
      ) : (
        <p>Para eliminarla te pedimos tu contraseña. Créala primero en la sección «Contraseña».</p>
      )}
    </Part>
  )
}

function Waiting({ dueAt }: { dueAt: Date }) {
  return (
    <Form intent="keep">
      <Alert tone="wait" title={`Tu cuenta se elimina el ${longDate(dueAt)}`}>
        Hasta ese día puedes cambiar de opinión.
      </Alert>
      <Submit>Conservar mi cuenta</Submit>
    </Form>
  )
}

type AskProps = { waitDays: number; blockedFor: string }

/** Asks for it, saying first what happens to what, and when. */
function Ask({ blockedFor, waitDays }: AskProps) {
  return (
    <>
      <p>
        Esperamos {waitDays} días por si cambias de opinión. Después quitamos del servicio tu nombre, tu
        correo, tu teléfono, tus domicilios, tus fotos y tus accesos, y ya no se pueden recuperar. Los
        guardamos bloqueados {blockedFor} por obligación legal y después los borramos.
      </p>
      <p className="text-sm text-mute">
        La ley fiscal nos pide conservar 5 años lo que aceptaste y pagaste: cotizaciones aceptadas, pagos,
        reembolsos y facturas.
      </p>
      <FormDetails summary="Quiero eliminar mi cuenta" intent="delete">
        <OwnPassword />
        <Submit variant="destructive">Eliminar mi cuenta</Submit>
      </FormDetails>
    </>
  )
}

const here = '/cuenta'

export const handle = { announcesUpdates: true }

/** What the page shows; everything we hold only on request. */
export const loader = async ({ context, request, url }: Route.LoaderArgs) => {
  const { db, now, caller, site } = requestOf(context)
  const own = ownOf(context)
  const { actor, sessionId } = own
  const [account, factor, wasSaved, feed, obstacle, data, news] = await Promise.all([
    accountPage(db, actor, sessionId),
    secondFactorOf(db, caller.ask, own, site.brand, now),
    lastSave(db, actor, { entity: 'user', id: actor.id }),
    feedOf(db, actor),
    inTheWayOf(db, actor.id),
    url.searchParams.has('datos') ? ownData(db, actor, sessionId) : null,
    newsOf(context),
  ])
  const { deletionRequestedAt } = account.user
  const deletion: Deletion = {
    dueAt: deletionRequestedAt && deletionDue(deletionRequestedAt),
    obstacle: obstacle && { words: inTheWayWords[obstacle], ...ways[obstacle] },
    waitDays: deletionWaitDays,
    blockedFor,
  }
  return {
    ...account,
    factor,
    wasSaved,
    provider: providerLabel(context),
    feed,
    data,
    deletion,
    news,
    singleKeys: areSingleKeysOn(request.headers.get('cookie') ?? ''),
    now,
  }
}

const ways = {
  installation: { to: '/', label: 'Ver mi instalación' },
  address: { to: '/address', label: 'Ver mi domicilio' },
}

export const action = forms(({ context }: Route.ActionArgs) => {
  const { db, actor, now, caller } = signedIn(context)
  const schemas = customerAccountInput
  return {
    ...accountForms(context, here),
    notices: form(schemas.notices, async (input) => {
      await chooseNotices(db, actor, input, caller.termsVersion, now)
      return redirectWithToast(`${here}#avisos`, 'Guardamos tus avisos', 'Así te avisamos desde ahora.')
    }),
    delete: form(schemas.delete, async ({ currentPassword }) => {
      await askDeletion(db, actor, currentPassword, now)
      return redirectWithToast(
        `${here}#eliminar`,
        'Vamos a eliminar tu cuenta',
        'Te escribimos la fecha por correo.',
        'default',
      )
    }),
    keep: form(schemas.keep, async () => {
      await keepAccount(db, actor)
      return redirectWithToast(`${here}#eliminar`, 'Conservamos tu cuenta', 'Todo sigue como estaba.')
    }),
  }
})

/** A customer's own account. */
export default function MyAccount({ loaderData, actionData }: Route.ComponentProps) {
  const { user, hasPassword, feed, data, deletion, now, singleKeys, news } = loaderData
  const answer = useLastActionData(actionData)
  return (
    <>
      <PageHeader title="Mi cuenta" back={{ to: '/', label: 'Inicio' }} />
      <OrphanedFormError />
      <div className="grid max-w-4xl gap-8">
        <PartGroup title="Quién eres" help="Con esto te llamamos, te visitamos y te facturamos.">
          <ProfileCard user={user} />
          <PartLink id="domicilios" to="/address#otro-domicilio" title="Domicilios" value="Agregar otro" />
          <PartLink id="fiscales" to="/fiscal" title="Datos fiscales" value="Para facturas a tu nombre" />
        </PartGroup>
        <WaysIn data={loaderData} answer={answer} />
        <PartGroup title="Avisos" help="Por dónde te avisamos y dónde ves tus citas.">
          <NoticesCard user={user} />
          <DeviceNotices news={news} />
          {feed !== undefined && <FeedCard feed={feed} link={calendarLinkIn(answer)} now={now} />}
          <KeysCard isOn={singleKeys}>
            En una videollamada, M silencia tu micrófono, V apaga tu cámara, S comparte tu pantalla y C abre
            el chat.
          </KeysCard>
          <ContrastCard />
        </PartGroup>
        <OwnInformation data={data} deletion={deletion} hasPassword={hasPassword} />
      </div>
    </>
  )
}

type Shown = Route.ComponentProps['loaderData']

type WaysInProps = {
  data: Shown
  answer: object | undefined
}

const WaysIn = ({ answer, data }: WaysInProps) => (
  <PartGroup title="Cómo entras" help="Tu correo, tu contraseña, tus llaves y dónde está abierta tu cuenta.">
    <EmailCard user={data.user} nextEmail={data.nextEmail} hasPassword={data.hasPassword} />
    <PasswordCard email={data.user.email} hasPassword={data.hasPassword} />
    {data.linked.length > 0 && (
      <ProvidersCard label={data.provider} linked={data.linked} hasPassword={data.hasPassword} />
    )}
    <PasskeyCards
      passkeys={data.passkeys}
      factor={data.factor}
      hasPassword={data.hasPassword}
      answer={answer}
      now={data.now}
    />
    <SessionsCard sessions={data.sessions} now={data.now} />
  </PartGroup>
)

const OwnInformation = ({
  data,
  deletion,
  hasPassword,
}: Pick<Shown, 'data' | 'deletion' | 'hasPassword'>) => (
  <PartGroup title="Tu información" help="Es tuya: puedes verla, llevártela o pedir que la borremos.">
    <OwnDataCard data={data} />
    <DeleteCard deletion={deletion} hasPassword={hasPassword} />
  </PartGroup>
)

/** What we hold about the user: to read here, or to download as a file. */
function OwnDataCard({ data }: { data: ShownData | null }) {
  return (
    <Part id="mis-datos" title="Mis datos" value="Ver o descargar" isOpen={data !== null}>
      <p>Puedes ver todo lo que guardamos de ti, y llevártelo en un archivo.</p>
      <div className="flex flex-wrap gap-3 max-sm:*:flex-1">
        {!data && (
          <LinkButton to="/cuenta?datos#mis-datos" variant="ghost" prefetch="none">
            Ver mis datos
          </LinkButton>
        )}
        <a className={buttonClass('ghost')} href="/account/data" download>
          Descargar (JSON)
        </a>
        <a className={buttonClass('ghost')} href="/account/data.zip" download>
          Descargar con fotos y documentos (ZIP)
        </a>
      </div>
      {data && <Holdings data={data} />}
    </Part>
  )
}

type NoticesCardProps = {
  user: { version: number; whatsappOptInAt: Date | null; newsOptInAt: Date | null }
}

/** What we may write about, besides the e-mails about the user's own appointments. */
function NoticesCard({ user }: NoticesCardProps) {
  const since = (at: Date | null) => (at ? `Lo aceptaste el ${dateTime(at)}` : undefined)
  return (
    <Part
      id="avisos"
      title="Correo y WhatsApp"
      value={waysOf(user)}
      isOpen={useFormResult('notices') !== undefined}
    >
      <p className="text-[0.9375rem] text-mute">Los correos sobre tus citas te llegan siempre.</p>
      <Form intent="notices" version={user.version}>
        <Checkbox
          label="Quiero avisos de mis citas por WhatsApp"
          name="whatsapp"
          defaultChecked={user.whatsappOptInAt !== null}
          help={since(user.whatsappOptInAt) ?? 'Antes del primero te preguntamos por ahí: responde SÍ.'}
        />
        <Checkbox
          label="Quiero novedades por correo"
          name="news"
          defaultChecked={user.newsOptInAt !== null}
          help={since(user.newsOptInAt)}
        />
        <SaveChanges>Guardar avisos</SaveChanges>
      </Form>
    </Part>
  )
}

const waysOf = ({ newsOptInAt, whatsappOptInAt }: NoticesCardProps['user']) =>
  `Citas por correo${whatsappOptInAt ? ' y WhatsApp' : ''}${newsOptInAt ? ', y novedades' : ''}`
