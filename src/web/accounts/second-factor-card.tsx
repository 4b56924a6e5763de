import { type ReactNode, useState } from 'react'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Details } from '../ui/details.tsx'
import { Field } from '../ui/field.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { OwnPassword } from './password-card.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

type Qr = { size: number; path: string }
type SecondFactor =
  | { state: 'off' }
  | { state: 'begun'; secret: string; qr: Qr }
  | { state: 'on'; codesLeft: number }

type SecondFactorCardProps = {
  factor: SecondFactor
  hasPassword: boolean
  /** Just made: they are shown once. */
  codes: readonly string[] | undefined
  result: (intent: string) => FormResult | undefined
}

/** Turning the second factor on and off, and its recovery codes. */
export function SecondFactorCard({ factor, hasPassword, codes, result }: SecondFactorCardProps) {
  const shown = useKept(codes)
  const on = factor.state === 'on'
  return (
    <Card
      id="segundo-factor"
      title="Segundo factor"
      aside={on ? <Badge tone="ok">Activado</Badge> : <Badge tone="neutral">Desactivado</Badge>}
    >
      {factor.state === 'off' && <Off hasPassword={hasPassword} result={result('second-factor-start')} />}
      {factor.state === 'begun' && <Begun {...factor} result={result} />}
      {on && shown && <RecoveryCodes codes={shown} />}
      {on && <On codesLeft={factor.codesLeft} result={result} />}
    </Card>
  )
}

/** Codes stay on the page although it refreshes by itself meanwhile, which forgets what a form answered. */
function useKept(codes: readonly string[] | undefined) {
  const [kept, setKept] = useState(codes)
  if (codes && codes !== kept) setKept(codes)
  return codes ?? kept
}

function Off({ hasPassword, result }: { hasPassword: boolean; result: FormResult | undefined }) {
  if (!hasPassword)
    return <p>Para activarlo necesitas una contraseña. Créala primero en la sección «Contraseña».</p>
  return (
    <>
      <p>
        Además de tu contraseña te pediremos un código que cambia cada 30 segundos. Necesitas una aplicación
        de códigos en tu teléfono, como Google Authenticator, Microsoft Authenticator o 1Password.
      </p>
      <Start result={result}>Activar</Start>
    </>
  )
}

function Start({ result, children }: { result: FormResult | undefined; children: string }) {
  return (
    <Form result={result}>
      <OwnPassword />
      <Submit name="intent" value="second-factor-start">
        {children}
      </Submit>
    </Form>
  )
}

type BegunProps = { secret: string; qr: Qr; result: SecondFactorCardProps['result'] }

function Begun({ secret, qr, result }: BegunProps) {
  return (
    <>
      <p>
        1. Lee este código con tu aplicación, o escribe en ella la clave. Si la abres en este mismo teléfono,
        copia la clave.
      </p>
      <div className="flex flex-wrap items-center gap-5">
        <svg viewBox={`0 0 ${qr.size} ${qr.size}`} role="img" className="size-48 rounded-control bg-[white]">
          <title>Código QR de tu segundo factor</title>
          <path d={qr.path} fill="#000" shapeRendering="crispEdges" />
        </svg>
        <p className="grid min-w-0 flex-1 basis-48 gap-1">
          <span className="text-sm text-mute">Clave</span>
          <code data-secret={secret} className="text-base/7 break-words select-all">
            {secret.replace(/.{4}(?=.)/g, '$& ')}
          </code>
        </p>
      </div>
      <Form result={result('second-factor-confirm')}>
        <CodeField label="2. Escribe el código de 6 dígitos que muestra" />
        <Submit name="intent" value="second-factor-confirm">
          Confirmar y activar
        </Submit>
      </Form>
      <Details summary="Empezar de nuevo" open={result('second-factor-start') !== undefined}>
        <p className="text-[0.9375rem] text-mute">La clave de arriba dejará de servir.</p>
        <Start result={result('second-factor-start')}>Hacer otra clave</Start>
      </Details>
    </>
  )
}

function CodeField({ label, help }: { label: string; help?: string }) {
  return (
    <Field
      label={label}
      name="code"
      inputMode={help ? 'text' : 'numeric'}
      autoComplete="one-time-code"
      autoCapitalize="none"
      enterKeyHint="done"
      help={help}
    />
  )
}

type OnProps = { codesLeft: number; result: SecondFactorCardProps['result'] }

function On({ codesLeft, result }: OnProps) {
  return (
    <>
      <p>
        Al iniciar sesión te pedimos el código de tu aplicación.{' '}
        {codesLeft === 1
          ? 'Te queda 1 código de recuperación.'
          : `Te quedan ${codesLeft} códigos de recuperación.`}
      </p>
      <Details summary="Hacer códigos nuevos" open={Boolean(result('second-factor-codes'))}>
        <p className="text-[0.9375rem] text-mute">Los anteriores dejarán de servir.</p>
        <Proven result={result('second-factor-codes')}>
          <Submit name="intent" value="second-factor-codes">
            Hacer códigos nuevos
          </Submit>
        </Proven>
      </Details>
      <Details summary="Desactivar el segundo factor" open={Boolean(result('second-factor-off'))}>
        <Proven result={result('second-factor-off')}>
          <Submit name="intent" value="second-factor-off" variant="destructive">
            Desactivar
          </Submit>
        </Proven>
      </Details>
    </>
  )
}

function Proven({ result, children }: { result: FormResult | undefined; children: ReactNode }) {
  return (
    <Form result={result}>
      <OwnPassword />
      <CodeField label="Código" help="El de tu aplicación, o uno de recuperación." />
      {children}
    </Form>
  )
}
