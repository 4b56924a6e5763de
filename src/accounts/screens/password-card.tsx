import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { controlClass, FieldFrame, type FieldProps, useField } from '../../kit/form/field.tsx'
import { Form, Submit, useFormResult } from '../../kit/form/form.tsx'
import { Part, SaveChanges } from '../../kit/part-rows.tsx'
import { useSite } from '../../kit/site.ts'
import { classNames } from '../../ui/class-names.ts'
import { useHydrated } from '../../ui/hydrated.ts'

type PasswordCardProps = {
  email: string
  hasPassword: boolean
}

/** Changes the password; a user who came by the provider sets a first one by e-mail. */
export function PasswordCard({ email, hasPassword }: PasswordCardProps) {
  return (
    <Part
      id="contrasena"
      title="Contraseña"
      value={hasPassword ? 'Cámbiala cuando quieras' : 'Todavía no tienes'}
      isOpen={useFormResult('password') !== undefined}
    >
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
    </Part>
  )
}

function ChangePassword({ email }: { email: string }) {
  return (
    <Form intent="password">
      {/* For password managers: whose password this is. */}
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <OwnPassword label="Contraseña actual" />
      <PasswordField
        label="Contraseña nueva"
        name="newPassword"
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
    <PasswordField label={label} name="currentPassword" autoComplete="current-password" enterKeyHint="next" />
  )
}

type PasswordFieldProps = Omit<FieldProps, 'optional'> &
  Pick<ComponentProps<'input'>, 'autoComplete' | 'enterKeyHint'>

/** A box for a password, with an eye that shows what was typed; without JavaScript a plain one. */
export function PasswordField({ label, help, error: own, className, ...props }: PasswordFieldProps) {
  const { described, error, id, required } = useField({ name: props.name, help, error: own })
  const [isShown, setIsShown] = useState(false)
  const box = useRef<HTMLInputElement>(null)
  // A browser that sends a shown password could offer it later as typed text.
  useEffect(() => {
    const { form } = box.current!
    const hide = () => setIsShown(false)
    form?.addEventListener('submit', hide)
    return () => form?.removeEventListener('submit', hide)
  }, [])
  return (
    <FieldFrame id={id} label={label} help={help} error={error} className={className} optional={undefined}>
      <span className="relative grid">
        <input
          autoCapitalize="none"
          spellCheck={false}
          {...props}
          {...described}
          id={id}
          required={required}
          ref={box}
          type={isShown ? 'text' : 'password'}
          className={classNames(controlClass, 'pr-13 [&::-ms-reveal]:hidden')}
        />
        {useHydrated() && <Eyeball isShown={isShown} onTurn={() => setIsShown(!isShown)} />}
      </span>
    </FieldFrame>
  )
}

/** Its name has no "contraseña", which is the name of the box. */
const Eyeball = ({ isShown, onTurn }: { isShown: boolean; onTurn: () => void }) => (
  <button
    type="button"
    aria-label="Mostrar lo que escribes"
    title={isShown ? 'Ocultar' : 'Mostrar'}
    aria-pressed={isShown}
    onClick={onTurn}
    // The focus stays in the box, and a phone's keyboard open.
    onMouseDown={(event) => event.preventDefault()}
    className="absolute inset-y-0 right-0 grid w-12 place-items-center rounded-control text-mute -outline-offset-2 hover:text-ink"
  >
    {isShown ? <EyeOff aria-hidden className="size-5" /> : <Eye aria-hidden className="size-5" />}
  </button>
)

/** Whether this browser makes and uses our passkeys at this address; null until the page is hydrated. */
export function useCanUsePasskeys(): boolean | null {
  const host = useSite()?.host ?? ''
  if (!useHydrated()) return null
  // They belong to a host and those below it, never to an IP address.
  const isTheirs = `.${location.hostname}`.endsWith(`.${host}`) && /[a-z]$/i.test(host)
  const needed = ['parseCreationOptionsFromJSON', 'parseRequestOptionsFromJSON']
  return isTheirs && 'PublicKeyCredential' in window && needed.every((name) => name in PublicKeyCredential)
}
