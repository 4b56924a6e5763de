import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { editsAgencies } from '../../domain/agency.ts'
import { agencyInput } from '../../domain/agency-input.ts'
import type { AgencySection } from '../../domain/agency-section.ts'
import { refuse } from '../../domain/refusal.ts'
import { seenVersion, staleForm } from '../../domain/seen-version.ts'
import { editAgency, switchAgency } from '../../server/agencies/changes.ts'
import { agencyFor } from '../../server/agencies/queries.ts'
import { db } from '../../server/context.ts'
import { formWithFiles } from '../documents/form-with-files.ts'
import { toast } from '../flash.ts'
import { load } from '../load.ts'
import { someone } from '../someone.ts'
import { submit } from '../submit.ts'
import { type PartAnswer, type PartForm, sectionPath } from './agency-part.ts'
import { clientsAction } from './clients-action.ts'
import { codesAction } from './codes-action.ts'
import { commissionsAction } from './commissions-action.ts'
import { keysAction } from './keys-action.ts'
import { webhooksAction } from './webhooks-action.ts'

type Part = { section: AgencySection; answer: (form: PartForm) => PartAnswer }

/** Who answers a form, by how its intent begins: "codes.approve" is the codes' own. */
const parts: Record<string, Part> = {
  codes: { section: 'codigos', answer: codesAction },
  clients: { section: 'clientes', answer: clientsAction },
  commissions: { section: 'comisiones', answer: commissionsAction },
  keys: { section: 'integracion', answer: keysAction },
  webhooks: { section: 'integracion', answer: webhooksAction },
}
const details: Part = { section: 'datos', answer: detailsAction }

type Args = { request: Request; context: Readonly<RouterContextProvider>; params: { id: string } }

/** Answers every form of an agency's page; all of them are for whoever edits agencies. */
export const agencyAction = ({ request, context, params: { id } }: Args): PartAnswer =>
  load(async () => {
    const [database, actor] = [context.get(db), someone(context)]
    const agency = (await agencyFor(database, actor, id)) ?? refuse('not-found')
    // Said before a word of theirs is looked at.
    if (!editsAgencies(actor)) refuse('permission-denied')
    const sent = await formWithFiles(request)
    const [prefix = ''] = sent.intent.split('.')
    const { section, answer } = Object.hasOwn(parts, prefix) ? parts[prefix]! : details
    const here = sectionPath(id, section)
    return answer({ context, db: database, actor, agency, sent, here, now: new Date() })
  })

const shownWith = z.object({ version: seenVersion })
const editing = z.intersection(agencyInput, shownWith)
const switching = shownWith.extend({ active: z.enum(['yes', 'no'], staleForm) })

/** Writes what an agency is, or switches it on and off. */
async function detailsAction({ db: database, actor, agency: { id }, sent, here }: PartForm): PartAnswer {
  if (sent.intent !== 'switch')
    return submit(sent.form, editing, async (input) => {
      await editAgency(database, actor, id, input)
      return toast(here, 'Guardamos los cambios', 'Desde ahora se muestran así.')
    })
  return submit(sent.form, switching, async ({ version, active }) => {
    await switchAgency(database, actor, id, { version, active: active === 'yes' })
    return active === 'yes'
      ? toast(here, 'Concesionaria activada', 'Sus aliados ya pueden entrar.')
      : toast(here, 'Concesionaria desactivada', 'Cerramos las sesiones de sus aliados.')
  })
}
