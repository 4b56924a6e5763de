import { z } from 'zod'
import { agencyInput, editsAgencies } from '../../domain/agency.ts'
import { refuse } from '../../domain/refusal.ts'
import { orRefuse } from '../../domain/result.ts'
import { seenVersion, staleForm } from '../../domain/seen-version.ts'
import { calledBy } from '../../domain/user.ts'
import { editAgency, switchAgency } from '../../server/agencies/changes.ts'
import { agencyFor, signedInAllies } from '../../server/agencies/queries.ts'
import { db } from '../../server/context.ts'
import { historyOf } from '../../server/events/queries.ts'
import { readAllies } from '../../server/users/store.ts'
import { afterRefusal } from '../after-refusal.ts'
import { toast } from '../flash.ts'
import { load } from '../load.ts'
import { someone } from '../someone.ts'
import { submit } from '../submit.ts'
import { ActionBar } from '../ui/action-bar.tsx'
import { Form } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Submit } from '../ui/submit.tsx'
import type { Route } from './+types/agency.ts'
import { AgencyAllies } from './agency-allies.tsx'
import { AgencyFacts } from './agency-facts.tsx'
import { AgencyFields } from './agency-fields.tsx'
import { AgencyHistory } from './agency-history.tsx'
import { AgencySwitch } from './agency-switch.tsx'
import { ActiveBadge } from './agency-table.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = afterRefusal

export const loader = ({ context, params }: Route.LoaderArgs) =>
  load(async () => {
    const [database, actor] = [context.get(db), someone(context)]
    const agency = (await agencyFor(database, actor, params.id)) ?? refuse('not-found')
    const canEdit = editsAgencies(actor)
    const [allies, events, signedIn] = await Promise.all([
      readAllies(database, actor, agency.id).then(orRefuse),
      canEdit ? historyOf(database, 'agency', agency.id) : [],
      canEdit ? signedInAllies(database, agency.id, new Date()) : 0,
    ])
    return {
      agency,
      canEdit,
      events,
      signedIn,
      allies: allies.map((ally) => ({ id: ally.uid, name: calledBy(ally), active: ally.active })),
    }
  })

const shownWith = z.object({ version: seenVersion })
const editing = z.intersection(agencyInput, shownWith)
const switching = shownWith.extend({ active: z.enum(['yes', 'no'], staleForm) })

export const action = ({ request, context, params }: Route.ActionArgs) =>
  load(async () => {
    const [database, actor, here] = [context.get(db), someone(context), `/admin/agency/${params.id}`]
    if (!(await agencyFor(database, actor, params.id))) refuse('not-found')
    // Said before a word of theirs is looked at.
    if (!editsAgencies(actor)) refuse('permission-denied')
    const form = await request
      .clone()
      .formData()
      .catch(() => new FormData())
    if (form.get('intent') !== 'switch')
      return submit(request, editing, async (input) => {
        await editAgency(database, actor, params.id, input)
        return toast(here, 'Guardamos los cambios')
      })
    return submit(request, switching, async ({ version, active }) => {
      await switchAgency(database, actor, params.id, { version, active: active === 'yes' })
      return toast(here, active === 'yes' ? 'Concesionaria activada' : 'Concesionaria desactivada')
    })
  })

export default function AgencyScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { agency, allies, canEdit, events, signedIn } = loaderData
  const isSwitch = (actionData?.values as Record<string, string> | undefined)?.intent === 'switch'
  return (
    <>
      <PageHeader
        title={agency.name}
        subtitle={<ActiveBadge active={agency.active} />}
        back={{ to: '/admin/agencies', label: 'Consecionarias' }}
      />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        {canEdit ? (
          <Form result={isSwitch ? undefined : actionData} className="gap-4">
            <input type="hidden" name="version" value={agency.version} />
            <AgencyFields agency={agency} />
            <ActionBar>
              <Submit name="intent" value="edit">
                Guardar
              </Submit>
            </ActionBar>
          </Form>
        ) : (
          <AgencyFacts agency={agency} />
        )}
        <div className="grid gap-4">
          <AgencyAllies allies={allies} />
          {canEdit && (
            <AgencySwitch agency={agency} signedIn={signedIn} result={isSwitch ? actionData : undefined} />
          )}
          {canEdit && events.length > 0 && <AgencyHistory events={events} />}
        </div>
      </div>
    </>
  )
}
