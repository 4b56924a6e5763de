import { FileText } from 'lucide-react'
import type { ShownCase } from '../../server/cfe/queries.ts'
import { buttonClass } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'

/** The letters that are printed and signed, filled in with what the case says. */
export const CaseLetters = ({ shown: { row }, className }: { shown: ShownCase; className: string }) => (
  <Card title="Cartas para imprimir" className={className}>
    <p className="text-[0.9375rem] text-mute">
      Salen con los datos de este trámite y las firmas en blanco. Lo que falte queda con una línea para
      llenarlo a mano.
    </p>
    <div className="flex flex-wrap gap-3">
      <Letter href={`/papers/solicitud/${row.id}.pdf`}>Carta de solicitud</Letter>
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
