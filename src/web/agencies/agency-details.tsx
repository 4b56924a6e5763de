import { ActionBar } from '../ui/action-bar.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { AgencyAllies } from './agency-allies.tsx'
import { AgencyFacts } from './agency-facts.tsx'
import { AgencyFields } from './agency-fields.tsx'
import { AgencyHistory } from './agency-history.tsx'
import type { ShownAgency } from './agency-part.ts'
import { AgencySwitch } from './agency-switch.tsx'
import type { loadDetails } from './load-details.ts'

type AgencyDetailsProps = Awaited<ReturnType<typeof loadDetails>> & { agency: ShownAgency }

/** What an agency is, written by whoever edits it and read by the others. */
export function AgencyDetails({ agency, allies, canEdit, events, signedIn }: AgencyDetailsProps) {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
      {canEdit ? (
        <Form intent="edit" className="gap-4">
          <input type="hidden" name="version" value={agency.version} />
          <AgencyFields agency={agency} />
          <ActionBar>
            <Submit>Guardar</Submit>
          </ActionBar>
        </Form>
      ) : (
        <AgencyFacts agency={agency} />
      )}
      <div className="grid gap-4">
        <AgencyAllies allies={allies} />
        {canEdit && <AgencySwitch agency={agency} signedIn={signedIn} />}
        {canEdit && events.length > 0 && <AgencyHistory events={events} />}
      </div>
    </div>
  )
}
