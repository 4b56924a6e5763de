import { Link } from 'react-router'
import { kindLabels, type StaffKind } from '../../domain/access/actor.ts'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { PageHeader } from '../ui/page-header.tsx'

/** What an invitation is for, above the form of a new account. */
export function InvitedTo({ kind, agency }: { kind: StaffKind; agency: string | null }) {
  return (
    <p>
      Te invitaron como <strong>{kindLabels[kind]}</strong>
      {agency && ` de ${agency}`}. Crea tu cuenta y completa tu perfil para aceptar.
    </p>
  )
}

/** The page of an invitation that can't be accepted: it says why, and where else to go. */
export function ClosedInvitation({ title, description }: { title: string; description: string }) {
  return (
    <Card>
      <PageHeader title={title} subtitle={description} />
      <LinkButton to="/signin">Iniciar sesión</LinkButton>
      <p className="text-center text-[0.9375rem] text-mute">
        ¿Quieres instalar un cargador en tu casa? <Link to="/signup">Crear cuenta</Link>
      </p>
    </Card>
  )
}
