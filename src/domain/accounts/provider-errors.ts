import type { refusals } from '../shared/refusal.ts'
import { signInErrors } from './sign-in-errors.ts'

type Words = { code: string; title: string; description: string }

const signIn = (code: keyof typeof signInErrors): Words => ({ code, ...signInErrors[code] })
const store = (code: keyof typeof refusals, title: string, description: string): Words => ({
  code,
  title,
  description,
})

/** What the answers of an identity provider, and of the library that reads them, mean to a person. */
const meanings: Partial<Record<string, Words>> = {
  account_not_linked: store(
    'already-exists',
    'Ya tienes una cuenta con ese correo',
    'Entra con tu contraseña. Las dos se unen solo si ambas tienen el correo confirmado.',
  ),
  access_denied: store('cancelled', 'Cancelaste el acceso', 'Vuelve a intentarlo cuando quieras.'),
  email_not_found: store(
    'failed-precondition',
    'Nos falta tu correo',
    'El otro servicio no nos dio tu correo. Permítelo ahí, o crea tu cuenta con correo y contraseña.',
  ),
  USER_DISABLED: store('permission-denied', 'Tu cuenta está inactiva', 'Pide ayuda para volver a activarla.'),
  AGENCY_DISABLED: store(
    'permission-denied',
    'Tu concesionaria está inactiva',
    'Mientras lo esté, sus aliados no pueden entrar. Pide ayuda.',
  ),
  too_many: store('resource-exhausted', 'Demasiados intentos', 'Espera un minuto y vuelve a intentarlo.'),
  not_configured: signIn('operation-not-supported-in-this-environment'),
  client_refused: signIn('invalid-api-key'),
  issuer_unreadable: signIn('auth-domain-config-required'),
  oauth_provider_not_found: signIn('auth-domain-config-required'),
  other_address: signIn('auth-domain-config-required'),
  state_mismatch: signIn('invalid-auth-event'),
  state_not_found: signIn('invalid-auth-event'),
  state_invalid: signIn('invalid-auth-event'),
  no_session: signIn('invalid-auth-event'),
  invalid_callback_request: signIn('invalid-auth-event'),
}

/** The message for such an answer; unknown answers are internal-error. */
export const providerError = (answer: string): Words =>
  (Object.hasOwn(meanings, answer) ? meanings[answer] : undefined) ?? signIn('internal-error')
