import { ChevronRight, Download } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { Link } from 'react-router'
import type { MonthCount } from '../../domain/agencies/agency.ts'
import { type ClientStage, clientStageLabels, clientStages } from '../../domain/agencies/clients.ts'
import { commissionStateFacts, commissionStates } from '../../domain/agencies/commissions.ts'
import { money, monthAndYear, roughMoney, thousands } from '../../domain/shared/format.ts'
import { Card } from '../ui/card.tsx'
import type { Column } from '../ui/data-table.tsx'
import { FigureTable } from '../ui/figure-table.tsx'
import { useHydrated } from '../ui/hydrated.ts'
import { figuresFile } from './figures-file.ts'
import { clientsAddress, type FiguresOf } from './head-figures.tsx'
import type { AgencyFigures, MonthEarnings } from './load-figures.ts'

type ChartCardProps = {
  title: string
  note: string
  /** Where the same figures are had as a file. */
  csv: string
  /** What stands where there is nothing to draw. */
  empty: string | null
  chart: ReactNode
  table: ReactNode
}

/** Figures as a picture, as a table, and as a file. */
function ChartCard({ title, note, csv, empty, chart, table }: ChartCardProps) {
  const isReady = useHydrated()
  return (
    <Card title={title} aside={<CsvLink address={csv} of={title} />}>
      <p className="text-sm text-mute">{note}</p>
      {empty ? (
        <p className="rounded-control bg-hover px-4 py-6 text-center text-[0.9375rem] text-mute">{empty}</p>
      ) : (
        // Its place is kept only where a chart will come.
        <div className="hidden h-72 [@media(scripting:enabled)]:block">
          {isReady && <Suspense fallback={null}>{chart}</Suspense>}
        </div>
      )}
      <details className="border-t border-line pt-1 -mb-2">
        <summary className="flex min-h-11 items-center gap-1.5 text-[0.9375rem] font-medium text-mute select-none hover:text-ink [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden
            className="size-5 shrink-0 transition-transform [details[open]>summary>&]:rotate-90"
          />
          Ver tabla
        </summary>
        <div className="pb-3">{table}</div>
      </details>
    </Card>
  )
}

const CsvLink = ({ address, of }: { address: string; of: string }) => (
  <a
    href={address}
    download
    className="-my-2 flex min-h-11 items-center gap-1.5 rounded-control px-2 text-[0.9375rem] font-medium text-mute no-underline hover:bg-hover hover:text-ink"
  >
    <Download aria-hidden className="size-4.5" />
    CSV
    <span className="sr-only"> de {of.toLowerCase()}</span>
  </a>
)

// Large, and wanted on this screen only. Where it can't be loaded, its table says the same.
const MonthBars = lazy(() => import('./month-bars.tsx').catch(() => ({ default: () => null })))
const StageBars = lazy(() => import('./stage-bars.tsx').catch(() => ({ default: () => null })))

const monthColumn = {
  header: 'Mes',
  main: true,
  cell: ({ month }: { month: string }) => monthAndYear(`${month}-01`),
}
const byMonth = ({ month }: { month: string }) => month

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
    <ChartCard
      title="Clientes por etapa"
      note="Dónde está cada cliente al día de hoy."
      csv={figuresFile(agencyId, 'clientes-por-etapa')}
      empty={total === 0 ? 'Todavía no hay clientes de esta concesionaria.' : null}
      chart={<StageBars rows={rows} />}
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
const installationSeries = [{ key: 'count', name: 'Instalaciones', fill: 'var(--color-brand)' }]

/** What was installed for an agency's clients, a month each. */
export function InstallationsCard({ agencyId, figures: { compared, installations, period } }: FiguresOf) {
  const total = compared.installations.now
  return (
    <ChartCard
      title="Instalaciones por mes"
      note="Terminadas, por el mes en que se terminaron."
      csv={figuresFile(agencyId, 'instalaciones-por-mes', period.year)}
      empty={total === 0 ? 'Ninguna instalación terminada en este periodo.' : null}
      chart={
        <MonthBars
          label="Gráfica de instalaciones por mes"
          data={installations}
          series={installationSeries}
          words={thousands}
          rough={thousands}
          isCount
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

// What is paid stands at the foot of each bar, and what is still to come on top.
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
    <ChartCard
      title="Comisión por mes"
      note="De las instalaciones que se terminaron en el mes, con sus ajustes."
      csv={figuresFile(agencyId, 'comisiones-por-mes', period.year)}
      empty={isEmpty ? 'Ninguna comisión en este periodo.' : null}
      chart={
        <MonthBars
          label="Gráfica de la comisión por mes"
          data={months}
          series={earningSeries}
          words={money}
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
