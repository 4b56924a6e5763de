import { hoursToProve } from '../../domain/appointments/rules.ts'
import { Alert } from '../ui/alert.tsx'
import { Details } from '../ui/card.tsx'
import { Form, Submit, useFormResult } from '../ui/form.tsx'
import { EmailForm } from './email-card.tsx'

/** For a user who has not verified their e-mail yet: what that means, and how to get another link. */
export function VerifyBanner({ email }: { email: string }) {
  const isChanging = useFormResult('email') !== undefined
  return (
    <Alert
      tone="wait"
      title="Confirma tu correo"
      actions={
        <>
          <ResendLetter />
          <Details summary="¿Te equivocaste? Cambiar correo" className="w-full" open={isChanging}>
            <EmailForm proved={false} />
          </Details>
        </>
      }
    >
      Abre el enlace que mandamos a <span className="wrap-anywhere">{email}</span>. Mientras tanto puedes
      tener una sola cita, y la guardamos {hoursToProve} horas: si tu correo sigue sin confirmar, se libera.
    </Alert>
  )
}

/** For a user who is about to book before they verified their e-mail. */
export function ProveSoon() {
  return (
    <Alert tone="info" title="Tu correo está sin confirmar" className="mb-5 max-w-3xl">
      Puedes agendar ya. Guardamos tu lugar {hoursToProve} horas: confirma tu correo con el enlace que te
      mandamos para conservarlo.
    </Alert>
  )
}

/** Offers another link to a user refused because their e-mail is not verified; nothing after any other refusal. */
export function VerifyOffer({ details }: { details: unknown }) {
  const offered =
    typeof details === 'object' && details && 'offers' in details && details.offers === 'verify-email'
  return offered && <Alert tone="info" title="¿No encuentras el enlace?" actions={<ResendLetter />} />
}

/** Requests another verification e-mail, from any screen of a signed-in user. */
function ResendLetter() {
  return (
    <Form intent="resend" action="/recover-password?mode=verifyEmail">
      <Submit variant="ghost">Enviar otra vez</Submit>
    </Form>
  )
}
