import type { Standing } from '../projects/project.ts'
import type { CaseState, CaseTurn } from './cfe-case.ts'

/** An open case, as its project's standing sees it. */
export type CasePart = { state: CaseState; turn: CaseTurn; since: Date }

const missingLine = 'Te toca a ti: entrega los documentos que faltan para tu trámite con CFE.'
const customersLines: Partial<Record<CaseState, string>> = {
  ...{ gathering: missingLine, ready_to_file: missingLine },
  observed: 'Te toca a ti: ayúdanos a corregir lo que CFE observó en tu trámite.',
  approved: 'Te toca a ti: firma tu contrato con CFE.',
}

/** Whose turn it is in a case, in one sentence to its customer. */
export function caseLineWords({ state, turn }: Pick<CasePart, 'state' | 'turn'>): string {
  if (state === 'on_hold') return 'Tu trámite con CFE está en pausa. Te avisamos cuando siga.'
  if (turn === 'customer') return customersLines[state] ?? 'Te toca a ti: revisa tu trámite con CFE.'
  if (turn === 'gester') return 'Nos toca a nosotros: seguimos con tu trámite ante CFE.'
  if (turn === 'none') return 'Tu trámite con CFE terminó.'
  return state === 'contract_signed'
    ? 'Le toca a CFE: falta que instale tu medidor.'
    : 'Le toca a CFE: tiene tu trámite en revisión.'
}

/** An open case to a customer who has no screen of it: nothing is asked of them where they could not answer. */
export const unseenCase = (part: CasePart): CasePart =>
  part.turn === 'customer' ? { ...part, turn: 'gester' } : part

/** How a project stands whose installation is done and whose case is not. */
export const caseStanding = ({ since, state, turn }: CasePart): Omit<Standing, 'stage'> => ({
  waitingOn: turn,
  line: caseLineWords({ state, turn }),
  since,
  next: turn === 'customer' ? { label: 'Ver mi trámite con CFE', to: '/installation' } : null,
})

const order: readonly CaseTurn[] = ['customer', 'gester', 'cfe', 'none']

/** Of several open cases the one that says whose turn it is: what waits for the customer first, then what waits the longest. */
export const leading = <Part extends CasePart>(parts: readonly Part[]): Part | null =>
  parts.toSorted(
    (a, b) => order.indexOf(a.turn) - order.indexOf(b.turn) || a.since.getTime() - b.since.getTime(),
  )[0] ?? null
