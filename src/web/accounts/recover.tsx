import { data, redirect } from 'react-router'
import { z } from 'zod'
import { codeInput, newPasswordInput, recoveryInput } from '../../domain/account.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Caller } from '../../server/accounts/caller.ts'
import { signOut } from '../../server/accounts/entry.ts'
import { confirmReset, holderOf, sendReset } from '../../server/accounts/reset.ts'
import { applyActionCode, checkActionCode, sendVerification } from '../../server/accounts/verify-email.ts'
import { caller, site } from '../../server/context.ts'
import { afterRefusal } from '../after-refusal.ts'
import { toast } from '../flash.ts'
import { formAnswer, orKept, typedFields } from '../session/form-answer.ts'
import { session } from '../session/operations.ts'
import { submit } from '../submit.ts'
import type { Route } from './+types/recover.ts'
import {
  AskLetter,
  ChoosePassword,
  LetterOnItsWay,
  ProveMailbox,
  SpoiltLink,
  Unproved,
} from './recover-parts.tsx'

/** A code that was used meanwhile is read again, and then says so. */
export const shouldRevalidate = afterRefusal

/** Shows what a letter's link is for. It takes no code: mail scanners open links too, and only the button counts. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const [mode, oobCode = ''] = [url.searchParams.get('mode'), url.searchParams.get('oobCode') ?? '']
  const at = context.get(caller)
  if (mode === null) return { show: 'ask' as const, sent: url.searchParams.has('enviado') }
  if (mode === 'verifyEmail' && !oobCode && at.actor && !at.actor.emailVerified)
    return { show: 'unproved' as const, email: at.actor.email }
  try {
    if (mode === 'verifyEmail') {
      const { email } = await checkActionCode(at, codeInput.parse({ oobCode }))
      return { show: 'prove' as const, oobCode, email }
    }
    const known = mode === 'resetPassword' ? oobCode : ''
    const { email, hasAccepted } = await holderOf(at, codeInput.parse({ oobCode: known }).oobCode)
    if (at.actor) throw redirect(url.pathname + url.search, { headers: (await signOut(at)).headers })
    const { termsUrl, privacyUrl } = context.get(site)
    const terms = hasAccepted ? null : { termsUrl, privacyUrl }
    return { show: 'password' as const, oobCode, email, terms }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return spoilt(error, at, url)
  }
}

/** What is wrong with a link, and how to get another. Whoever is signed in and needs none goes home with the words. */
async function spoilt({ title, description, details, status }: Refusal, { actor }: Caller, url: URL) {
  const proving = url.searchParams.get('mode') === 'verifyEmail'
  if (proving && actor?.emailVerified) throw await toast('/', 'Tu correo ya está confirmado')
  if (!proving && actor) throw await toast('/', title, description, 'destructive')
  const forged = (details as { reason?: string } | undefined)?.reason === 'forged'
  const way = !proving ? ('ask' as const) : forged && !actor ? ('sign-in' as const) : ('resend' as const)
  const oobCode = url.searchParams.get('oobCode') ?? ''
  return data({ show: 'spoilt' as const, title, description, way, oobCode, signedIn: actor !== null }, status)
}

const input = z.discriminatedUnion('intent', [
  recoveryInput.extend({ intent: z.literal('ask') }),
  newPasswordInput.extend({ intent: z.literal('password') }),
  codeInput.extend({ intent: z.literal('prove') }),
  codeInput.extend({ intent: z.literal('resend') }),
])

export const action = ({ request, context }: Route.ActionArgs) =>
  submit(request, input, async (sent) => {
    const at = context.get(caller)
    const home = at.actor ? '/' : '/signin'
    switch (sent.intent) {
      case 'ask':
        await sendReset(at, sent)
        return redirect('/recover-password?enviado', 303)
      case 'password': {
        await confirmReset(at, sent)
        const headers = at.actor ? (await signOut(at)).headers : undefined
        return toast('/signin', 'Tu contraseña cambió', 'Inicia sesión con la nueva.', 'success', headers)
      }
      case 'prove':
        await applyActionCode(at, sent)
        return toast(home, 'Confirmamos tu correo', at.actor ? undefined : 'Inicia sesión para continuar.')
      case 'resend': {
        const { value } = await sendVerification(at, sent)
        if (!value.sent) return toast(home, 'Tu correo ya está confirmado', 'Inicia sesión para continuar.')
        return toast(home, 'Te mandamos otro correo', 'Ábrelo y confirma con su botón.')
      }
    }
  })

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
    case 'unproved':
      return <Unproved email={shown.email} result={heard('resend')} />
    case 'spoilt':
      return <SpoiltLink {...shown} result={heard('resend') ?? heard('ask')} />
  }
}
