import { Outlet, useLocation } from 'react-router'
import { movedFromQuery } from '../../kit/moved-from-query.ts'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import { type AgencySection, agencySections, sectionsFor } from '../rules/agency.ts'
import type { Route } from './+types/agency.ts'
import { agencyPath } from './agency-paths.ts'
import { openAgency } from './agency-server.ts'
import { ActiveBadge } from './badges.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = revalidateOnConflict

export const middleware = [
  movedFromQuery('seccion', (section, { id = '' }) =>
    Object.hasOwn(agencySections, section)
      ? agencyPath(encodeURIComponent(id), section as AgencySection)
      : null,
  ),
]

export const loader = (args: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { actor, agency } = await openAgency(args)
    return { id: agency.id, name: agency.name, active: agency.active, sections: sectionsFor(actor) }
  })

export default function Agency({ loaderData: { active, id, name, sections } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title={name}
        subtitle={<ActiveBadge active={active} />}
        back={{ to: '/admin/agencies', label: 'Consecionarias' }}
      />
      <AgencyTabs agencyId={id} sections={sections} />
      <Outlet />
    </>
  )
}

type AgencyTabsProps = { agencyId: string; sections: readonly AgencySection[] }

/** Links between the parts of an agency's page; none where there is only one. */
function AgencyTabs({ agencyId, sections }: AgencyTabsProps) {
  const last = useLocation().pathname.split('/').filter(Boolean).at(-1)
  const current = sections.find((section) => section === last) ?? sections[0] ?? 'datos'
  if (sections.length < 2) return null
  const tabs = sections.map((name) => ({
    name,
    label: agencySections[name],
    to: agencyPath(agencyId, name),
  }))
  return <TabLinks label="Partes de la concesionaria" current={current} tabs={tabs} />
}
