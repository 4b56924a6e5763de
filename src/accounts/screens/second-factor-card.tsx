import { Field } from '../../kit/form/field.tsx'
import { Form, FormDetails, Submit, useFormResult } from '../../kit/form/form.tsx'
import { Part } from '../../kit/part-rows.tsx'
import { type Qr, QrCode } from '../../kit/qr-code.tsx'
import { useSite } from '../../kit/site.ts'
import { counted } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Details } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { useHydrated } from '../../ui/hydrated.ts'
import type { SecondFactor } from '../second-factor.ts'
import { useKept } from './account-cards.tsx'
import { OwnPassword } from './password-card.tsx'

type SecondFactorCardProps = {
  factor: SecondFactor
  hasPassword: boolean
  /** How many the user has. */
  passkeys: number
  /** Just made: they are shown once. */
  codes: readonly string[] | undefined
}

const intents = [
  'second-factor-start',
  'second-factor-confirm',
  'second-factor-passkey',
  'second-factor-codes',
  'second-factor-off',
]

/** Turning the second factor on and off, and its recovery codes. */
export function SecondFactorCard({ factor, hasPassword, passkeys, codes }: SecondFactorCardProps) {
  const shown = useKept(codes)
  const on = factor.state === 'on'
  const wasRefused = useFormResult(intents) !== undefined
  return (
    <Part
      id="segundo-factor"
      title="Segundo factor"
      value={on ? 'Activado' : 'Desactivado'}
      aside={on ? <Badge tone="ok">Activado</Badge> : <Badge tone="neutral">Desactivado</Badge>}
      isOpen={factor.state === 'begun' || shown !== undefined || wasRefused}
    >
      {passkeys > 0 && (
        <p>
          Tienes {counted(passkeys, 'llave', 'llaves')} de acceso: cada una vale por los dos pasos y entra sin
          contraseña ni código.
        </p>
      )}
      {factor.state === 'off' && <Off hasPassword={hasPassword} hasPasskey={passkeys > 0} />}
      {factor.state === 'begun' && <Begun {...factor} />}
      {on && shown && <RecoveryCodes codes={shown} />}
      {on && <On {...factor} />}
    </Part>
  )
}

/** The recovery codes that an answer carried. */
export const recoveryCodesIn = (answer: object | undefined): readonly string[] | undefined =>
  answer && 'codes' in answer ? (answer.codes as string[]) : undefined

function Off({ hasPassword, hasPasskey }: { hasPassword: boolean; hasPasskey: boolean }) {
  if (!hasPassword)
    return <p>Para activarlo necesitas una contraseña. Créala primero en la sección «Contraseña».</p>
  return (
    <>
      <p>
        Además de tu contraseña te pediremos un código que cambia cada 30 segundos. Necesitas una aplicación
        de códigos en tu teléfono, como Google Authenticator, Microsoft Authenticator o 1Password.
      </p>
      <Start>Activar</Start>
      {hasPasskey && (
        <FormDetails
          summary="Activarlo con mi llave de acceso"
          intent="second-factor-passkey"
          intro={
            <p className="text-[0.9375rem] text-mute">
              Sin aplicación de códigos: después de tu contraseña te pediremos tu llave.
            </p>
          }
        >
          <OwnPassword />
          <Submit>Activar con mi llave</Submit>
        </FormDetails>
      )}
    </>
  )
}

function Start({ children }: { children: string }) {
  return (
    <Form intent="second-factor-start">
      <OwnPassword />
      <Submit>{children}</Submit>
    </Form>
  )
}

type BegunProps = { secret: string; qr: Qr }

function Begun({ secret, qr }: BegunProps) {
  const isRestarting = useFormResult('second-factor-start') !== undefined
  return (
    <>
      <p>
        1. Lee este código con tu aplicación, o escribe en ella la clave. Si la abres en este mismo teléfono,
        copia la clave.
      </p>
      <div className="flex flex-wrap items-center gap-5">
        <QrCode qr={qr} title="Código QR de tu segundo factor" />
        <p className="grid min-w-0 flex-1 basis-48 gap-1">
          <span className="text-sm text-mute">Clave</span>
          <code data-secret={secret} className="text-base/7 break-words select-all">
            {secret.replace(/.{4}(?=.)/g, '$& ')}
          </code>
        </p>
      </div>
      <Form intent="second-factor-confirm">
        <CodeField label="2. Escribe el código de 6 dígitos que muestra" />
        <Submit>Confirmar y activar</Submit>
      </Form>
      <Details summary="Empezar de nuevo" open={isRestarting}>
        <p className="text-[0.9375rem] text-mute">La clave de arriba dejará de servir.</p>
        <Start>Hacer otra clave</Start>
      </Details>
    </>
  )
}

type CodeFieldProps = { label: string; help?: string; optional?: boolean }

function CodeField({ label, help, optional }: CodeFieldProps) {
  return (
    <Field
      label={label}
      name="code"
      inputMode={help ? 'text' : 'numeric'}
      autoComplete="one-time-code"
      autoCapitalize="none"
      enterKeyHint="done"
      help={help}
      optional={optional}
    />
  )
}

type OnProps = { byPasskey: boolean; codesLeft: number }

function On({ byPasskey, codesLeft }: OnProps) {
  return (
    <>
      <p>
        {byPasskey
          ? 'Después de tu contraseña te pedimos tu llave de acceso.'
          : 'Al iniciar sesión te pedimos el código de tu aplicación.'}{' '}
        {codesLeft === 1
          ? 'Te queda 1 código de recuperación.'
          : `Te quedan ${codesLeft} códigos de recuperación.`}
      </p>
      <FormDetails
        summary="Hacer códigos nuevos"
        intent="second-factor-codes"
        intro={<p className="text-[0.9375rem] text-mute">Los anteriores dejarán de servir.</p>}
      >
        <Proof byPasskey={byPasskey} />
        <Submit>Hacer códigos nuevos</Submit>
      </FormDetails>
      <FormDetails summary="Desactivar el segundo factor" intent="second-factor-off">
        <Proof byPasskey={byPasskey} />
        <Submit variant="destructive">Desactivar</Submit>
      </FormDetails>
    </>
  )
}

/** The password, and a code of what the second factor is. */
export const Proof = ({ byPasskey }: { byPasskey: boolean }) => (
  <>
    <OwnPassword />
    <CodeField
      label={byPasskey ? 'Código de recuperación' : 'Código'}
      optional={byPasskey}
      help={
        byPasskey
          ? 'Déjalo vacío si acabas de entrar, hace menos de 10 minutos.'
          : 'El de tu aplicación, o uno de recuperación.'
      }
    />
  </>
)

/** The recovery codes, the one time they can be read; a text file of them needs neither a route nor JavaScript. */
function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const brand = useSite()?.brand ?? ''
  const file = `Códigos de recuperación de ${brand}\nCada uno sirve una sola vez.\n\n${codes.join('\n')}\n`
  return (
    <section aria-label="Códigos de recuperación" className="grid gap-4">
      <Alert tone="wait" title="Guarda estos códigos ahora">
        No los volvemos a mostrar. Cada uno sirve una vez, para entrar si no tienes tu teléfono.
      </Alert>
      <ul className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-card bg-hover p-4 font-mono text-[0.9375rem]">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3 max-sm:*:flex-1">
        <a
          className={buttonClass('ghost')}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(file)}`}
          download="codigos-de-recuperacion.txt"
        >
          Descargar
        </a>
        <CopyButton text={codes.join('\n')} label="Copiar" />
        {useHydrated() && (
          <Button variant="ghost" onClick={() => window.print()}>
            Imprimir
          </Button>
        )}
      </div>
    </section>
  )
}
