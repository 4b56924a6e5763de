import { data } from 'react-router'
import { z } from 'zod'
import { apiKeyInput } from '../../domain/api-key-input.ts'
import { refuse } from '../../domain/refusal.ts'
import { staleForm } from '../../domain/seen-version.ts'
import { makeKey, revokeKey } from '../../server/api/keys.ts'
import { toast } from '../flash.ts'
import { submit } from '../submit.ts'
import type { PartAnswer, PartForm } from './agency-part.ts'

const revoking = z.object({ keyId: z.uuid(staleForm) })

/** Answers the forms of the page whose intent begins with "keys.". */
export async function keysAction({ db, actor, agency: { id }, sent, here, now }: PartForm): PartAnswer {
  const { intent, form } = sent
  if (intent === 'keys.make')
    return submit(form, apiKeyInput, async (input) =>
      data({ intent, secret: await makeKey(db, actor, id, input, now) }),
    )
  if (intent === 'keys.revoke')
    return submit(form, revoking, async ({ keyId }) => {
      await revokeKey(db, actor, id, keyId, now)
      return toast(here, 'Revocamos la llave', 'Desde este momento no abre nada.')
    })
  return refuse('invalid-argument', staleForm)
}
