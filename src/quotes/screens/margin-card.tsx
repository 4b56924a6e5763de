import type { ReactNode } from 'react'
import { counted, money, percent } from '../../shared/format.ts'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Link } from '../../ui/link.tsx'
import { optionNames } from '../rules/content.ts'
import type { Margin } from '../rules/proposal.ts'

type MarginCardProps = { margins: readonly Margin[]; accepted: string | null; children?: ReactNode }

/** What each option leaves; of an accepted quote only the one that was agreed. */
export function MarginCard({ accepted, children, margins }: MarginCardProps) {
  const shown = margins.filter(({ option }) => accepted === null || option === accepted)
  return (
    <Card title="Margen">
      <DefinitionList
        items={shown.map(({ cost, net, option, unknown }) => ({
          term: optionNames[option],
          value:
            unknown.length > 0 ? (
              <Unknown count={unknown.length} />
            ) : (
              <>
                <span className={net < cost ? 'font-semibold text-bad' : 'font-semibold'}>
                  {money(net - cost)} ({marginShare({ cost, net })})
                </span>
                <span className="block text-sm text-mute">
                  {money(net)} sin IVA menos {money(cost)} de costo.
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

/** What is left of the price. */
export const marginShare = ({ cost, net }: Pick<Margin, 'cost' | 'net'>) =>
  percent(net === 0 ? 0 : Math.round(((net - cost) * 10_000) / net))

const Unknown = ({ count }: { count: number }) => (
  <>
    Margen sin calcular: {counted(count, 'partida no tiene', 'partidas no tienen')} costo ·{' '}
    <Link to="/admin/settings/catalogo">Poner costos</Link>
  </>
)
