import { longDate } from '../../domain/shared/format.ts'
import { Alert } from '../ui/alert.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Form, FormDetails } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { OwnPassword } from './password-card.tsx'

export type Deletion = {
  /** When it happens, once it was asked for. */
  dueAt: Date | null
  /** Why it can't be asked for now. */
  obstacle: { words: string; to: string; label: string } | null
  waitDays: number
  /** How long what was held stays aside after that. */
  blockedDays: number
}

type DeleteCardProps = {
  deletion: Deletion
  hasPassword: boolean
}

/** Asking for the account to be deleted, and taking it back. */
export function DeleteCard({ deletion, hasPassword }: DeleteCardProps) {
  const { blockedDays, dueAt, obstacle, waitDays } = deletion
  return (
    <Card id="eliminar" title="Eliminar mi cuenta">
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
        <Ask waitDays={waitDays} blockedDays={blockedDays} />
      ) : (
        <p>Para eliminarla te pedimos tu contraseña. Créala primero en la sección «Contraseña».</p>
      )}
    </Card>
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

type AskProps = { waitDays: number; blockedDays: number }

/** Asks for it, saying first what happens to what, and when. */
function Ask({ blockedDays, waitDays }: AskProps) {
  return (
    <>
      <p>
        Esperamos {waitDays} días por si cambias de opinión. Después quitamos del servicio tu nombre, tu
        correo, tu teléfono, tus domicilios, tus fotos y tus accesos, y ya no se pueden recuperar. Quedan
        bloqueados {blockedDays} días: nadie los usa, salvo que haya que responder por lo que hicimos. Luego
        se suprimen.
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
