import { brakeDays, canBeBraked, type DeskAct, restoreMinutes } from '../../accounts/rules/security.ts'
import type { Stopped } from '../../accounts/security-desk.ts'
import { Form, Submit } from '../../kit/form/form.tsx'
import { Card } from '../../ui/card.tsx'
import { calledBy, type User } from '../rules/user.ts'

export const securityPath = '/admin/account/seguridad'

/** Each act of the desk: its button, and the toast after it. */
export const deskActs = {
  brake: {
    button: 'Frenar esta cuenta',
    title: 'Frenaste la cuenta',
    words: `Durante ${brakeDays} días no agenda, no mueve, no invita ni cambia su correo.`,
  },
  release_brake: {
    button: 'Quitar freno',
    title: 'Quitaste el freno',
    words: 'Ya puede hacer sus cambios otra vez.',
  },
  close_network: {
    button: 'Cerrar esta red por una hora',
    title: 'Cerraste la red por una hora',
    words: 'Quien ya tiene cuenta y sesión sigue entrando.',
  },
  open_network: {
    button: 'Abrir la red',
    title: 'Abriste la red',
    words: 'Desde ahí se puede entrar otra vez.',
  },
  end_sessions: {
    button: 'Cerrar sus sesiones',
    title: 'Cerraste sus sesiones',
    words: `Puedes deshacerlo durante ${restoreMinutes} minutos. Lo que su teléfono no ha enviado sigue en él.`,
  },
  restore_sessions: {
    button: 'Deshacer',
    title: 'Le devolviste sus sesiones',
    words: 'Sus enlaces de calendario y de visita no regresan: los crea otra vez.',
  },
}

const undoing: Partial<Record<DeskAct, DeskAct>> = {
  brake: 'release_brake',
  close_network: 'open_network',
  end_sessions: 'restore_sessions',
}

type ButtonProps = { act: DeskAct; id: string; name: string; stopped?: readonly Stopped[] }

/** Does one act of the desk to a person or a network, or undoes it while it stands. */
export function DeskButton({ act, id, name, stopped = [] }: ButtonProps) {
  const undo = undoing[act]
  if (undo && stopped.some((one) => one.undo === undo && one.id === id))
    return <DeskButton act={undo} id={id} name={name} />
  const { button } = deskActs[act]
  return (
    <Form intent={act} target={{ about: id }}>
      <Submit variant="ghost" className="sm:justify-self-start" aria-label={`${button}: ${name}`}>
        {button}
      </Submit>
    </Form>
  )
}

/** What the manager stops of a person at once, on the person's own page. */
export function SecurityCard({ person, stopped }: { person: User; stopped: readonly Stopped[] }) {
  const of = { id: person.uid, name: calledBy(person), stopped }
  return (
    <Card title="Seguridad">
      {canBeBraked(person) && (
        <>
          <p className="text-mute">
            Frenada, la cuenta ve, paga y llama, pero no agenda, no mueve, no invita ni cambia su correo.
          </p>
          <DeskButton act="brake" {...of} />
        </>
      )}
      <p className="text-mute">
        Sus sesiones se cierran en todos sus equipos, también si va en camino. Con su contraseña entra otra
        vez.
      </p>
      <DeskButton act="end_sessions" {...of} />
    </Card>
  )
}
