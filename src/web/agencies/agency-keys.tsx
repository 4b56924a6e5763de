import type { Heard, ShownAgency } from './agency-part.ts'
import type { loadKeys } from './load-keys.ts'

type AgencyKeysProps = Awaited<ReturnType<typeof loadKeys>> & { agency: ShownAgency; heard: Heard }

export const AgencyKeys = (_: AgencyKeysProps) => null
