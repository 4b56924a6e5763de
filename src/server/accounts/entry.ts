import type { SignIn, SignUp } from '../../domain/account.ts'
import { Refusal, refuse } from '../../domain/refusal.ts'
import type { AskAuth } from './sign-in.ts'

/** What a sign-in brings: the cookies to set. Anything else is a Refusal. */
export type Entry = { headers: Headers }

/** Signs in; the same words and the same time for an e-mail we know and one we don't. */
export async function signIn(ask: AskAuth, { email, password }: SignIn): Promise<Entry> {
  return entry(await ask.post('/sign-in/email', { email, password, rememberMe: true }))
}

/** Makes an account (role customer, active) and signs it in. */
export async function signUp(ask: AskAuth, { email, password }: SignUp): Promise<Entry> {
  const send = () => ask.post('/sign-up/email', { email, password, name: '' })
  const answer = await send()
  // Of two sign-ups at once the later insert fails, which the library only calls a failure; asked again, it sees the account.
  return entry(
    answer.status === 422 && (await codeOf(answer)) === 'FAILED_TO_CREATE_USER' ? await send() : answer,
  )
}

/** Ends the session; the answer's cookies take it out of the browser. */
export async function signOut(ask: AskAuth): Promise<Entry> {
  return { headers: cookiesOf(await ask.post('/sign-out', {})) }
}

async function entry(answer: Response): Promise<Entry> {
  if (answer.ok) return { headers: cookiesOf(answer) }
  const code = await codeOf(answer)
  if (answer.status === 429)
    refuse('resource-exhausted', 'Hiciste muchos intentos seguidos. Espera un momento y vuelve a intentarlo.')
  if (code.startsWith('USER_ALREADY_EXISTS')) {
    const errors = { email: 'Ya hay una cuenta con este correo. Inicia sesión o recupera tu contraseña.' }
    throw new Refusal('already-exists', {
      title: 'Ya tienes cuenta',
      description: errors.email,
      details: { errors },
    })
  }
  if (code === 'INVALID_EMAIL_OR_PASSWORD')
    throw new Refusal('invalid-argument', {
      title: 'No pudimos iniciar tu sesión',
      description: 'El correo o la contraseña no son correctos.',
    })
  if (code === 'USER_DISABLED')
    throw new Refusal('permission-denied', {
      title: 'Tu cuenta está inactiva',
      description: 'Pide ayuda para volver a activarla.',
    })
  if (code === 'AGENCY_DISABLED')
    throw new Refusal('permission-denied', {
      title: 'Tu concesionaria está inactiva',
      description: 'Mientras lo esté, sus aliados no pueden entrar. Pide ayuda.',
    })
  throw new Error(`sign-in answered ${answer.status} ${code}`)
}

function cookiesOf(answer: Response): Headers {
  const headers = new Headers()
  for (const cookie of answer.headers.getSetCookie()) headers.append('set-cookie', cookie)
  return headers
}

async function codeOf(answer: Response): Promise<string> {
  const { code = '' } = (await answer
    .clone()
    .json()
    .catch(() => ({}))) as { code?: string }
  return code
}
