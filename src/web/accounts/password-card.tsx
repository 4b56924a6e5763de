import { Card } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { SaveChanges } from './account-cards.tsx'

type PasswordCardProps = {
  email: string
  hasPassword: boolean
}

/** Changes the password; a user who came by the provider sets a first one by e-mail. */
export function PasswordCard({ email, hasPassword }: PasswordCardProps) {
  return (
    <Card id="contrasena" title="Contraseña">
      {hasPassword ? (
        <ChangePassword email={email} />
      ) : (
        <Form intent="password-letter">
          <p>
            Entras con otro servicio y todavía no tienes contraseña. Te enviamos un correo a{' '}
            <span className="break-all">{email}</span> para que elijas una.
          </p>
          <Submit variant="ghost">Enviarme el correo</Submit>
        </Form>
      )}
    </Card>
  )
}

function ChangePassword({ email }: { email: string }) {
  return (
    <Form intent="password">
      {/* For password managers: whose password this is. */}
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <OwnPassword label="Contraseña actual" />
      <Field
        label="Contraseña nueva"
        name="newPassword"
        type="password"
        autoComplete="new-password"
        enterKeyHint="done"
        help="Al menos 8 caracteres. Una frase corta funciona muy bien."
      />
      <p className="text-sm text-mute">Al cambiarla se cierran tus demás sesiones.</p>
      <SaveChanges>Cambiar contraseña</SaveChanges>
    </Form>
  )
}

/** The current password, required before a sensitive change. */
export function OwnPassword({ label = 'Tu contraseña' }: { label?: string }) {
  return (
    <Field
      label={label}
      name="currentPassword"
      type="password"
      autoComplete="current-password"
      enterKeyHint="next"
    />
  )
}
