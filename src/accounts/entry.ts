import { eq } from 'drizzle-orm'
import { transaction } from '../platform/database/client.ts'
import { sessions } from '../platform/database/schema/accounts.ts'
import { hashOf } from '../platform/http/sealing.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { causedBy } from '../platform/telemetry/log.ts'
import { Refusal } from '../shared/refusal.ts'
import type { Done, OperationCaller } from './auth.ts'
import { countTry, noteTry } from './limits.ts'
import {
  countPasswordTry,
  forgetPasswordTries,
  passwordFor,
  refuseCommon,
  refuseWhenCrowded,
} from './password.ts'
import type { SignIn, SignUp } from './rules/schema.ts'

/** `secondStep`: the password was right, and a code has to follow before there is a session. */
export type Entered = Done<{ secondStep: boolean }> & { headers: Headers }

/** Signs in; with the same message and in the same time for a known and an unknown e-mail. */
export async function signIn(caller: OperationCaller, { email, password }: SignIn): Promise<Entered> {
  const { db, ask, now } = caller
  const place = { email, place: await knownPlace(caller, email) }
  // First: a try that was not checked does not count.
  refuseWhenCrowded()
  await countSignIn(caller, email, place.place)
  await countPasswordTry(db, place, now)
  const answer = await ask.post('/sign-in/email', { email, password, rememberMe: true })
  if (answer.ok) await forgetPasswordTries(db, place)
  return enter(caller, answer, email)
}

/** A session proves its own account only: of another e-mail its sender is as unknown as anybody. */
export function standForOwn({ actor }: OperationCaller, email: string): void {
  causedBy({ proved: actor?.email === email && actor.emailVerified })
}

/**
 * This browser's number where the account knows it, else blank. Others at its address do not keep it out then: its tries
 * count with the account.
 */
export async function knownPlace(caller: OperationCaller, email: string): Promise<string> {
  const { db, known } = caller
  const place = known.numberFor({ email, password: await passwordFor(db, email) })
  if (place) causedBy({ proved: true, known: hashOf(email) })
  else standForOwn(caller, email)
  return place
}

/** `place`: as `knownPlace` answers it. */
export async function countSignIn({ db, address, now }: OperationCaller, email: string, place: string) {
  if (place) await countTry(db, 'known sign-in by account', email, now)
  await countTry(db, place ? 'known sign-in by address' : 'sign-in by address', address, now)
}

/** Creates an account (role customer, active), signs it in, and sends the letter that verifies its mailbox. */
export async function signUp(caller: OperationCaller, { email, password }: SignUp): Promise<Entered> {
  const { db, ask, address, now } = caller
  standForOwn(caller, email)
  refuseWhenCrowded()
  await countTry(db, 'sign-up by address', address, now)
  await countTry(db, 'sign-up by wider network', address, now)
  refuseCommon(password, { email })
  const send = () => ask.post('/sign-up/email', { email, password, name: '' })
  let answer = await send()
  // Of two sign-ups at once the later insert fails, which the library reports only as a failure; on a second call it
  // sees the account.
  if (answer.status === 422 && (await saidBy(answer)).code === 'FAILED_TO_CREATE_USER') answer = await send()
  const done = await enter(caller, answer, email)
  await transaction(db, (tx) => enqueue(tx, 'account-letter', { letter: 'verify_email', email }))
  return done
}

/**
 * Ends the session; the answer's cookies remove it from the browser, and with it the pictures that it kept. Never
 * "storage": unsent work is there.
 */
export async function signOut({
  db,
  ask,
  actor,
}: OperationCaller): Promise<Done<null> & { headers: Headers }> {
  const headers = cookiesOf(await ask.post('/sign-out', {}))
  headers.set('clear-site-data', '"cache"')
  if (actor) announce(db, { people: [actor.id], desk: false })
  return { value: null, headers }
}

/** The cookies of a new session; the session sent with the request ends, so that it is not used further. */
export async function enter(
  { db, actor, sessionId, known }: OperationCaller,
  answer: Response,
  email: string,
): Promise<Entered> {
  const { code, twoFactorRedirect } = await saidBy(answer)
  if (!answer.ok) {
    await noteTry(db, code.startsWith('USER_ALREADY') ? 'signUps' : 'signIns')
    throw refusalFor(answer.status, code)
  }
  if (actor && sessionId) {
    await db.delete(sessions).where(eq(sessions.id, sessionId))
    announce(db, { people: [actor.id], desk: false })
  }
  const headers = cookiesOf(answer)
  // Read again: signing in may have renewed an imported one.
  headers.append('set-cookie', known.cookieFor({ email, password: await passwordFor(db, email) }))
  return { value: { secondStep: twoFactorRedirect === true }, headers }
}

/** Our refusal for an error code of the library. */
export function refusalFor(status: number, code: string): Error {
  if (code.startsWith('USER_ALREADY_EXISTS')) {
    const errors = { email: 'Ya hay una cuenta con este correo. Inicia sesión o recupera tu contraseña.' }
    return new Refusal('already-exists', {
      title: 'Ya tienes cuenta',
      description: errors.email,
      details: { errors },
    })
  }
  const words = refused[code]
  return words ? new Refusal(words.kind, words) : new Error(`sign-in answered ${status} ${code}`)
}

type Refused = { kind: 'invalid-argument' | 'permission-denied'; title: string; description: string }

const wrongPasskey = (description: string): Refused => ({
  kind: 'invalid-argument',
  title: 'No pudimos usar tu llave',
  description,
})

const refused: Record<string, Refused> = {
  CHALLENGE_NOT_FOUND: wrongPasskey('Pasó demasiado tiempo. Vuelve a intentarlo.'),
  YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: wrongPasskey('Vuelve a empezar desde tu cuenta.'),
  PASSKEY_NOT_FOUND: wrongPasskey('Esa llave ya no abre ninguna cuenta aquí. Entra con tu contraseña.'),
  PASSKEY_OF_ANOTHER: wrongPasskey('Esa llave es de otra cuenta.'),
  AUTHENTICATION_FAILED: wrongPasskey('No la reconocimos. Vuelve a intentarlo, o entra con tu contraseña.'),
  FAILED_TO_VERIFY_REGISTRATION: wrongPasskey('No pudimos guardarla. Vuelve a intentarlo.'),
  INVALID_EMAIL_OR_PASSWORD: {
    kind: 'invalid-argument',
    title: 'No pudimos iniciar tu sesión',
    description: 'El correo o la contraseña no son correctos.',
  },
  USER_DISABLED: {
    kind: 'permission-denied',
    title: 'Tu cuenta está inactiva',
    description: 'Pide ayuda para volver a activarla.',
  },
  AGENCY_DISABLED: {
    kind: 'permission-denied',
    title: 'Tu concesionaria está inactiva',
    description: 'Mientras lo esté, sus aliados no pueden entrar. Pide ayuda.',
  },
}

export function cookiesOf(answer: Response): Headers {
  const headers = new Headers()
  for (const cookie of answer.headers.getSetCookie()) headers.append('set-cookie', cookie)
  return headers
}

/** The body of the library's answer, without its cookies. */
export async function saidBy(answer: Response) {
  type Said = { code: string; message?: string; twoFactorRedirect?: boolean; user?: { email: string } }
  const said = (await answer
    .clone()
    .json()
    .catch(() => null)) as Partial<Said> | null
  return { ...said, code: said?.code ?? '' } as Said
}
