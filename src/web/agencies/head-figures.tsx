import { Link } from 'react-router'
import type { StaffKind } from '../../domain/access/actor.ts'
import type { ClientStage } from '../../domain/agencies/clients.ts'
import { counted, money, thousands } from '../../domain/shared/format.ts'
import { cardClass } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { agencySectionPath } from './agency-part.ts'
import type { AgencyFigures } from './load-figures.ts'

export type FiguresOf = { agencyId: string; figures: AgencyFigures; kind: StaffKind | null }

type Figure = { label: string; value: string; notes: readonly (string | null)[]; to: string | null }

/** The few numbers that say how an agency does, each with what it means and the way to its list. */
export const HeadFigures = (of: FiguresOf) => (
  <ul className="grid grid-cols-2 gap-3 sm:gap-4 lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none">
    {[clients(of), installations(of), conversion(of), ...earnings(of)].map((figure) => (
      <li key={figure.label} className="grid">
        <Shown {...figure} />
      </li>
    ))}
  </ul>
)

function Shown({ label, value, notes, to }: Figure) {
  const inside = (
    <>
      <span className="text-sm text-mute">{label}</span>
      <span className="text-[1.1875rem]/tight font-semibold tracking-tight wrap-anywhere sm:text-2xl/tight">
        {value}
      </span>
      <span className="grid text-sm text-mute">
        {notes.map((note) => note && <span key={note}>{note}</span>)}
      </span>
    </>
  )
  const look = classNames(cardClass, 'grid content-start gap-1 p-4 text-ink no-underline')
  if (!to) return <div className={look}>{inside}</div>
  return (
    <Link to={to} prefetch="intent" className={classNames(look, 'hover:bg-hover')}>
      {inside}
    </Link>
  )
}

function clients({ agencyId, figures: { compared, period, stages }, kind }: FiguresOf): Figure {
  const { now, before } = compared.brought
  return {
    label: 'Clientes',
    value: thousands(Object.values(stages).reduce((a, b) => a + b, 0)),
    notes: [`${counted(now, 'nuevo', 'nuevos')} en el periodo`, comparedWords(now, before, period.year)],
    to: clientsAddress(kind, agencyId),
  }
}

function installations({ figures: { compared, period } }: FiguresOf): Figure {
  const { now, before } = compared.installations
  return {
    label: 'Instalaciones',
    value: thousands(now),
    notes: ['Terminadas en el periodo', comparedWords(now, before, period.year)],
    to: null,
  }
}

function conversion({ figures: { conversion: rows } }: FiguresOf): Figure {
  const [first, last] = [rows[0], rows.at(-1)]
  return {
    label: 'Conversión',
    value: shareWords(last?.ofAll ?? null),
    notes: [`${thousands(last?.count ?? 0)} de ${thousands(first?.count ?? 0)} con su instalación`],
    to: null,
  }
}

function earnings({ agencyId, figures }: FiguresOf): Figure[] {
  if (!figures.earnings) return []
  const { months, sums } = figures.earnings
  return [
    {
      label: 'Comisiones',
      value: money(months.reduce((sum, { total }) => sum + total, 0)),
      notes: ['De las instalaciones del periodo', `Por pagar: ${money(sums.approved)}`],
      to: agencySectionPath(agencyId, 'comisiones'),
    },
  ]
}

/** Where the clients of an agency are listed for somebody; null for whoever only knows how many there are. */
const listOf: Partial<Record<StaffKind, (agencyId: string) => string>> = {
  manager: (agencyId) => agencySectionPath(agencyId, 'clientes'),
  alliate: () => '/admin/alliate/clients',
}

/** The list of an agency's clients, all of them or those at a stage. */
export function clientsAddress(kind: StaffKind | null, agencyId: string, stage?: ClientStage): string | null {
  const path = kind && listOf[kind]?.(agencyId)
  if (!path || !stage) return path ?? null
  return `${path}${path.includes('?') ? '&' : '?'}stage=${stage}`
}

/** What the period before is called. */
const earlier = (year: string | null) => (year ? `en ${Number(year) - 1}` : 'en los 12 meses anteriores')

/** "3 más que en 2025"; of a year that is not over, or after one without any, there is nothing to compare. */
function comparedWords(now: number, before: number | null, year: string | null): string | null {
  if (!before) return null
  if (now === before) return `Igual que ${earlier(year)}`
  return `${thousands(Math.abs(now - before))} ${now > before ? 'más' : 'menos'} que ${earlier(year)}`
}

/** "62 %"; a dash of nothing. */
export const shareWords = (share: number | null) => (share === null ? '–' : `${share}\u00a0%`)
