import type { RouterContextProvider } from 'react-router'
import { acceptInvitationInput } from '../../domain/users/schema.ts'
import { currentSession, db } from '../../server/app/context.ts'
import { acceptInvitation } from '../../server/users/accept.ts'
import { redirectWithToast } from '../lib/flash.ts'
import { requireActor } from '../lib/require-actor.ts'
import { form } from '../lib/submit.ts'

/** Accepts the invitation of whoever is signed in, and leads them to the staff's home. */
export const invitationForms = (context: Readonly<RouterContextProvider>) => ({
  'accept-invitation': form(acceptInvitationInput, async ({ invitacion }) => {
    const sessionId = context.get(currentSession)?.id
    const given = { code: invitacion, now: new Date(), sessionId }
    await acceptInvitation(context.get(db), requireActor(context), given)
    return redirectWithToast('/admin', 'Ya eres parte del equipo', 'Este es tu nuevo inicio.')
  }),
})
