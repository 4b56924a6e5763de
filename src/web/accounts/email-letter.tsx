import { Link } from 'react-router'
import { Card } from '../ui/card.tsx'
import { Details } from '../ui/details.tsx'
import { Field } from '../ui/field.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Submit } from '../ui/submit.tsx'

type Heard = (intent: string) => FormResult | undefined
type NewEmailProps = {
  oobCode: string
  email: string
  /** Whether the account's own session is open here. */
  own: boolean
  /** Whether a new password may stand for it. */
  byNewPassword: boolean
  heard: Heard
}

/** The button of the letter to a new mailbox; without a session of the account, the way to one. */
export function NewEmail({ oobCode, email, own, byNewPassword, heard }: NewEmailProps) {
  const letter = `/recover-password?mode=verifyAndChangeEmail&oobCode=${oobCode}`
  const chosen = heard('change-email-new')
  return (
    <Card>
      <PageHeader title="Confirma tu correo nuevo" subtitle={`Desde ahora entrarás con ${email}.`} />
      {own ? (
        <Form result={heard('change-email')}>
          <input type="hidden" name="oobCode" value={oobCode} />
          <Submit name="intent" value="change-email">
            Usar este correo
          </Submit>
        </Form>
      ) : (
        <>
          <p>
            <Link to={`/signin?next=${encodeURIComponent(letter)}`}>Inicia sesión</Link> con tu correo y tu
            contraseña de antes, y confírmalo ahí.
          </p>
          {byNewPassword && (
            <Details summary="Ya no puedo entrar" open={chosen !== undefined}>
              <WithPassword intent="change-email-new" {...{ oobCode, email }} result={chosen}>
                Usar este correo
              </WithPassword>
            </Details>
          )}
        </>
      )}
    </Card>
  )
}

type ObjectionProps = { oobCode: string; email: string; heard: Heard }

/** For the old mailbox: the account is its again. */
export function Objection({ oobCode, email, heard }: ObjectionProps) {
  return (
    <Card>
      <PageHeader
        title="¿No pediste cambiar tu correo?"
        subtitle={`Tu cuenta se queda con ${email}. Elige otra contraseña: cerramos todas las sesiones.`}
      />
      <WithPassword intent="object-email" {...{ oobCode, email }} result={heard('object-email')}>
        Recuperar mi cuenta
      </WithPassword>
    </Card>
  )
}

type WithPasswordProps = {
  intent: string
  oobCode: string
  email: string
  result: FormResult | undefined
  children: string
}

function WithPassword({ intent, oobCode, email, result, children }: WithPasswordProps) {
  return (
    <Form result={result}>
      <input type="hidden" name="oobCode" value={oobCode} />
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <Field
        label="Contraseña nueva"
        name="password"
        type="password"
        autoComplete="new-password"
        enterKeyHint="go"
        help="Al menos 8 caracteres. Una frase corta funciona muy bien."
      />
      <Submit name="intent" value={intent}>
        {children}
      </Submit>
    </Form>
  )
}
