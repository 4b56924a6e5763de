import type { refusals } from '../../shared/refusal.ts'

/** Every code of the sign-in service (specification §8), with the words of its toast. */
export const signInErrors = {
  'unauthorized-domain': {
    title: 'Este sitio no está autorizado',
    description: 'Desde esta dirección no se puede iniciar sesión. Ábrela desde nuestro sitio oficial.',
  },
  'popup-blocked': {
    title: 'Tu navegador bloqueó la ventana',
    description: 'Te llevamos a la página de acceso. La próxima vez, permite las ventanas de este sitio.',
  },
  'popup-closed-by-user': {
    title: 'Se cerró la ventana',
    description: 'La cerraste antes de terminar. Vuelve a intentarlo cuando quieras.',
  },
  'cancelled-popup-request': {
    title: 'Ese intento se canceló',
    description: 'Abriste otra ventana de acceso. Continúa en la más reciente.',
  },
  'web-storage-unsupported': {
    title: 'Tu navegador no guarda la sesión',
    description: 'Las cookies están desactivadas. Actívalas para este sitio y vuelve a intentarlo.',
  },
  'network-request-failed': {
    title: 'No hay conexión',
    description: 'No pudimos comunicarnos. Revisa tu internet y vuelve a intentarlo.',
  },
  'internal-error': {
    title: 'Algo salió mal',
    description: 'No pudimos terminar el acceso. Vuelve a intentarlo en un momento.',
  },
  'invalid-auth-event': {
    title: 'Ese acceso ya no sirve',
    description: 'La respuesta llegó tarde o ya se había usado. Vuelve a intentarlo desde el principio.',
  },
  'auth-domain-config-required': {
    title: 'Este acceso no está disponible',
    description: 'El servicio de acceso no responde como debe. Usa tu correo y contraseña, o pide ayuda.',
  },
  'invalid-api-key': {
    title: 'Este acceso no está bien configurado',
    description: 'El servicio de acceso no nos reconoció. Usa tu correo y contraseña, o pide ayuda.',
  },
  'operation-not-supported-in-this-environment': {
    title: 'Aquí no se puede usar este acceso',
    description: 'Usa tu correo y contraseña, u otro navegador.',
  },
} as const satisfies Record<string, { title: string; description: string }>

type Words = { code: string; title: string; description: string }

const signIn = (code: keyof typeof signInErrors): Words => ({ code, ...signInErrors[code] })
const store = (code: keyof typeof refusals, title: string, description: string): Words => ({
  code,
  title,
  description,
})

/** The messages for the answers of an identity provider, and of the library that reads them. */
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
