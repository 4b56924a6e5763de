import { FileText } from 'lucide-react'
import { shortDate } from '../../shared/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import type { ShownCase } from '../queries.ts'
import { type CaseState, type CaseTurn, caseStateFacts, cfeDays, type DueDates } from '../rules/case.ts'

/** The state of a case, in a word or two. */
export const CaseBadge = ({ state }: { state: CaseState }) => (
  <Badge tone={caseStateFacts[state].tone}>{caseStateFacts[state].label}</Badge>
)

/** When a turn should be over, in a sentence; null where nothing is due. */
export function dueWords(turn: CaseTurn, dates: DueDates | null): string | null {
  if (!dates) return null
  if (turn !== 'cfe' || !dates.stated || !dates.usualFrom) return `A más tardar el ${shortDate(dates.late)}.`
  return `CFE dice ${cfeDays.stated} días hábiles (${shortDate(dates.stated)}). Lo usual es entre el ${shortDate(dates.usualFrom)} y el ${shortDate(dates.late)}; ha llegado a tardar cuatro meses.`
}

/** The letters to print and sign, filled in with the facts of the case. */
export const CaseLetters = ({ shown: { row }, className }: { shown: ShownCase; className: string }) => (
  <Card title="Cartas para imprimir" className={className}>
    <p className="text-[0.9375rem] text-mute">
      Salen con los datos de este trámite y las firmas en blanco. Lo que falte queda con una línea para
      llenarlo a mano.
    </p>
    <div className="flex flex-wrap gap-3">
      <Letter href={`/papers/solicitud/${row.id}.pdf`}>Carta de solicitud</Letter>
      {row.kind !== 'name_change' && (
        <Letter href={`/papers/memoria/${row.id}.pdf`}>Memoria de cálculo</Letter>
      )}
      <Letter href={`/papers/carta-poder/${row.id}.pdf`}>Carta poder</Letter>
    </div>
  </Card>
)

/** A PDF of ours, in a tab of its own. */
export const Letter = ({ href, children }: { href: string; children: string }) => (
  <a className={buttonClass('ghost')} href={href} target="_blank" rel="noreferrer">
    <FileText aria-hidden className="size-5 text-brand" />
    {children}
  </a>
)
