import type { PartAsked } from './agency-part.ts'

/** What ?seccion=codigos shows. */
export const loadCodes = async (_: PartAsked) => ({})
