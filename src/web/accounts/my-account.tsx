import { calendarLinkIn, FeedCard } from '../calendar/feed-card.tsx'
import { FiscalLinkCard } from '../fiscal/fiscal-link-card.tsx'
import { useLastAnswer } from '../ui/last-answer.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { DeleteCard } from './delete-card.tsx'
import { EmailCard } from './email-card.tsx'
import { concerning } from './form-concerned.ts'
import type { myAccount } from './my-account-server.ts'
import { NoticesCard } from './notices-card.tsx'
import { OwnDataCard } from './own-data-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { ProfileCard } from './profile-card.tsx'
import { ProvidersCard } from './providers-card.tsx'
import { Sections } from './sections.tsx'
import { SessionsCard } from './sessions-card.tsx'

type MyAccountProps = {
  account: Awaited<ReturnType<typeof myAccount>>
  answer: Parameters<typeof concerning>[0]
}

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
export function MyAccount({ account, answer }: MyAccountProps) {
  const { user, hasPassword, sessions, linked, nextEmail, provider, feed, data, deletion, now } = account
  const heard = useLastAnswer(answer)
  const result = (intent: string) => concerning(answer, intent)
  return (
    <>
      <PageHeader title="Mi cuenta" back={{ to: '/', label: 'Inicio' }} />
      <Sections sections={sections} />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <div className="grid gap-4">
          <ProfileCard user={user} result={result('profile')} />
          <EmailCard {...{ user, nextEmail, hasPassword, result }} />
          <FiscalLinkCard />
          <PasswordCard email={user.email} hasPassword={hasPassword} result={result} />
          {linked.length > 0 && (
            <ProvidersCard label={provider} {...{ linked, hasPassword }} result={result('unlink-provider')} />
          )}
        </div>
        <div className="grid gap-4">
          {feed !== undefined && (
            <FeedCard feed={feed} link={calendarLinkIn(heard)} now={now} result={result} />
          )}
          <NoticesCard user={user} result={result('notices')} />
          <SessionsCard sessions={sessions} now={now} result={result('close-session')} />
          <OwnDataCard data={data} />
          <DeleteCard {...{ deletion, hasPassword, result }} />
        </div>
      </div>
    </>
  )
}
