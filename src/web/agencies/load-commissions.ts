import type { PartAsked } from './agency-part.ts'

/** What ?seccion=comisiones shows. */
export const loadCommissions = async (_: PartAsked) => ({})
