import type { Heard, ShownAgency } from './agency-part.ts'
import type { loadCommissions } from './load-commissions.ts'

type AgencyCommissionsProps = Awaited<ReturnType<typeof loadCommissions>> & {
  agency: ShownAgency
  heard: Heard
}

export const AgencyCommissions = (_: AgencyCommissionsProps) => null
