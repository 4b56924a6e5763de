import { type RouterContextProvider, redirect } from 'react-router'
import { secondStepInput } from '../../domain/accounts/schema.ts'
import { forgetChallenge, isHalfSigned, takeSecondStep, tooLate } from '../../server/accounts/second-step.ts'
import { caller } from '../../server/app/context.ts'
import { toast } from '../lib/flash.ts'
import { formOf } from '../lib/form.ts'
import { submit } from '../lib/submit.ts'

const starts = 'start-over'
const intents: readonly string[] = [...secondStepInput.options.map((form) => form.shape.intent.value), starts]

/** Answers the forms of the second step, and null for any other. */
export async function secondStepAction(request: Request, context: Readonly<RouterContextProvider>) {
  const form = await formOf(request)
  const intent = String(form.get('intent'))
  if (!intents.includes(intent)) return null
  const cookies = request.headers.get('cookie')
  if (intent === starts) {
    const headers = new Headers()
    forgetChallenge(cookies, headers)
    return redirect('/signin', { status: 303, headers })
  }
  // Asked without a challenge, the library would go on under whatever session the browser still sends.
  if (!isHalfSigned(cookies)) return toast('/signin', 'Vuelve a iniciar sesión', tooLate, 'destructive')
  return submit(request, secondStepInput, async (typed) => {
    const { headers, over } = await takeSecondStep(context.get(caller), typed)
    forgetChallenge(cookies, headers)
    if (over) return toast('/signin', 'Vuelve a iniciar sesión', over, 'destructive', headers)
    return redirect(typed.next ?? '/', { status: 303, headers })
  })
}
