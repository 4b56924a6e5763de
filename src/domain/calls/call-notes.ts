import { type Actor, isAnalyst, isManager } from '../access/actor.ts'
import { type Facts, isItsAssignee } from '../appointments/appointment.ts'

/** The longest texts that are left of a call, in characters. */
export const longestSummary = 4_000
export const longestNextSteps = 2_000
export const longestNotes = 10_000

/** Who writes the notes of a call: whose it is, and managers. */
export const writesNotes = (actor: Actor, facts: Facts) =>
  isManager(actor) || (isAnalyst(actor) && isItsAssignee(actor, facts))
