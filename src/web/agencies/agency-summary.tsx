import { AgencyAllies } from './agency-allies.tsx'
import type { loadSummary } from './load-summary.ts'

type AgencySummaryProps = Awaited<ReturnType<typeof loadSummary>>

/** An agency at a glance. */
export const AgencySummary = ({ allies }: AgencySummaryProps) => <AgencyAllies allies={allies} />
