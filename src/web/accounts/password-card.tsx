import { Card } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

type PasswordCardProps = {
  email: string
  hasPassword: boolean
  result: (intent: string) => FormResult | undefined
}

/** Changing the password; who came by the provider gets a first one by letter. */
export function PasswordCard({ email, hasPassword, result }: PasswordCardProps) {
  return (
    <Card id="contrasena" title="Contraseña">
      {hasPassword ? (
        <ChangePassword email={email} result={result('password')} />
      ) : (
        <Form result={result('password-letter')}>
          <p>
            Entras con otro servicio y todavía no tienes contraseña. Te enviamos una carta a{' '}
            <span className="break-all">{email}</span> para que elijas una.
          </p>
          <Submit name="intent" value="password-letter" variant="ghost">
            Enviarme la carta
          </Submit>
        </Form>
      )}
    </Card>
  )
}

function ChangePassword({ email, result }: { email: string; result: FormResult | undefined }) {
  return (
    <Form result={result}>
      {/* Tells password managers whose password this is. */}
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
      <Submit name="intent" value="password">
        Cambiar contraseña
      </Submit>
    </Form>
  )
}

/** The password one has, asked before something that matters. */
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
