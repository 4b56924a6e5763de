import { type AgencySection, agencySections } from '../../domain/agencies/agency.ts'
import { TabLinks } from '../ui/tab-links.tsx'
import { sectionPath } from './agency-part.ts'

type AgencyTabsProps = { agencyId: string; section: AgencySection; sections: readonly AgencySection[] }

/** The way between the parts of an agency's page; where there is one only, none is needed. */
export const AgencyTabs = ({ agencyId, section, sections }: AgencyTabsProps) =>
  sections.length > 1 && (
    <TabLinks
      label="Partes de la concesionaria"
      current={section}
      tabs={sections.map((name) => ({
        name,
        label: agencySections[name],
        to: sectionPath(agencyId, name),
      }))}
    />
  )
