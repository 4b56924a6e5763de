import { useActionData } from 'react-router'
import { calendarLinkIn, FeedCard } from '../appointments/feed-card.tsx'
import { FiscalLinkCard } from '../invoices/fiscal-link-card.tsx'
import { OrphanedFormError } from '../ui/form.tsx'
import { useLastAnswer } from '../ui/last-answer.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { DeleteCard } from './delete-card.tsx'
import { EmailCard } from './email-card.tsx'
import type { myAccount } from './my-account-server.ts'
import { NoticesCard } from './notices-card.tsx'
import { OwnDataCard } from './own-data-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { ProfileCard } from './profile-card.tsx'
import { ProvidersCard } from './providers-card.tsx'
import { Sections } from './sections.tsx'
import { SessionsCard } from './sessions-card.tsx'

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
  const answer = useLastAnswer<object>(useActionData())
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
