import { z } from 'zod'
import { staleForm } from '../../domain/seen-version.ts'
import { handOver } from '../../server/clients/hand-over.ts'
import { toast } from '../flash.ts'
import { submit } from '../submit.ts'
import { heldWords } from '../users/held-words.ts'
import type { PartAnswer, PartForm } from './agency-part.ts'

const handingOver = z.object({
  intent: z.literal('clients.hand_over', staleForm),
  from: z.uuid(staleForm),
  to: z.uuid('Elige a quién se los pasas.'),
})

/** Gives what one of the agency's people holds to another of them. */
export const clientsAction = async ({ actor, agency, db, here, sent }: PartForm): PartAnswer =>
  submit(sent.form, handingOver, async ({ from, to }) => {
    const moved = await handOver(db, actor, { agencyId: agency.id, from, to })
    return toast(here, 'Los pasaste', `Cambiaron de manos ${heldWords(moved)}.`)
  })
