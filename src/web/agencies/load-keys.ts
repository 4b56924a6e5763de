import type { PartAsked } from './agency-part.ts'

/** What ?seccion=integracion shows. */
export const loadKeys = async (_: PartAsked) => ({})
