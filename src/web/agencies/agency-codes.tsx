import type { Heard, ShownAgency } from './agency-part.ts'
import type { loadCodes } from './load-codes.ts'

type AgencyCodesProps = Awaited<ReturnType<typeof loadCodes>> & { agency: ShownAgency; heard: Heard }

export const AgencyCodes = (_: AgencyCodesProps) => null
