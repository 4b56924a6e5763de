import type { PartAsked } from './agency-part.ts'

/** What ?seccion=integracion shows. */
export const loadWebhooks = async (_: PartAsked) => ({})
