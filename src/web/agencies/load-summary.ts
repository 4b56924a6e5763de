import { agencyActivity } from '../../server/agencies/activity.ts'
import type { PartAsked } from './agency-part.ts'
import { loadAllies } from './load-details.ts'
import { loadFigures } from './load-figures.ts'

/** What ?seccion=resumen shows. */
export async function loadSummary(asked: PartAsked) {
  // Clients' stages are brought up to date first, which is among what happened.
  const figures = await loadFigures(asked)
  const [allies, activity] = await Promise.all([
    loadAllies(asked),
    agencyActivity(asked.db, asked.actor, asked.agency.id),
  ])
  return { allies, figures, activity, kind: asked.actor.kind, now: asked.now }
}
