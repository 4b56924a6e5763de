import { refuse } from '../../domain/refusal.ts'
import { staleForm } from '../../domain/seen-version.ts'
import type { PartAnswer, PartForm } from './agency-part.ts'

/** Answers the forms of the page whose intent begins with "commissions.". */
export const commissionsAction = async (_: PartForm): PartAnswer => refuse('invalid-argument', staleForm)
