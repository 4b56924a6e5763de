import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { requiredText } from '../../domain/shared/schema.ts'
import { acceptNewTerms } from '../../server/accounts/consents.ts'
import { caller, db } from '../../server/app/context.ts'
import { toast } from '../lib/flash.ts'
import { someone } from '../lib/someone.ts'
import { submit } from '../lib/submit.ts'
import { accept, acceptInput } from '../users/accept-invitation.ts'

const homeInput = z.discriminatedUnion('intent', [
  acceptInput,
  z.object({ intent: z.literal('accept-terms'), terms: requiredText('Vuelve a abrir la página.', 60) }),
])

/** The forms of a customer's home. */
export const homeAction = (request: Request, context: Readonly<RouterContextProvider>) =>
  submit(request, homeInput, async (form) => {
    if (form.intent === 'accept-invitation') return accept(context, form)
    const { now, termsVersion: inForce } = context.get(caller)
    await acceptNewTerms(context.get(db), someone(context), { shown: form.terms, inForce }, now)
    return toast('/', 'Gracias', 'Guardamos que aceptaste.')
  })
