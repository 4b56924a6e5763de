import { TrendingDown, TrendingUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { shareWords } from '../../agencies/rules/agency.ts'
import { yearsForFilter } from '../../appointments/rules/appointment.ts'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { signedIn } from '../../kit/request.ts'
import { monthPath } from '../../payments/screens/office-path.ts'
import { OpenSums } from '../../payments/screens/open-sums.tsx'
import { addDays } from '../../shared/calendar.ts'
import { counted, hourCountWords, money, thousands } from '../../shared/format.ts'
import { refuse } from '../../shared/refusal.ts'
import { cardClass } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { FigureCard } from '../../ui/figure-table.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { PeriodLinks } from '../../ui/tab-links.tsx'
import { officeFigures } from '../figures.ts'
import {
  acceptanceOf,
  cancelledShare,
  changeOf,
  type DateRange,
  type FigureFile,
  figurePeriods,
  netOf,
  type OfficeFigures,
  occupancyOf,
  onTimeShare,
} from '../rules/figures.ts'
import type { Route } from './+types/figures.ts'
import { figuresIn } from './figure-charts.tsx'
import { dayWords, figureFilePath, figurePeriodIn, periodPath, rowsIn } from './figure-columns.ts'

export const handle = { announcesUpdates: true }

export const loader = ({ context, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { actor, now, lists, modules } = signedIn(context)
    const period = figurePeriodIn(url, now)
    const figures = await officeFigures(await lists(), actor, period, now)
    const hasPayments = modules.has('payments')
    return { figures: figures ?? refuse('not-found'), hasPayments, now }
  })

/** The figures of the office's work in a period, each with its trend, its table and its file. */
export default function OfficeFiguresScreen({
  loaderData: { figures, hasPayments, now },
}: Route.ComponentProps) {
  const cards = figuresIn(figures, hasPayments).map((figure) => (
    <FigureCard key={figure.file} figure={figure} csv={figureFilePath(figure.file, figures.period.name)} />
  ))
  const half = Math.ceil(cards.length / 2)
  return (
    <div className="grid grid-cols-1 gap-4">
      <PageHeader title="Cifras" />
      <Periods figures={figures} now={now} />
      {figures.income && <OpenSums sums={figures.income.open} isLinked={hasPayments} />}
      <ul className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-3">
        {headFigures(figures, hasPayments).map((head) => (
          <li key={head.label} className="grid">
            <Head {...head} />
          </li>
        ))}
      </ul>
      {/* Cards of two columns leave no holes. */}
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
        <div className="grid grid-cols-1 gap-4">{cards.slice(0, half)}</div>
        <div className="grid grid-cols-1 gap-4">{cards.slice(half)}</div>
      </div>
    </div>
  )
}

/** The end of a range is not of it. */
const rangeWords = ({ from, to }: DateRange) => {
  const last = addDays(to, -1)
  return from === last ? `el ${dayWords(from)}` : `del ${dayWords(from)} al ${dayWords(last)}`
}

/** The period of the figures, what it is compared with, and links to others. */
function Periods({ figures: { period }, now }: { figures: OfficeFigures; now: Date }) {
  const thisYear = now.getUTCFullYear()
  const years = yearsForFilter([])
    .filter((year) => year < thisYear)
    .toReversed()
  const choices = [...Object.entries(figurePeriods), ...years.map((year) => [String(year), String(year)])]
  return (
    <PeriodLinks
      words={`Cifras ${rangeWords(period.now)}, comparadas con las ${rangeWords(period.before)}`}
      current={period.name}
      choices={choices.map(([value = '', label = '']) => ({ value, label, to: periodPath(value) }))}
    />
  )
}

/** `to`: the rows that it counts; without, its chart below. */
type HeadFigure = {
  label: string
  value: string
  note: string
  change: ReactNode
  of: FigureFile
  to?: string
}

const Head = ({ change, label, note, of, to = `#${of}`, value }: HeadFigure) => (
  <Link
    to={to}
    className={classNames(
      cardClass,
      'grid content-start gap-1 p-4 text-ink no-underline hover:bg-hover sm:p-5',
    )}
  >
    <span className="text-sm text-mute">{label}</span>
    <span className="text-[1.1875rem]/tight font-semibold tracking-tight wrap-anywhere sm:text-2xl/tight">
      {value}
    </span>
    <span className="text-sm text-mute">{note}</span>
    {change}
  </Link>
)

/** The main figure of each subject, with its change since the period before. */
function headFigures(figures: OfficeFigures, hasPayments: boolean): HeadFigure[] {
  const { closings, conversion, days, income, occupancy, onTime, period } = figures
  const { median, slow } = days.now
  return [
    ...(income ? [{ ...incomeHead(income), ...(hasPayments && ledgerOf(period.now)) }] : []),
    {
      of: 'ocupacion-por-semana',
      to: rowsIn('ocupacion', period.now),
      label: 'Ocupación',
      value: shareWords(occupancyOf(occupancy.now)),
      note: `${hourCountWords(occupancy.now.booked)} reservadas de ${hourCountWords(occupancy.now.shift)} de turno`,
      change: points(occupancyOf(occupancy.now), occupancyOf(occupancy.before)),
    },
    {
      of: 'conversion-por-paso',
      label: 'Conversión',
      value: shareWords(acceptanceOf(conversion.now)),
      note: `Aceptaron ${thousands(conversion.now.accepted)} de ${counted(conversion.now.visited, 'visitado', 'visitados')}`,
      change: points(acceptanceOf(conversion.now), acceptanceOf(conversion.before)),
    },
    {
      of: 'dias-por-mes',
      label: 'De registro a instalación',
      value: median === null ? '–' : counted(median / 10, 'día', 'días'),
      note:
        slow === null
          ? 'Ninguna instalación en el periodo'
          : `El 90\u00a0% en menos de ${counted(slow / 10, 'día', 'días')}`,
      change: <Change by={dayChange(median, days.before.median)} unit="días" lessIsBetter />,
    },
    {
      of: 'puntualidad-por-mes',
      to: rowsIn('puntualidad', period.now),
      label: 'A tiempo',
      value: shareWords(onTimeShare(onTime.now)),
      note: `${thousands(onTime.now.onTime)} de ${counted(onTime.now.due, 'cita', 'citas')}`,
      change: points(onTimeShare(onTime.now), onTimeShare(onTime.before)),
    },
    {
      of: 'cancelaciones-por-mes',
      label: 'Cancelaciones',
      value: shareWords(cancelledShare(closings.now)),
      note: `${thousands(closings.now.cancelled)} de ${counted(closings.now.all, 'cita', 'citas')}`,
      change: points(cancelledShare(closings.now), cancelledShare(closings.before), true),
    },
  ]
}

/** The ledger of a period that is one month; a longer one has a link for each month in its table. */
const ledgerOf = ({ from, to }: DateRange) =>
  from.slice(0, 7) === addDays(to, -1).slice(0, 7) && { to: monthPath(from) }

const incomeHead = ({ before, now }: NonNullable<OfficeFigures['income']>): HeadFigure => ({
  of: 'ingresos-por-mes',
  label: 'Ingresos',
  value: money(netOf(now)),
  note: `${money(now.received)} cobrado, ${money(now.returned)} reembolsado`,
  change: <Change by={changeOf(netOf(now), netOf(before))} unit={'\u00a0%'} />,
})

const dayChange = (now: number | null, before: number | null) =>
  now === null || before === null ? null : (now - before) / 10

const points = (now: number | null, before: number | null, lessIsBetter = false) => (
  <Change
    by={now === null || before === null ? null : now - before}
    unit="puntos"
    lessIsBetter={lessIsBetter}
  />
)

type ChangeProps = { by: number | null; unit: string; lessIsBetter?: boolean }

/** "3 puntos más": whether it is better or worse is told by its colour, too. */
function Change({ by, lessIsBetter = false, unit }: ChangeProps) {
  if (by === null) return <span className="text-sm text-mute">Sin periodo anterior para comparar</span>
  if (by === 0) return <span className="text-sm text-mute">Igual que antes</span>
  const Icon = by > 0 ? TrendingUp : TrendingDown
  const isBetter = by > 0 !== lessIsBetter
  const size = thousands(Math.round(Math.abs(by) * 10) / 10)
  const named = unit.startsWith('\u00a0')
    ? `${size}${unit}`
    : `${size} ${size === '1' ? unit.slice(0, -1) : unit}`
  return (
    <span
      className={classNames(
        'flex items-center gap-1.5 text-sm font-medium',
        isBetter ? 'text-brand' : 'text-wait',
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      {`${named} ${by > 0 ? 'más' : 'menos'} que antes`}
    </span>
  )
}
