import type { Heard, ShownAgency } from './agency-part.ts'
import type { loadWebhooks } from './load-webhooks.ts'

type AgencyWebhooksProps = Awaited<ReturnType<typeof loadWebhooks>> & { agency: ShownAgency; heard: Heard }

export const AgencyWebhooks = (_: AgencyWebhooksProps) => null
