import type { StaffKind } from '../../access/rules/actor.ts'
import { counted, money, monthAndYear, roughMoney, thousands } from '../../shared/format.ts'
import { cardClass } from '../../ui/card.tsx'
import { rankChart, trendChart } from '../../ui/charts.tsx'
import { classNames } from '../../ui/class-names.ts'
import { declareFigure, inCounts, inMoney, inWords } from '../../ui/figure-table.tsx'
import { Link } from '../../ui/link.tsx'
import { shareWords } from '../rules/agency.ts'
import { type ClientStage, clientStageLabels, clientStages } from '../rules/clients.ts'
import { type CommissionState, commissionStateFacts, commissionStates } from '../rules/commissions.ts'
import { type AgencyFigureFile, agencyPath } from './agency-paths.ts'
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
  const first = rows[0]
  const last = rows.at(-1)
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

/** A row of a month, or that of all of them. */
type OfMonth<Row> = Omit<Row, 'month'> & { month: string | null }
const months = <Row extends { month: string }>(rows: readonly Row[]) =>
  rows.map((row) => ({ ...(row as OfMonth<Row>), from: `${row.month}-01` })).toReversed()
const byMonth = <Row extends { from: string; month: string | null }>() =>
  inWords<Row>('Mes', ({ from, month }) => (month ? monthAndYear(from) : 'Total'))

/** An agency's clients by how far they are now. */
function byStage({ agencyId, figures: { stages }, kind }: FiguresOf) {
  const rows: { stage: ClientStage | null; count: number }[] = clientStages.map((stage) => ({
    stage,
    count: stages[stage],
  }))
  return declareFigure<(typeof rows)[number], AgencyFigureFile>('clientes-por-etapa', rows, {
    title: 'Clientes por etapa',
    note: 'Dónde está cada cliente al día de hoy.',
    has: ({ count }) => count,
    none: 'Todavía no hay clientes de esta concesionaria.',
    columns: [
      inWords(
        'Etapa',
        ({ stage }) => (stage ? clientStageLabels[stage] : 'Total'),
        ({ stage }) => stage && clientsAddress(kind, agencyId, stage),
      ),
      inCounts('Clientes', ({ count }) => count),
    ],
    total: { stage: null, count: rows.reduce((sum, { count }) => sum + count, 0) },
    chart: rankChart({ value: ({ count }) => count, words: ({ count }) => thousands(count) }),
  })
}

/** What was installed for an agency's clients, a month each. */
const installed = ({ figures: { compared, installations } }: FiguresOf) =>
  declareFigure('instalaciones-por-mes' as AgencyFigureFile, months(installations), {
    title: 'Instalaciones por mes',
    note: 'Terminadas, por el mes en que se terminaron.',
    has: ({ count }) => count,
    none: 'Ninguna instalación terminada en este periodo.',
    columns: [byMonth(), inCounts('Instalaciones', ({ count }) => count)],
    total: { month: null, from: '', count: compared.installations.now },
    chart: trendChart({
      label: 'Gráfica de instalaciones por mes',
      kind: 'bars',
      rough: thousands,
      values: ({ count }) => [count],
      words: ({ count }) => thousands(count),
    }),
  })

const fills = {
  pending: 'var(--color-wait)',
  approved: 'var(--color-info)',
  paid: 'var(--color-brand)',
} as const
const inPlural = (state: CommissionState) => `${commissionStateFacts[state].label}s`
// Paid amounts are at the foot of each bar, and pending ones on top.
const stacked = commissionStates.toReversed()

/** What an agency earned by the installations of each month, and how far it is. */
function earned({ figures: { earnings } }: FiguresOf) {
  if (!earnings) return []
  const sum = (key: CommissionState | 'total') => earnings.months.reduce((all, row) => all + row[key], 0)
  const sums = Object.fromEntries(commissionStates.map((state) => [state, sum(state)]))
  return [
    declareFigure('comisiones-por-mes' as AgencyFigureFile, months(earnings.months), {
      title: 'Comisión por mes',
      note: 'De las instalaciones que se terminaron en el mes, con sus ajustes.',
      has: (row) => commissionStates.some((state) => row[state]),
      none: 'Ninguna comisión en este periodo.',
      columns: [
        byMonth(),
        ...commissionStates.map((state) =>
          inMoney<OfMonth<MonthEarnings> & { from: string }>(inPlural(state), (row) => row[state]),
        ),
        inMoney('Total', ({ total }) => total),
      ],
      total: { month: null, from: '', ...(sums as Record<CommissionState, number>), total: sum('total') },
      chart: trendChart({
        label: 'Gráfica de la comisión por mes',
        kind: 'bars',
        series: stacked.map((state) => ({ name: inPlural(state), fill: fills[state] })),
        rough: roughMoney,
        values: (row) => stacked.map((state) => row[state]),
        words: ({ total }) => money(total),
      }),
    }),
  ]
}

/** The figures that are had as a file, of clients first. */
export const figuresOfAgency = (of: FiguresOf) => [byStage(of), installed(of), ...earned(of)]
