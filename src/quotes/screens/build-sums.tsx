import type { ReactNode } from 'react'
import { money, percent } from '../../shared/format.ts'
import { wholeOf } from '../../shared/money.ts'
import { withoutEnding } from '../../shared/text.ts'
import { Link } from '../../ui/link.tsx'
import type { DiscountLine } from '../rules/content.ts'
import { readableLines } from '../rules/draft.ts'
import type { Margin } from '../rules/proposal.ts'
import { depositOf, discountShareOf, linesWith, totalsOf } from '../rules/totals.ts'
import { columnsOf, namesOf } from './build-grid.tsx'
import { marginShare } from './margin-card.tsx'
import type { Build } from './use-build.ts'

type SumsProps = {
  build: Build
  benefit: DiscountLine | null
  isExtra: boolean
  /** Of the stored draft, for who reads them. */
  margins: readonly Margin[] | null
}

/** The options as they are typed, a code's discount with them. */
export const typedOffers = ({ typed }: Build, benefit: DiscountLine | null) =>
  typed.options.map(({ id, lines }) => {
    const all = linesWith(readableLines(lines), benefit)
    return { id, share: discountShareOf(all), ...totalsOf(all) }
  })

/** The sums of each option under its column. */
export function BuildSums({ benefit, build, isExtra, margins }: SumsProps) {
  const offers = typedOffers(build, benefit)
  const deposit = isExtra ? null : wholeOf(withoutEnding(build.typed.depositPercent, '%'))
  return (
    <table className="quote-grid quote-sums" style={columnsOf(offers.length)}>
      <caption className="sr-only">Totales de cada opción</caption>
      <thead>
        <tr>
          <td />
          {namesOf(build, isExtra).map((name) => (
            <th key={name} scope="col">
              {isExtra ? '' : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <Sum term="Subtotal" values={offers.map(({ subtotal }) => money(subtotal))} />
        {offers.some(({ discount }) => discount > 0) && (
          <Sum
            term="Descuento"
            values={offers.map(({ discount, share }) => `${money(-discount)} (${percent(share)})`)}
          />
        )}
        <Sum term="IVA" values={offers.map(({ iva }) => money(iva))} />
        <Sum
          term="Total con IVA"
          values={offers.map(({ total }) => <strong key="">{money(total)}</strong>)}
        />
        {deposit !== null && deposit <= 100 && (
          <Sum
            term={`Anticipo (${deposit}\u00a0%)`}
            values={offers.map(({ total }) => money(depositOf(total, deposit)))}
          />
        )}
        {margins && (
          <Sum
            term="Margen guardado"
            values={offers.map(({ id }) => marginWords(margins.find(({ option }) => option === id)))}
          />
        )}
      </tbody>
    </table>
  )
}

const Sum = ({ term, values }: { term: string; values: readonly ReactNode[] }) => (
  <tr>
    <th scope="row">{term}</th>
    {values.map((value, n) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the columns.
      <td key={n}>{value}</td>
    ))}
  </tr>
)

function marginWords(margin: Margin | undefined): ReactNode {
  if (!margin) return '–'
  const { cost, net, unknown } = margin
  if (unknown.length > 0) return <Link to="/admin/settings/catalogo">Poner costos</Link>
  const share = marginShare(margin)
  return net < cost ? <span className="font-semibold text-bad">{share}</span> : share
}
