import type { StaffKind } from '../../access/rules/actor.ts'
import { counted, money, monthAndYear, monthShort, roughMoney, thousands } from '../../shared/format.ts'
import { cardClass } from '../../ui/card.tsx'
import { type ChartPoint, FigureCard, RankBars, TrendChart } from '../../ui/charts.tsx'
import { classNames } from '../../ui/class-names.ts'
import type { Column } from '../../ui/data-table.tsx'
import { FigureTable } from '../../ui/figure-table.tsx'
import { Link } from '../../ui/link.tsx'
import { type MonthCount, shareWords } from '../rules/agency.ts'
import { type ClientStage, clientStageLabels, clientStages } from '../rules/clients.ts'
import { commissionStateFacts, commissionStates } from '../rules/commissions.ts'
import { agencyPath, figuresFile } from './agency-paths.ts'
import type { AgencyFigures, MonthEarnings } from './agency-server.ts'

type FiguresOf = { agencyId: string; figures: AgencyFigures; kind: StaffKind | null }

type Figure = { label: string; value: string; notes: readonly (string | null)[]; to: string | null }

/** The main figures of an agency, each with its meaning and the link to its list. */
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
      to: agencyPath(agencyId, 'comisiones'),
    },
  ]
}

/** The list of an agency's clients for each kind of staff; none for a kind that only sees their number. */
const listOf: Partial<Record<StaffKind, (agencyId: string) => string>> = {
  manager: (agencyId) => agencyPath(agencyId, 'clientes'),
  alliate: () => '/admin/alliate/clients',
}

/** The list of an agency's clients, all of them or those at a stage. */
function clientsAddress(kind: StaffKind | null, agencyId: string, stage?: ClientStage): string | null {
  const path = kind && listOf[kind]?.(agencyId)
  return path && stage ? `${path}?stage=${stage}` : (path ?? null)
}

/** What the period before is called. */
const earlier = (year: string | null) => (year ? `en ${Number(year) - 1}` : 'en los 12 meses anteriores')

/** "3 más que en 2025"; of a year that is not over, or after one without any, there is nothing to compare. */
function comparedWords(now: number, before: number | null, year: string | null): string | null {
  if (!before) return null
  if (now === before) return `Igual que ${earlier(year)}`
  return `${thousands(Math.abs(now - before))} ${now > before ? 'más' : 'menos'} que ${earlier(year)}`
}

const monthColumn = {
  header: 'Mes',
  main: true,
  cell: ({ month }: { month: string }) => monthAndYear(`${month}-01`),
}
const byMonth = ({ month }: { month: string }) => month

/** A month of a chart, with the words shown when it is pointed at. */
const pointOf = (month: string, words: string, values: readonly number[]): ChartPoint => ({
  key: month,
  tick: monthShort(`${month}-01`),
  title: `${monthAndYear(`${month}-01`)}: ${words}`,
  values,
})

/** An agency's clients by how far they are now. */
export function StagesCard({ agencyId, figures: { stages }, kind }: FiguresOf) {
  const rows = clientStages.map((stage) => ({ stage, label: clientStageLabels[stage], count: stages[stage] }))
  const total = rows.reduce((sum, { count }) => sum + count, 0)
  const columns: Column<{ stage: ClientStage; label: string; count: number }>[] = [
    {
      header: 'Etapa',
      main: true,
      cell: ({ stage, label }) => {
        const to = clientsAddress(kind, agencyId, stage)
        return to ? <Link to={to}>{label}</Link> : label
      },
    },
    { header: 'Clientes', numeric: true, cell: ({ count }) => thousands(count) },
  ]
  return (
    <FigureCard
      title="Clientes por etapa"
      note="Dónde está cada cliente al día de hoy."
      csv={figuresFile(agencyId, 'clientes-por-etapa')}
      empty={total === 0 ? 'Todavía no hay clientes de esta concesionaria.' : null}
      chart={
        <RankBars
          label="Clientes por etapa"
          rows={rows.map(({ count, label, stage }) => ({
            key: stage,
            label,
            value: count,
            words: thousands(count),
          }))}
        />
      }
      table={
        <FigureTable
          caption="Clientes por etapa"
          columns={columns}
          rows={rows}
          rowKey={({ stage }) => stage}
          total={['Total', thousands(total)]}
        />
      }
    />
  )
}

const installationColumns: readonly Column<MonthCount>[] = [
  monthColumn,
  { header: 'Instalaciones', numeric: true, cell: ({ count }) => thousands(count) },
]
const installationSeries = [{ name: 'Instalaciones', fill: 'var(--color-brand)' }]

/** What was installed for an agency's clients, a month each. */
export function InstallationsCard({ agencyId, figures: { compared, installations, period } }: FiguresOf) {
  const total = compared.installations.now
  return (
    <FigureCard
      title="Instalaciones por mes"
      note="Terminadas, por el mes en que se terminaron."
      csv={figuresFile(agencyId, 'instalaciones-por-mes', period.year)}
      empty={total === 0 ? 'Ninguna instalación terminada en este periodo.' : null}
      chart={
        <TrendChart
          label="Gráfica de instalaciones por mes"
          points={installations.map(({ count, month }) => pointOf(month, thousands(count), [count]))}
          series={installationSeries}
          kind="bars"
          rough={thousands}
        />
      }
      table={
        <FigureTable
          caption="Instalaciones por mes"
          columns={installationColumns}
          rows={installations.toReversed()}
          rowKey={byMonth}
          total={['Total', thousands(total)]}
        />
      }
    />
  )
}

const fills = {
  pending: 'var(--color-wait)',
  approved: 'var(--color-info)',
  paid: 'var(--color-brand)',
} as const

// Paid amounts are at the foot of each bar, and pending ones on top.
const earningSeries = commissionStates
  .toReversed()
  .map((key) => ({ key, name: inPlural(commissionStateFacts[key].label), fill: fills[key] }))
const earningColumns: readonly Column<MonthEarnings>[] = [
  monthColumn,
  ...commissionStates.map((state) => ({
    header: inPlural(commissionStateFacts[state].label),
    numeric: true,
    cell: (row: MonthEarnings) => money(row[state]),
  })),
  { header: 'Total', numeric: true, cell: ({ total }) => money(total) },
]

function inPlural(label: string) {
  return `${label}s`
}

type EarningsCardProps = FiguresOf & { earnings: NonNullable<AgencyFigures['earnings']> }

/** What an agency earned by the installations of each month, and how far it is. */
export function EarningsCard({ agencyId, earnings: { months }, figures: { period } }: EarningsCardProps) {
  const sum = (key: Exclude<keyof MonthEarnings, 'month'>) =>
    money(months.reduce((total, row) => total + row[key], 0))
  const isEmpty = months.every((row) => commissionStates.every((state) => row[state] === 0))
  return (
    <FigureCard
      title="Comisión por mes"
      note="De las instalaciones que se terminaron en el mes, con sus ajustes."
      csv={figuresFile(agencyId, 'comisiones-por-mes', period.year)}
      empty={isEmpty ? 'Ninguna comisión en este periodo.' : null}
      chart={
        <TrendChart
          label="Gráfica de la comisión por mes"
          points={months.map((row) =>
            pointOf(
              row.month,
              money(row.total),
              earningSeries.map(({ key }) => row[key]),
            ),
          )}
          series={earningSeries}
          kind="bars"
          rough={roughMoney}
        />
      }
      table={
        <div className="overflow-x-auto">
          <FigureTable
            caption="Comisión por mes"
            columns={earningColumns}
            rows={months.toReversed()}
            rowKey={byMonth}
            total={['Total', ...commissionStates.map((state) => sum(state)), sum('total')]}
          />
        </div>
      }
    />
  )
}
