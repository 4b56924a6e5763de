import type { StaffKind } from '../../domain/access/actor.ts'
import type { ClientStage } from '../../domain/agencies/clients.ts'
import { sectionPath } from './agency-part.ts'

/** Where the clients of an agency are listed for somebody; null for whoever only knows how many there are. */
const listOf: Partial<Record<StaffKind, (agencyId: string) => string>> = {
  manager: (agencyId) => sectionPath(agencyId, 'clientes'),
  alliate: () => '/admin/alliate/clients',
}

/** The list of an agency's clients, all of them or those at a stage. */
export function clientsAddress(kind: StaffKind | null, agencyId: string, stage?: ClientStage): string | null {
  const path = kind && listOf[kind]?.(agencyId)
  if (!path || !stage) return path ?? null
  return `${path}${path.includes('?') ? '&' : '?'}stage=${stage}`
}
