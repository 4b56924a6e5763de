import type { Actor } from './actor.ts'
import type { Facts } from './appointment.ts'
import { isAnalyst, isManager, itsAssignee } from './movers.ts'

/** The longest texts that are left of a call, in characters. */
export const longestSummary = 4_000
export const longestNextSteps = 2_000
export const longestNotes = 10_000

/** Who writes the notes of a call: whose it is, and managers. */
export const writesNotes = (actor: Actor, facts: Facts) =>
  isManager(actor) || (isAnalyst(actor) && itsAssignee(actor, facts))
