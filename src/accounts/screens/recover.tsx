import { data, redirect } from 'react-router'
import { redirectWithToast } from '../../kit/flash.ts'
import { Form, Submit, useFormResult } from '../../kit/form/form.tsx'
import { requestOf } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import { Refusal } from '../../shared/refusal.ts'
import { Card, Details } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import type { OperationCaller } from '../auth.ts'
import { disown } from '../email-change.ts'
import {
  applyByNewPassword,
  applyEmailChange,
  objectToEmailChange,
  readEmailChange,
  readObjection,
} from '../email-change-links.ts'
import {
  applyActionCode,
  checkActionCode,
  confirmReset,
  holderOf,
  proveByNewPassword,
  proveBySignIn,
  sendReset,
  sendVerification,
} from '../email-operations.ts'
import { signOut } from '../entry.ts'
import { actionCodeInput, recoverInput } from '../rules/schema.ts'
import type { Route } from './+types/recover.ts'
import { formAnswer, orKept, typedFields } from './form-answer.ts'
import { sessionOperations } from './operations.ts'
import {
  AlreadyDone,
  AskLetter,
  ChoosePassword,
  LetterOnItsWay,
  NewAccountPassword,
  ProveMailbox,
  ProveOutside,
  SpoiltLink,
  Unproved,
} from './recover-parts.tsx'

type NewEmailProps = {
  oobCode: string
  email: string
  /** Whether the account's own session is open here. */
  own: boolean
  /** Whether a new password may replace it. */
  byNewPassword: boolean
}

/** The button that confirms a new e-mail; without a session of the account, the way to sign in. */
function NewEmail({ oobCode, email, own, byNewPassword }: NewEmailProps) {
  const letter = `/recover-password?mode=verifyAndChangeEmail&oobCode=${oobCode}`
  const isChoosing = useFormResult('change-email-new') !== undefined
  return (
    <Card>
      <PageHeader title="Confirma tu correo nuevo" subtitle={`Desde ahora entrarás con ${email}.`} />
      {own ? (
        <Form intent="change-email">
          <input type="hidden" name="oobCode" value={oobCode} />
          <Submit>Usar este correo</Submit>
        </Form>
      ) : (
        <>
          <p>
            <Link to={`/signin?next=${encodeURIComponent(letter)}`}>Inicia sesión</Link> con tu correo y tu
            contraseña de antes, y confírmalo ahí.
          </p>
          {byNewPassword && (
            <Details summary="Ya no puedo entrar" open={isChoosing}>
              <WithPassword intent="change-email-new" oobCode={oobCode} email={email}>
                Usar este correo
              </WithPassword>
            </Details>
          )}
        </>
      )}
    </Card>
  )
}

type ObjectionProps = { oobCode: string; email: string }

/** For the old e-mail: its owner gets the account back. */
function Objection({ oobCode, email }: ObjectionProps) {
  return (
    <Card>
      <PageHeader
        title="¿No pediste cambiar tu correo?"
        subtitle={`Tu cuenta se queda con ${email}. Elige otra contraseña: cerramos todas las sesiones.`}
      />
      <WithPassword intent="object-email" oobCode={oobCode} email={email}>
        Recuperar mi cuenta
      </WithPassword>
    </Card>
  )
}

type WithPasswordProps = { intent: string; oobCode: string; email: string; children: string }

function WithPassword({ intent, oobCode, email, children }: WithPasswordProps) {
  return (
    <Form intent={intent}>
      <input type="hidden" name="oobCode" value={oobCode} />
      <NewAccountPassword email={email} help="Al menos 8 caracteres. Una frase corta funciona muy bien." />
      <Submit>{children}</Submit>
    </Form>
  )
}

/** A code that was used meanwhile is read again, and the page then says so. */
export const shouldRevalidate = revalidateOnConflict

/** Shows what an e-mail's link is for. It uses no code: mail scanners open links too, and only the button counts. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const mode = url.searchParams.get('mode')
  const oobCode = url.searchParams.get('oobCode') ?? ''
  const { caller: at, site } = requestOf(context)
  if (mode === null) return { show: 'ask' as const, sent: url.searchParams.has('enviado') }
  if (mode === 'verifyEmail' && !oobCode && at.actor && !at.actor.emailVerified)
    return { show: 'unproved' as const, email: at.actor.email }
  const { termsUrl, privacyUrl } = site
  try {
    if (mode === 'verifyEmail') {
      const { id, email, hasPassword } = await checkActionCode(at, actionCodeInput.parse({ oobCode }))
      if (at.actor?.id === id) return { show: 'prove' as const, oobCode, email }
      return { show: 'outside' as const, oobCode, email, hasPassword, terms: { termsUrl, privacyUrl } }
    }
    if (mode === 'verifyAndChangeEmail') {
      const { userId, ...change } = await readEmailChange(at, actionCodeInput.parse({ oobCode }))
      return { show: 'new-email' as const, oobCode, own: at.actor?.id === userId, ...change }
    }
    if (mode === 'recoverEmail')
      return {
        show: 'objection' as const,
        oobCode,
        ...(await readObjection(at, actionCodeInput.parse({ oobCode }))),
      }
    const known = mode === 'resetPassword' ? oobCode : ''
    const { email, hasAccepted } = await holderOf(at, actionCodeInput.parse({ oobCode: known }).oobCode)
    if (at.actor) throw redirect(url.pathname + url.search, { headers: (await signOut(at)).headers })
    const terms = hasAccepted ? null : { termsUrl, privacyUrl }
    return { show: 'password' as const, oobCode, email, terms }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return spoilt(error, at, url)
  }
}

const done = 'Ahí te llegan tus avisos.'

/** Says what is wrong with a link, and how to get another. A signed-in user who needs none is sent home. */
async function spoilt(
  { title, description, details, status }: Refusal,
  { actor }: OperationCaller,
  url: URL,
) {
  const proving = url.searchParams.get('mode') === 'verifyEmail'
  const { reason } = (details ?? {}) as { reason?: string }
  if (proving && actor?.emailVerified)
    throw await redirectWithToast('/', 'Tu correo ya está confirmado', done)
  const isSettled = reason === 'settled'
  if (!proving && actor)
    throw await redirectWithToast('/', title, description, isSettled ? 'success' : 'destructive')
  if (isSettled) return { show: 'settled' as const, title, description, signedIn: actor !== null }
  const changing = url.searchParams.get('mode') === 'verifyAndChangeEmail'
  const way = changing
    ? ('sign-in' as const)
    : !proving
      ? ('ask' as const)
      : reason === 'forged' && !actor
        ? ('sign-in' as const)
        : ('resend' as const)
  const oobCode = url.searchParams.get('oobCode') ?? ''
  return data({ show: 'spoilt' as const, title, description, way, oobCode, signedIn: actor !== null }, status)
}

export const action = forms(({ context }: Route.ActionArgs) => {
  const { caller: at } = requestOf(context)
  return { ...passwordForms(at), ...mailboxForms(at), ...emailChangeForms(at) }
})

const homeOf = ({ actor }: OperationCaller) => (actor ? '/' : '/signin')

const passwordForms = (at: OperationCaller) => ({
  ask: form(recoverInput.ask, async (sent) => {
    await sendReset(at, sent)
    return redirect('/recover-password?enviado', 303)
  }),
  password: form(recoverInput.password, async (sent) => {
    const { value } = await confirmReset(at, sent)
    const words = value.hasPasskeys
      ? 'Inicia sesión con la nueva. Tus llaves de acceso siguen abriendo tu cuenta.'
      : 'Inicia sesión con la nueva.'
    return toSignIn(at, 'Tu contraseña cambió', words)
  }),
})

const mailboxForms = (at: OperationCaller) => ({
  prove: form(recoverInput.prove, async (sent) => {
    await applyActionCode(at, sent)
    return redirectWithToast(
      homeOf(at),
      'Confirmamos tu correo',
      at.actor ? done : 'Inicia sesión para continuar.',
    )
  }),
  'prove-by-password': form(recoverInput['prove-by-password'], async (sent) => {
    const { headers, value } = await proveBySignIn(at, sent)
    if (!value.secondStep) return redirectWithToast('/', 'Confirmamos tu correo', done, 'success', headers)
    const letter = `/recover-password?mode=verifyEmail&oobCode=${sent.oobCode}`
    return redirect(`/signin?next=${encodeURIComponent(letter)}`, { status: 303, headers })
  }),
  'prove-by-new': form(recoverInput['prove-by-new'], async (sent) => {
    await proveByNewPassword(at, sent)
    return toSignIn(at, 'Confirmamos tu correo', 'Inicia sesión con tu contraseña nueva.')
  }),
  disown: form(recoverInput.disown, async (sent) => {
    await disown(at, sent)
    return redirectWithToast(
      homeOf(at),
      'Borramos esa cuenta',
      'Gracias por avisarnos. Tu correo quedó libre.',
    )
  }),
  resend: form(recoverInput.resend, async (sent) => {
    const { value } = await sendVerification(at, sent)
    return value.sent
      ? redirectWithToast(homeOf(at), 'Te mandamos otro correo', 'Ábrelo y confirma con su botón.')
      : redirectWithToast(homeOf(at), 'Tu correo ya está confirmado', 'Inicia sesión para continuar.')
  }),
})

const emailChangeForms = (at: OperationCaller) => ({
  'change-email': form(recoverInput['change-email'], async (sent) => {
    const { value } = await applyEmailChange(at, sent)
    return redirectWithToast('/', 'Cambiamos tu correo', `Desde ahora entras con ${value.email}.`)
  }),
  'change-email-new': form(recoverInput['change-email-new'], async (sent) => {
    const { value } = await applyByNewPassword(at, sent)
    return toSignIn(at, 'Cambiamos tu correo', `Entra con ${value.email} y tu contraseña nueva.`)
  }),
  'object-email': form(recoverInput['object-email'], async (sent) => {
    const { value } = await objectToEmailChange(at, sent)
    return toSignIn(at, 'Recuperaste tu cuenta', `Entra con ${value.email} y tu contraseña nueva.`)
  }),
})

/** Ends the session of any account, and starts again at the sign-in. */
async function toSignIn(at: OperationCaller, title: string, description: string) {
  const headers = at.actor ? (await signOut(at)).headers : undefined
  return redirectWithToast('/signin', title, description, 'success', headers)
}

/** With JavaScript a lost network leaves the form as it is. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const fields = await typedFields(request)
  return fields.intent === 'ask'
    ? formAnswer(fields, sessionOperations.sendReset(fields), () => redirect('/recover-password?enviado'))
    : orKept(fields, serverAction)
}

export default function Recover({ loaderData: shown, actionData }: Route.ComponentProps) {
  switch (shown.show) {
    case 'ask':
      return shown.sent && !actionData ? <LetterOnItsWay /> : <AskLetter />
    case 'password':
      return <ChoosePassword {...shown} />
    case 'prove':
      return <ProveMailbox {...shown} />
    case 'outside':
      return <ProveOutside {...shown} />
    case 'new-email':
      return <NewEmail {...shown} />
    case 'objection':
      return <Objection {...shown} />
    case 'unproved':
      return <Unproved email={shown.email} />
    case 'settled':
      return <AlreadyDone {...shown} />
    case 'spoilt':
      return <SpoiltLink {...shown} />
  }
}
