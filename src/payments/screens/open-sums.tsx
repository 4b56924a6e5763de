import { money } from '../../shared/format.ts'
import { Link } from '../../ui/link.tsx'
import { type LedgerTotals, moneyFigures, type OpenFigure, openFigures } from '../rules/receivable.ts'
import { figurePath } from './office-path.ts'

type OpenSumsProps = { sums: Pick<LedgerTotals, OpenFigure>; isLinked?: boolean }

/** "Por cobrar $… · En revisión $… · Vencido $…", each a link to its rows where the payments' pages are on. */
export const OpenSums = ({ isLinked = true, sums }: OpenSumsProps) => (
  <ul aria-label="Lo que falta por cobrar" className="flex flex-wrap gap-x-5">
    {openFigures.map((figure) => {
      const words = (
        <>
          {moneyFigures[figure].label} <strong className="tabular-nums">{money(sums[figure])}</strong>
        </>
      )
      return (
        <li key={figure} className="flex min-h-11 items-center">
          {isLinked ? <Link to={figurePath(figure)}>{words}</Link> : <span>{words}</span>}
        </li>
      )
    })}
  </ul>
)
