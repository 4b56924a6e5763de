import { longDate } from '../../domain/shared/format.ts'
import { Alert } from '../ui/alert.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Details } from '../ui/details.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
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
  result: (intent: string) => FormResult | undefined
}

/** Asking for the account to be deleted, and taking it back. */
export function DeleteCard({ deletion, hasPassword, result }: DeleteCardProps) {
  const { blockedDays, dueAt, obstacle, waitDays } = deletion
  return (
    <Card id="eliminar" title="Eliminar mi cuenta">
      {dueAt ? (
        <Waiting dueAt={dueAt} result={result('keep')} />
      ) : obstacle ? (
        <>
          <p>{obstacle.words}</p>
          <LinkButton to={obstacle.to} variant="ghost" className="justify-self-start">
            {obstacle.label}
          </LinkButton>
        </>
      ) : hasPassword ? (
        <Ask waitDays={waitDays} blockedDays={blockedDays} result={result('delete')} />
      ) : (
        <p>Para eliminarla te pedimos tu contraseña. Créala primero en la sección «Contraseña».</p>
      )}
    </Card>
  )
}

function Waiting({ dueAt, result }: { dueAt: Date; result: FormResult | undefined }) {
  return (
    <Form result={result}>
      <Alert tone="wait" title={`Tu cuenta se elimina el ${longDate(dueAt)}`}>
        Hasta ese día puedes cambiar de opinión.
      </Alert>
      <Submit name="intent" value="keep">
        Conservar mi cuenta
      </Submit>
    </Form>
  )
}

type AskProps = { waitDays: number; blockedDays: number; result: FormResult | undefined }

/** Asks for it, saying first what happens to what, and when. */
function Ask({ blockedDays, result, waitDays }: AskProps) {
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
      <Details summary="Quiero eliminar mi cuenta" open={result !== undefined}>
        <Form result={result}>
          <OwnPassword />
          <Submit name="intent" value="delete" variant="destructive">
            Eliminar mi cuenta
          </Submit>
        </Form>
      </Details>
    </>
  )
}
