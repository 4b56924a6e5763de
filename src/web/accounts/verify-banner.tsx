import { type Service, serviceFacts } from '../../domain/appointments/appointment.ts'
import { hoursToProve } from '../../domain/appointments/rules.ts'
import { dateTime } from '../../domain/shared/format.ts'
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

type ProveSoonProps = { booked: { folio: string; service: Service; startsAt: Date } | null }

/** For a user who is about to book before they verified their e-mail: the one appointment they may have. */
export function ProveSoon({ booked }: ProveSoonProps) {
  if (booked)
    return (
      <Alert
        tone="wait"
        title="Confirma tu correo para agendar otra cita"
        className="max-w-3xl"
        actions={<ResendLetter label="Reenviar correo" />}
      >
        Ya tienes {serviceFacts[booked.service].label.toLowerCase()} el {dateTime(booked.startsAt)} (
        {booked.folio}). Mientras no confirmes tu correo puedes tener una sola cita.
      </Alert>
    )
  return (
    <Alert
      tone="info"
      title="Confirma tu correo para conservar tu cita"
      className="max-w-3xl"
      actions={<ResendLetter label="Reenviar correo" />}
    >
      Guardamos tu lugar {hoursToProve} horas. Abre el enlace que te mandamos; hasta entonces puedes tener una
      sola cita.
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
function ResendLetter({ label = 'Enviar otra vez' }: { label?: string }) {
  return (
    <Form intent="resend" action="/recover-password?mode=verifyEmail">
      <Submit variant="ghost">{label}</Submit>
    </Form>
  )
}
