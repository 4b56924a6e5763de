import { refuse } from '../../domain/refusal.ts'
import { agencyFor } from '../../server/agencies/queries.ts'
import { db } from '../../server/context.ts'
import { afterRefusal } from '../after-refusal.ts'
import { load } from '../load.ts'
import { someone } from '../someone.ts'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/agency.ts'
import { agencyAction } from './agency-action.ts'
import { AgencyClients } from './agency-clients.tsx'
import { AgencyCodes } from './agency-codes.tsx'
import { AgencyCommissions } from './agency-commissions.tsx'
import { AgencyDetails } from './agency-details.tsx'
import { AgencyKeys } from './agency-keys.tsx'
import { AgencySummary } from './agency-summary.tsx'
import { ActiveBadge } from './agency-table.tsx'
import { AgencyTabs } from './agency-tabs.tsx'
import { AgencyWebhooks } from './agency-webhooks.tsx'
import { loadSection } from './sections.ts'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = afterRefusal

export const loader = ({ context, params, url }: Route.LoaderArgs) =>
  load(async () => {
    const [database, actor, now] = [context.get(db), someone(context), new Date()]
    const agency = (await agencyFor(database, actor, params.id)) ?? refuse('not-found')
    return { agency, ...(await loadSection({ db: database, actor, agency, url, now })) }
  })

export const action = ({ request, context, params }: Route.ActionArgs) =>
  agencyAction({ request, context, params })

export default function AgencyScreen({ loaderData, actionData: heard }: Route.ComponentProps) {
  const { agency, section, sections, summary, codes, clients, commissions, keys, webhooks, details } =
    loaderData
  const common = { agency, heard }
  return (
    <>
      <PageHeader
        title={agency.name}
        subtitle={<ActiveBadge active={agency.active} />}
        back={{ to: '/admin/agencies', label: 'Consecionarias' }}
      />
      <AgencyTabs agencyId={agency.id} section={section} sections={sections} />
      {summary && <AgencySummary {...summary} agency={agency} />}
      {codes && <AgencyCodes {...codes} {...common} />}
      {clients && <AgencyClients {...clients} {...common} />}
      {commissions && <AgencyCommissions {...commissions} {...common} />}
      {keys && <AgencyKeys {...keys} {...common} />}
      {webhooks && <AgencyWebhooks {...webhooks} {...common} />}
      {details && <AgencyDetails {...details} {...common} />}
    </>
  )
}
