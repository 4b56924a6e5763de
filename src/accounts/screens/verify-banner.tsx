import { type Service, serviceFacts } from '../../appointments/rules/appointment.ts'
import { momentFor } from '../../appointments/rules/promise.ts'
import { letGoAt, proveWords } from '../../appointments/rules/rules.ts'
import { Form, Submit, useFormResult } from '../../kit/form/form.tsx'
import { lowerFirst } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { Details } from '../../ui/card.tsx'
import { EmailForm } from './email-card.tsx'

type VerifyBannerProps = { email: string; keptUntil: Date | null; now: Date }

/** For a user who has not verified their e-mail yet: what that means, and how to get another link. */
export function VerifyBanner({ email, keptUntil, now }: VerifyBannerProps) {
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
      {keptUntil && proveWords(keptUntil, now)} Abre el enlace que mandamos a{' '}
      <span className="wrap-anywhere">{email}</span>. Mientras tanto puedes tener una sola cita.
    </Alert>
  )
}

type Standing = { folio: string; service: Service; startsAt: Date; keptUntil: Date }
type ProveSoonProps = { booked: Standing | null; window: number; now: Date }

/** What is booked with the usual notice is released by the hours since it was booked alone. */
const farAhead = new Date(8.64e15)

/** For a user who is about to book before they verified their e-mail: the one appointment they may have. */
export function ProveSoon({ booked, now, window }: ProveSoonProps) {
  if (booked)
    return (
      <Alert
        tone="wait"
        title="Confirma tu correo para agendar otra cita"
        className="max-w-3xl"
        actions={<ResendLetter label="Reenviar correo" />}
      >
        Ya tienes {serviceFacts[booked.service].label.toLowerCase()} el {momentFor(booked, window)} (
        {booked.folio}). {proveWords(booked.keptUntil, now)} Mientras tanto puedes tener una sola cita.
      </Alert>
    )
  return (
    <Alert
      tone="info"
      title="Confirma tu correo para conservar tu cita"
      className="max-w-3xl"
      actions={<ResendLetter label="Reenviar correo" />}
    >
      Si agendas ahora:{' '}
      {lowerFirst(proveWords(letGoAt({ bookedAt: now, startsAt: farAhead, isForCaller: false }), now))} Abre
      el enlace que te mandamos; hasta entonces puedes tener una sola cita.
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
export function ResendLetter({ label = 'Enviar otra vez' }: { label?: string }) {
  return (
    <Form intent="resend" action="/recover-password?mode=verifyEmail">
      <Submit variant="ghost">{label}</Submit>
    </Form>
  )
}
