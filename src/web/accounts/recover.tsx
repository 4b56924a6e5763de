import { data, Link, redirect } from 'react-router'
import { z } from 'zod'
import {
  codeInput,
  newPasswordInput,
  proveBySignInInput,
  recoveryInput,
} from '../../domain/accounts/schema.ts'
import { Refusal } from '../../domain/shared/refusal.ts'
import type { Caller } from '../../server/accounts/caller.ts'
import { disown } from '../../server/accounts/email-change.ts'
import {
  applyByNewPassword,
  applyEmailChange,
  objectToEmailChange,
  readEmailChange,
  readObjection,
} from '../../server/accounts/email-change-letters.ts'
import { signOut } from '../../server/accounts/entry.ts'
import { confirmReset, holderOf, proveByNewPassword, sendReset } from '../../server/accounts/reset.ts'
import {
  applyActionCode,
  checkActionCode,
  proveBySignIn,
  sendVerification,
} from '../../server/accounts/verify-email.ts'
import { caller, site } from '../../server/app/context.ts'
import { afterRefusal } from '../lib/after-refusal.ts'
import { toast } from '../lib/flash.ts'
import { submit } from '../lib/submit.ts'
import { Card } from '../ui/card.tsx'
import { Details } from '../ui/details.tsx'
import { Field } from '../ui/field.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Submit } from '../ui/submit.tsx'
import type { Route } from './+types/recover.ts'
import { formAnswer, orKept, typedFields } from './form-answer.ts'
import { session } from './operations.ts'
import { ProveOutside } from './prove-outside.tsx'
import {
  AskLetter,
  ChoosePassword,
  LetterOnItsWay,
  ProveMailbox,
  SpoiltLink,
  Unproved,
} from './recover-parts.tsx'

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
function NewEmail({ oobCode, email, own, byNewPassword, heard }: NewEmailProps) {
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
function Objection({ oobCode, email, heard }: ObjectionProps) {
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

/** A code that was used meanwhile is read again, and then says so. */
export const shouldRevalidate = afterRefusal

/** Shows what a letter's link is for. It takes no code: mail scanners open links too, and only the button counts. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const [mode, oobCode = ''] = [url.searchParams.get('mode'), url.searchParams.get('oobCode') ?? '']
  const at = context.get(caller)
  if (mode === null) return { show: 'ask' as const, sent: url.searchParams.has('enviado') }
  if (mode === 'verifyEmail' && !oobCode && at.actor && !at.actor.emailVerified)
    return { show: 'unproved' as const, email: at.actor.email }
  const { termsUrl, privacyUrl } = context.get(site)
  try {
    if (mode === 'verifyEmail') {
      const { id, email, hasPassword } = await checkActionCode(at, codeInput.parse({ oobCode }))
      if (at.actor?.id === id) return { show: 'prove' as const, oobCode, email }
      return { show: 'outside' as const, oobCode, email, hasPassword, terms: { termsUrl, privacyUrl } }
    }
    if (mode === 'verifyAndChangeEmail') {
      const { userId, ...change } = await readEmailChange(at, codeInput.parse({ oobCode }))
      return { show: 'new-email' as const, oobCode, own: at.actor?.id === userId, ...change }
    }
    if (mode === 'recoverEmail')
      return {
        show: 'objection' as const,
        oobCode,
        ...(await readObjection(at, codeInput.parse({ oobCode }))),
      }
    const known = mode === 'resetPassword' ? oobCode : ''
    const { email, hasAccepted } = await holderOf(at, codeInput.parse({ oobCode: known }).oobCode)
    if (at.actor) throw redirect(url.pathname + url.search, { headers: (await signOut(at)).headers })
    const terms = hasAccepted ? null : { termsUrl, privacyUrl }
    return { show: 'password' as const, oobCode, email, terms }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return spoilt(error, at, url)
  }
}

const done = 'Ahí te llegan tus avisos.'

/** What is wrong with a link, and how to get another. Whoever is signed in and needs none goes home with the words. */
async function spoilt({ title, description, details, status }: Refusal, { actor }: Caller, url: URL) {
  const proving = url.searchParams.get('mode') === 'verifyEmail'
  if (proving && actor?.emailVerified) throw await toast('/', 'Tu correo ya está confirmado', done)
  if (!proving && actor) throw await toast('/', title, description, 'destructive')
  const forged = (details as { reason?: string } | undefined)?.reason === 'forged'
  const changing = url.searchParams.get('mode') === 'verifyAndChangeEmail'
  const way = changing
    ? ('sign-in' as const)
    : !proving
      ? ('ask' as const)
      : forged && !actor
        ? ('sign-in' as const)
        : ('resend' as const)
  const oobCode = url.searchParams.get('oobCode') ?? ''
  return data({ show: 'spoilt' as const, title, description, way, oobCode, signedIn: actor !== null }, status)
}

const input = z.discriminatedUnion('intent', [
  recoveryInput.extend({ intent: z.literal('ask') }),
  newPasswordInput.extend({ intent: z.literal('password') }),
  codeInput.extend({ intent: z.literal('prove') }),
  proveBySignInInput.extend({ intent: z.literal('prove-by-password') }),
  newPasswordInput.extend({ intent: z.literal('prove-by-new') }),
  codeInput.extend({ intent: z.literal('disown') }),
  codeInput.extend({ intent: z.literal('resend') }),
  codeInput.extend({ intent: z.literal('change-email') }),
  newPasswordInput.extend({ intent: z.literal('change-email-new') }),
  newPasswordInput.extend({ intent: z.literal('object-email') }),
])

export const action = ({ request, context }: Route.ActionArgs) =>
  submit(request, input, async (sent) => {
    const at = context.get(caller)
    const home = at.actor ? '/' : '/signin'
    switch (sent.intent) {
      case 'ask':
        await sendReset(at, sent)
        return redirect('/recover-password?enviado', 303)
      case 'password':
        await confirmReset(at, sent)
        return toSignIn(at, 'Tu contraseña cambió', 'Inicia sesión con la nueva.')
      case 'prove':
        await applyActionCode(at, sent)
        return toast(home, 'Confirmamos tu correo', at.actor ? done : 'Inicia sesión para continuar.')
      case 'prove-by-password': {
        const { headers, value } = await proveBySignIn(at, sent)
        if (!value.secondStep) return toast('/', 'Confirmamos tu correo', done, 'success', headers)
        const letter = `/recover-password?mode=verifyEmail&oobCode=${sent.oobCode}`
        return redirect(`/signin?next=${encodeURIComponent(letter)}`, { status: 303, headers })
      }
      case 'prove-by-new':
        await proveByNewPassword(at, sent)
        return toSignIn(at, 'Confirmamos tu correo', 'Inicia sesión con tu contraseña nueva.')
      case 'disown':
        await disown(at, sent)
        return toast(home, 'Borramos esa cuenta', 'Gracias por avisarnos. Tu correo quedó libre.')
      case 'change-email': {
        const { value } = await applyEmailChange(at, sent)
        return toast('/', 'Cambiamos tu correo', `Desde ahora entras con ${value.email}.`)
      }
      case 'change-email-new': {
        const { value } = await applyByNewPassword(at, sent)
        return toSignIn(at, 'Cambiamos tu correo', `Entra con ${value.email} y tu contraseña nueva.`)
      }
      case 'object-email': {
        const { value } = await objectToEmailChange(at, sent)
        return toSignIn(at, 'Recuperaste tu cuenta', `Entra con ${value.email} y tu contraseña nueva.`)
      }
      case 'resend': {
        const { value } = await sendVerification(at, sent)
        if (!value.sent) return toast(home, 'Tu correo ya está confirmado', 'Inicia sesión para continuar.')
        return toast(home, 'Te mandamos otro correo', 'Ábrelo y confirma con su botón.')
      }
    }
  })

/** Whoever had a session of any account begins anew. */
async function toSignIn(at: Caller, title: string, description: string) {
  const headers = at.actor ? (await signOut(at)).headers : undefined
  return toast('/signin', title, description, 'success', headers)
}

/** With JavaScript a lost network leaves the form as it is. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const fields = await typedFields(request)
  return fields.intent === 'ask'
    ? formAnswer(fields, session.sendReset(fields), () => redirect('/recover-password?enviado'))
    : orKept(fields, serverAction)
}

export default function Recover({ loaderData: shown, actionData }: Route.ComponentProps) {
  const heard = (intent: string) => (actionData?.values.intent === intent ? actionData : undefined)
  switch (shown.show) {
    case 'ask':
      return shown.sent && !actionData ? <LetterOnItsWay /> : <AskLetter result={actionData} />
    case 'password':
      return <ChoosePassword {...shown} result={heard('password')} />
    case 'prove':
      return <ProveMailbox {...shown} result={heard('prove')} />
    case 'outside':
      return <ProveOutside {...shown} heard={heard} />
    case 'new-email':
      return <NewEmail {...shown} heard={heard} />
    case 'objection':
      return <Objection {...shown} heard={heard} />
    case 'unproved':
      return <Unproved email={shown.email} result={heard('resend')} />
    case 'spoilt':
      return <SpoiltLink {...shown} result={heard('resend') ?? heard('ask')} />
  }
}
