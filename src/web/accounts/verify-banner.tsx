import { keptUntilHours } from '../../domain/unverified.ts'
import { Alert } from '../ui/alert.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

/** For whoever has not proved their mailbox yet: what that means, and another letter. */
export function VerifyBanner({ email }: { email: string }) {
  return (
    <Alert tone="wait" title="Confirma tu correo" actions={<ResendLetter />}>
      Abre el enlace que mandamos a <span className="wrap-anywhere">{email}</span>. Mientras tanto puedes
      tener una sola cita. Si tu correo sigue sin confirmar {keptUntilHours} horas antes, se libera.
    </Alert>
  )
}

/** The way on for whoever was refused because their mailbox is not proved; nothing after any other refusal. */
export function VerifyOffer({ details }: { details: unknown }) {
  const offered =
    typeof details === 'object' && details && 'offers' in details && details.offers === 'verify-email'
  return offered && <Alert tone="info" title="¿No encuentras el enlace?" actions={<ResendLetter />} />
}

/** Asks for another letter, from any screen of somebody signed in. */
function ResendLetter() {
  return (
    <Form action="/recover-password?mode=verifyEmail">
      <input type="hidden" name="intent" value="resend" />
      <Submit variant="ghost">Enviar otra vez</Submit>
    </Form>
  )
}
