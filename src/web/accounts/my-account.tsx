import { useActionData } from 'react-router'
import { dateTime } from '../../domain/shared/format.ts'
import { calendarLinkIn, FeedCard } from '../appointments/feed-card.tsx'
import { FiscalLinkCard } from '../invoices/fiscal-link-card.tsx'
import { Alert } from '../ui/alert.tsx'
import { buttonClass, LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Form, OrphanedFormError } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Submit } from '../ui/submit.tsx'
import { useLastActionData } from '../ui/use-last-action-data.ts'
import type { TermsUrls } from './accept-terms.tsx'
import { DeleteCard } from './delete-card.tsx'
import { EmailCard } from './email-card.tsx'
import { Holdings, type ShownData } from './holdings.tsx'
import type { myAccount } from './my-account-server.ts'
import { PasswordCard } from './password-card.tsx'
import { ProvidersCard, Sections } from './providers-card.tsx'
import { ProfileCard, SessionsCard } from './sessions-card.tsx'

type MyAccountProps = { account: Awaited<ReturnType<typeof myAccount>> }

const sections = [
  { id: 'perfil', label: 'Tus datos' },
  { id: 'correo', label: 'Correo' },
  { id: 'fiscales', label: 'Datos fiscales' },
  { id: 'contrasena', label: 'Contraseña' },
  { id: 'calendario', label: 'Calendario' },
  { id: 'avisos', label: 'Avisos' },
  { id: 'sesiones', label: 'Sesiones' },
  { id: 'mis-datos', label: 'Mis datos' },
  { id: 'eliminar', label: 'Eliminar' },
]

/** A customer's own account, at /?cuenta. */
export function MyAccount({ account }: MyAccountProps) {
  const { user, hasPassword, sessions, linked, nextEmail, provider, feed, data, deletion, now } = account
  const answer = useLastActionData<object>(useActionData())
  return (
    <>
      <PageHeader title="Mi cuenta" back={{ to: '/', label: 'Inicio' }} />
      <OrphanedFormError />
      <Sections sections={sections} />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <div className="grid gap-4">
          <ProfileCard user={user} />
          <EmailCard {...{ user, nextEmail, hasPassword }} />
          <FiscalLinkCard />
          <PasswordCard email={user.email} hasPassword={hasPassword} />
          {linked.length > 0 && <ProvidersCard label={provider} {...{ linked, hasPassword }} />}
        </div>
        <div className="grid gap-4">
          {feed !== undefined && <FeedCard feed={feed} link={calendarLinkIn(answer)} now={now} />}
          <NoticesCard user={user} />
          <SessionsCard sessions={sessions} now={now} />
          <OwnDataCard data={data} />
          <DeleteCard {...{ deletion, hasPassword }} />
        </div>
      </div>
    </>
  )
}

/** What we hold about somebody: to read here, or to take away as a file. */
function OwnDataCard({ data }: { data: ShownData | null }) {
  return (
    <Card id="mis-datos" title="Mis datos">
      <p>Puedes ver todo lo que guardamos de ti, y llevártelo en un archivo.</p>
      <div className="flex flex-wrap gap-3 max-sm:*:flex-1">
        {!data && (
          <LinkButton to="/?cuenta&datos#mis-datos" variant="ghost" prefetch="none">
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
    </Card>
  )
}

type NoticesCardProps = {
  user: { version: number; whatsappOptInAt: Date | null; newsOptInAt: Date | null }
}

/** What we may write about, besides the letters of one's own appointments. */
function NoticesCard({ user }: NoticesCardProps) {
  const since = (at: Date | null) => (at ? `Lo aceptaste el ${dateTime(at)}` : undefined)
  return (
    <Card id="avisos" title="Avisos">
      <p className="text-[0.9375rem] text-mute">Los correos sobre tus citas te llegan siempre.</p>
      <Form intent="notices" key={user.version}>
        <input type="hidden" name="version" value={user.version} />
        <Checkbox
          label="Quiero avisos de mis citas por WhatsApp"
          name="whatsapp"
          defaultChecked={user.whatsappOptInAt !== null}
          help={since(user.whatsappOptInAt)}
        />
        <Checkbox
          label="Quiero novedades por correo"
          name="news"
          defaultChecked={user.newsOptInAt !== null}
          help={since(user.newsOptInAt)}
        />
        <Submit>Guardar avisos</Submit>
      </Form>
    </Card>
  )
}

type NewTermsProps = { terms: TermsUrls & { version: string; why: 'first' | 'changed' } }

const titles: Record<NewTermsProps['terms']['why'], string> = {
  first: 'Acepta nuestros términos y el aviso de privacidad',
  changed: 'Cambiaron nuestros términos y el aviso de privacidad',
}

/** For whoever agreed to a text that has changed since, or to none yet. It can wait: nothing is closed to them meanwhile. */
export function NewTerms({ terms: { privacyUrl, termsUrl, version, why } }: NewTermsProps) {
  return (
    <Alert
      tone="info"
      title={titles[why]}
      actions={
        <Form intent="accept-terms">
          <input type="hidden" name="terms" value={version} />
          <Submit variant="ghost">Acepto</Submit>
        </Form>
      }
    >
      Lee los <a href={termsUrl}>términos y condiciones</a> y el <a href={privacyUrl}>aviso de privacidad</a>.
      Mientras tanto puedes seguir con tus citas como siempre.
    </Alert>
  )
}
