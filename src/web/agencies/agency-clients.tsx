import type { Heard, ShownAgency } from './agency-part.ts'
import type { loadClients } from './load-clients.ts'

type AgencyClientsProps = Awaited<ReturnType<typeof loadClients>> & { agency: ShownAgency; heard: Heard }

export const AgencyClients = (_: AgencyClientsProps) => null
