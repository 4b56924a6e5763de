import { refuse } from '../../domain/shared/refusal.ts'
import { agencyFor } from '../../server/agencies/agencies-queries.ts'
import { db } from '../../server/app/context.ts'
import { afterRefusal } from '../lib/after-refusal.ts'
import { load } from '../lib/load.ts'
import { someone } from '../lib/someone.ts'
import { forms } from '../lib/submit.ts'
import { OrphanedFormError } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/agency.ts'
import { AgencyClients } from './agency-clients.tsx'
import { AgencyCodes } from './agency-codes.tsx'
import { AgencyCommissions } from './agency-commissions.tsx'
import { AgencyDetails } from './agency-details.tsx'
import { AgencyKeys } from './agency-keys.tsx'
import { AgencySummary } from './agency-summary.tsx'
import { ActiveBadge } from './agency-table.tsx'
import { AgencyTabs } from './agency-tabs.tsx'
import { AgencyWebhooks } from './agency-webhooks.tsx'
import { agencyForms } from './forms.ts'
import { loadSection } from './sections.ts'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = afterRefusal

export const loader = ({ context, params, url }: Route.LoaderArgs) =>
  load(async () => {
    const [database, actor, now] = [context.get(db), someone(context), new Date()]
    const agency = (await agencyFor(database, actor, params.id)) ?? refuse('not-found')
    return { agency, ...(await loadSection({ db: database, actor, agency, url, now })) }
  })

export const action = forms(({ context, params }: Route.ActionArgs) => agencyForms(context, params.id))

export default function AgencyScreen({ loaderData }: Route.ComponentProps) {
  const { agency, section, sections, summary, codes, clients, commissions, keys, webhooks, details } =
    loaderData
  return (
    <>
      <PageHeader
        title={agency.name}
        subtitle={<ActiveBadge active={agency.active} />}
        back={{ to: '/admin/agencies', label: 'Consecionarias' }}
      />
      <AgencyTabs agencyId={agency.id} section={section} sections={sections} />
      <OrphanedFormError />
      {summary && <AgencySummary {...summary} agency={agency} />}
      {codes && <AgencyCodes {...codes} agency={agency} />}
      {clients && <AgencyClients {...clients} agency={agency} />}
      {commissions && <AgencyCommissions {...commissions} agency={agency} />}
      {keys && <AgencyKeys {...keys} agency={agency} />}
      {webhooks && <AgencyWebhooks {...webhooks} agency={agency} />}
      {details && <AgencyDetails {...details} agency={agency} />}
    </>
  )
}
