import type { PartAsked } from './agency-part.ts'
import { loadAllies } from './load-details.ts'

/** What ?seccion=resumen shows. */
export const loadSummary = async (asked: PartAsked) => ({ allies: await loadAllies(asked) })
