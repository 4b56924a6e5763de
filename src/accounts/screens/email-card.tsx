import { Field } from '../../kit/form/field.tsx'
import { Form, Submit, useFormResult } from '../../kit/form/form.tsx'
import { Part, SaveChanges, useIsRow } from '../../kit/part-rows.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Details } from '../../ui/card.tsx'
import { OwnPassword } from './password-card.tsx'

type EmailCardProps = {
  user: { email: string; emailVerified: boolean }
  /** The requested e-mail, until the user opens the link sent to it. */
  nextEmail: string | null
  hasPassword: boolean
}

/** The e-mail the user signs in with, and the form to change it. */
export function EmailCard({ user, nextEmail, hasPassword }: EmailCardProps) {
  const isChanging = useFormResult('email') !== undefined
  const isRow = useIsRow()
  const own = (
    <>
      <span className="break-all">{user.email}</span>
      {!user.emailVerified && <span className="text-mute"> (sin confirmar)</span>}
    </>
  )
  return (
    <Part id="correo" title="Correo" value={own} isOpen={isChanging || nextEmail !== null}>
      {!isRow && <p>{own}</p>}
      {nextEmail && <Waiting email={nextEmail} />}
      {hasPassword && isRow ? (
        <EmailForm key={`${user.email} ${nextEmail}`} proved={user.emailVerified} />
      ) : hasPassword ? (
        // A request closes it.
        <Details key={`${user.email} ${nextEmail}`} summary="Cambiar correo" open={isChanging}>
          <EmailForm proved={user.emailVerified} />
        </Details>
      ) : (
        <p className="text-sm text-mute">Para cambiarlo, elige primero una contraseña.</p>
      )}
    </Part>
  )
}

function Waiting({ email }: { email: string }) {
  const cancel = (
    <Form intent="cancel-email">
      <Submit variant="ghost">Cancelar el cambio</Submit>
    </Form>
  )
  return (
    <Alert tone="wait" title="Falta confirmar tu correo nuevo" actions={cancel}>
      Abre el enlace que mandamos a <span className="wrap-anywhere">{email}</span>. ¿No llega? Pide el cambio
      otra vez.
    </Alert>
  )
}

/** Requests another e-mail; asks for the password. */
export function EmailForm({ proved }: { proved: boolean }) {
  return (
    <Form intent="email">
      <Field
        label="Correo nuevo"
        name="email"
        type="email"
        autoComplete="email"
        inputMode="email"
        enterKeyHint="next"
        help={
          proved
            ? 'Cambia cuando abras el enlace que le mandamos. También avisamos a tu correo de ahora.'
            : 'Le mandamos el enlace para confirmarlo.'
        }
      />
      <OwnPassword />
      <SaveChanges>Cambiar correo</SaveChanges>
    </Form>
  )
}
