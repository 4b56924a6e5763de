import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { invitationCode } from '../../domain/users/schema.ts'
import { db, session } from '../../server/app/context.ts'
import { acceptInvitation } from '../../server/users/accept.ts'
import { toast } from '../lib/flash.ts'
import { someone } from '../lib/someone.ts'

/** The form on a home's invitation. */
export const acceptInput = z.object({ intent: z.literal('accept-invitation'), invitacion: invitationCode })

/** Accepts the invitation of whoever is signed in, and leads them to the staff's home. */
export async function accept(
  context: Readonly<RouterContextProvider>,
  { invitacion }: z.output<typeof acceptInput>,
) {
  await acceptInvitation(context.get(db), someone(context), {
    ...{ code: invitacion, now: new Date() },
    sessionId: context.get(session)?.id,
  })
  return toast('/admin', 'Ya eres parte del equipo', 'Este es tu nuevo inicio.')
}
