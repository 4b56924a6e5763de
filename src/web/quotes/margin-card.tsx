import type { ReactNode } from 'react'
import { optionNames } from '../../domain/quotes/content.ts'
import type { Margin } from '../../domain/quotes/proposal.ts'
import { counted, money, percent } from '../../domain/shared/format.ts'
import { Card } from '../ui/card.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'

type MarginCardProps = { margins: readonly Margin[]; accepted: string | null; children?: ReactNode }

/** What each option leaves; of an accepted quote only the one that was agreed. */
export function MarginCard({ accepted, children, margins }: MarginCardProps) {
  const shown = margins.filter(({ option }) => accepted === null || option === accepted)
  return (
    <Card title="Margen">
      <DefinitionList
        items={shown.map(({ cost, net, option, unknown }) => ({
          term: optionNames[option],
          value: (
            <>
              <span className={net < cost ? 'font-semibold text-bad' : 'font-semibold'}>
                {unknown.length > 0 && 'A lo más '}
                {money(net - cost)} ({percent(net === 0 ? 0 : Math.round(((net - cost) * 10_000) / net))})
              </span>
              <span className="block text-sm text-mute">
                {money(net)} sin IVA menos {money(cost)} de costo.
                {unknown.length > 0 &&
                  ` Sin costo en el catálogo: ${counted(unknown.length, 'partida', 'partidas')}.`}
              </span>
            </>
          ),
        }))}
      />
      <p className="text-sm text-mute">
        {children} Con los costos de hoy en el catálogo. Solo lo ve la gerencia.
      </p>
    </Card>
  )
}
