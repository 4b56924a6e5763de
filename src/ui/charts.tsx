import type { ReactNode } from 'react'
import { monthShort } from '../shared/format.ts'
import { classNames } from './class-names.ts'

/** One month or week of a chart; a value is null where there is nothing to measure. */
type ChartPoint = {
  key: string
  /** Short, below the axis. */
  tick: string
  /** Shown when pointed at. */
  title: string
  /** Drawn pale: it is outside the period that the page is about. */
  isPale?: boolean
  values: readonly (number | null)[]
}

type Series = { name: string; fill: string }
type TrendChartProps = {
  /** What it shows; its figures are in the table beside it. */
  label: string
  points: readonly ChartPoint[]
  series: readonly Series[]
  /** Bars whose values are stacked, or a line for each series. */
  kind: 'bars' | 'line'
  /** How a value is written at the axis. */
  rough: (value: number) => string
  /** The axis reaches at least so far. */
  least?: number
}

/** A month or week of a trend; `isPale` where it is outside the period that the page is about. */
type TrendRow = { from: string; isPale?: boolean }
type TrendOf<Row> = Pick<TrendChartProps, 'label'> &
  Partial<TrendChartProps> & {
    values: (row: Row) => (number | null)[]
    words: (row: Row) => string
    isWeekly?: boolean
  }

/** The chart of a figure whose rows are months or weeks, the last first: one line of shares unless it says more. */
export const trendChart =
  <Row extends TrendRow>({ isWeekly = false, values, words, ...chart }: TrendOf<Row>) =>
  (rows: readonly Row[], title: string, name: (row: Row) => string) => (
    <TrendChart
      kind="line"
      series={[{ name: title, fill: 'var(--color-brand)' }]}
      rough={(share) => `${share}\u00a0%`}
      {...chart}
      points={rows.toReversed().map((row) => ({
        key: row.from,
        tick: isWeekly ? name(row).slice(0, -5) : monthShort(row.from),
        title: `${isWeekly ? 'Semana del ' : ''}${name(row)}: ${words(row)}`,
        isPale: row.isPale ?? false,
        values: values(row),
      }))}
    />
  )

type RankOf<Row> = {
  value: (row: Row) => number | null
  mark?: (row: Row) => number | null
  words: (row: Row) => string
  least?: number
  /** The most first; else as the table has them. */
  isSorted?: boolean
}

/** The chart of a figure whose rows are people or reasons, of the first ten; the table has all of them. */
export const rankChart =
  <Row,>({ isSorted = false, least = 0, mark, value, words }: RankOf<Row>) =>
  (rows: readonly Row[], label: string, name: (row: Row) => string) => {
    const drawn = rows.map((row, n) => ({
      key: String(n),
      label: name(row),
      value: value(row) ?? 0,
      mark: mark?.(row) ?? null,
      words: words(row),
    }))
    if (isSorted) drawn.sort((one, other) => other.value - one.value)
    return <RankBars label={label} least={least} rows={drawn.slice(0, 10)} />
  }

/** What reaches over the edge is drawn: the last name of an axis, the mark of a bar. */
const unclipped = { overflow: 'visible' }

const top = 10
const bottom = 188
const height = 216

/**
 * A chart over time, drawn on the server as SVG: positions across are percentages, so that it fits any width without a
 * script.
 */
function TrendChart({ label, points, series, kind, rough, least = 0 }: TrendChartProps) {
  const scale = scaleOf(points, kind, least)
  const y = (value: number) => bottom - ((value - scale.low) / (scale.high - scale.low)) * (bottom - top)
  return (
    <figure className="grid grid-cols-1 gap-2">
      <div role="img" aria-label={`${label}; las cifras están en la tabla.`} className="flex text-xs">
        <svg aria-hidden="true" height={height} className="w-14 shrink-0" fill="var(--color-mute)">
          {scale.ticks.map((tick) => (
            <text key={tick} x={48} y={y(tick) + 4} textAnchor="end">
              {rough(tick)}
            </text>
          ))}
        </svg>
        <svg aria-hidden="true" height={height} className="min-w-0 flex-1" style={unclipped}>
          {scale.ticks.map((tick) => (
            <line
              key={tick}
              x2="100%"
              y1={y(tick)}
              y2={y(tick)}
              stroke={tick === 0 ? 'var(--color-edge)' : 'var(--color-line)'}
            />
          ))}
          {points.map((point, at) => (
            <Column
              key={point.key}
              point={point}
              at={at}
              count={points.length}
              bars={kind === 'bars' ? series : null}
              y={y}
            />
          ))}
          {kind === 'line' &&
            series.map((one, n) => <Line key={one.name} points={points} one={one} n={n} y={y} />)}
        </svg>
      </div>
      {series.length > 1 && <Legend series={series} />}
    </figure>
  )
}

type Y = (value: number) => number
type ColumnProps = {
  point: ChartPoint
  at: number
  count: number
  bars: readonly Series[] | null
  y: Y
}

/** A month or week: its bars, its name on the axis, and its words when it is pointed at. */
function Column({ point, at, count, bars, y }: ColumnProps) {
  const wide = 100 / count
  // The last is always named; of long names every other, and on a phone every fourth.
  const back = count - 1 - at
  const isWordy = point.tick.length > 3
  return (
    <g>
      <title>{point.title}</title>
      <rect x={`${at * wide}%`} width={`${wide}%`} y={0} height={bottom} fill="transparent" />
      {bars &&
        stackOf(point.values).map(({ from, to }, n) => (
          <rect
            key={bars[n]!.name}
            x={`${(at + 0.19) * wide}%`}
            width={`${wide * 0.62}%`}
            y={Math.min(y(from), y(to))}
            height={Math.abs(y(from) - y(to))}
            rx={bars.length > 1 ? 0 : 3}
            fill={bars[n]!.fill}
            opacity={point.isPale ? 0.45 : 1}
          />
        ))}
      <text
        x={`${(at + 0.5) * wide}%`}
        y={height - 8}
        textAnchor="middle"
        fill={point.isPale ? 'var(--color-mute)' : 'var(--color-ink)'}
        className={classNames(
          !point.isPale && 'font-semibold',
          isWordy && back % 2 === 1 && 'hidden',
          isWordy && back % 4 === 2 && 'max-sm:hidden',
          !isWordy && back % 2 === 1 && 'max-sm:hidden',
        )}
      >
        {point.tick}
      </text>
    </g>
  )
}

/** One series as a line with a dot for each value; it is broken where there is none. */
function Line({ points, one, n, y }: { points: readonly ChartPoint[]; one: Series; n: number; y: Y }) {
  const x = (at: number) => `${((at + 0.5) * 100) / points.length}%`
  return (
    <g stroke={one.fill} fill={one.fill} strokeWidth={2} pointerEvents="none">
      {points.map((point, at) => {
        const value = point.values[n] ?? null
        const next = points[at + 1]?.values[n] ?? null
        return (
          value !== null && (
            <g key={point.key} opacity={point.isPale ? 0.6 : 1}>
              {next !== null && <line x1={x(at)} y1={y(value)} x2={x(at + 1)} y2={y(next)} />}
              <circle cx={x(at)} cy={y(value)} r={point.isPale ? 2.5 : 4} />
            </g>
          )
        )
      })}
    </g>
  )
}

const Legend = ({ series }: { series: readonly Series[] }) => (
  <figcaption className="flex flex-wrap justify-center gap-x-5 gap-y-1 text-sm">
    {series.map(({ fill, name }) => (
      <span key={name} className="flex items-center gap-2">
        <span aria-hidden className="size-2.5 rounded-full" style={{ background: fill }} />
        {name}
      </span>
    ))}
  </figcaption>
)

/** Where the parts of a bar begin and end: what is negative goes down from zero. */
function stackOf(values: readonly (number | null)[]): { from: number; to: number }[] {
  let up = 0
  let down = 0
  return values.map((value) => {
    const from = (value ?? 0) < 0 ? down : up
    const to = from + (value ?? 0)
    if (to < from) down = to
    else up = to
    return { from, to }
  })
}

/** The axis: round steps that hold every value, and zero. */
function scaleOf(points: readonly ChartPoint[], kind: 'bars' | 'line', least: number) {
  const ends = points.flatMap(({ values }) =>
    kind === 'bars'
      ? stackOf(values).flatMap(({ from, to }) => [from, to])
      : values.map((value) => value ?? 0),
  )
  const lowest = Math.min(0, ...ends)
  const highest = Math.max(least, ...ends)
  const step = roundStep((highest - lowest) / 4)
  const first = Math.floor(lowest / step)
  const last = Math.max(1, Math.ceil(highest / step))
  const ticks = Array.from({ length: last - first + 1 }, (_, n) => (first + n) * step)
  return { low: first * step, high: last * step, ticks }
}

/** The next of 1, 2, 2.5 and 5 times a power of ten; whole. */
function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)))
  return Math.ceil(([1, 2, 2.5, 5].find((factor) => factor * power >= rough) ?? 10) * power)
}

type RankRow = {
  key: string
  label: ReactNode
  value: number
  /** A second value, as a thin mark further along the same axis. */
  mark?: number | null
  words: string
}

type RankBarsProps = { label: string; rows: readonly RankRow[]; least?: number }

/** A bar across for each row, with its figure beside it. */
function RankBars({ label, rows, least = 0 }: RankBarsProps) {
  const most = Math.max(least, 1e-9, ...rows.map(({ mark, value }) => Math.max(value, mark ?? 0)))
  return (
    <ul aria-label={label} className="grid gap-3">
      {rows.map(({ key, label: name, mark, value, words }) => (
        <li key={key} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1 text-[0.9375rem]">
          <span className="wrap-anywhere">{name}</span>
          <span className="text-right whitespace-nowrap text-mute">{words}</span>
          <svg aria-hidden="true" height={8} width="100%" className="col-span-full" style={unclipped}>
            <rect width="100%" height={8} rx={4} fill="var(--color-line)" />
            <rect
              width={`${(100 * Math.max(0, value)) / most}%`}
              height={8}
              rx={4}
              fill="var(--color-brand)"
            />
            {mark != null && (
              <rect
                x={`${(100 * mark) / most}%`}
                y={-2}
                width={3}
                height={12}
                rx={1.5}
                fill="var(--color-wait)"
              />
            )}
          </svg>
        </li>
      ))}
    </ul>
  )
}

type StepRow = { key: string; label: string; count: string; share: number | null; notes: readonly string[] }

/** How far people or projects came, step by step. */
export const StepBars = ({ rows }: { rows: readonly StepRow[] }) => (
  <ol className="grid gap-4 lg:grid-cols-4 lg:gap-6">
    {rows.map(({ key, label, count, notes, share }) => (
      <li
        key={key}
        className="grid grid-cols-[1fr_auto] content-start items-baseline gap-x-3 gap-y-1.5 lg:grid-cols-1"
      >
        <span className="text-sm text-mute">{label}</span>
        <span className="text-xl/tight font-semibold lg:text-2xl/tight">{count}</span>
        <span aria-hidden className="col-span-full block h-2 overflow-hidden rounded-full bg-track">
          <span className="block h-full rounded-full bg-brand" style={{ width: `${share ?? 0}%` }} />
        </span>
        <span className="col-span-full flex flex-wrap gap-x-3 text-sm text-mute">
          {notes.map((words) => (
            <span key={words} className="whitespace-nowrap">
              {words}
            </span>
          ))}
        </span>
      </li>
    ))}
  </ol>
)
