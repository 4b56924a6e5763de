import type { Actor } from '../../access/rules/actor.ts'
import { percentageOf, shareWords } from '../../agencies/rules/agency.ts'
import { closingReasons } from '../../appointments/rules/appointment.ts'
import { rowsPath, type ViewName } from '../../appointments/rules/list.ts'
import { dayFilters } from '../../kit/date-range.tsx'
import { anId, oneOf, ordersBy, searched } from '../../kit/lists.tsx'
import { monthPath } from '../../payments/screens/office-path.ts'
import type { Cell } from '../../platform/pdf/excel.ts'
import { figuresPath, type PipelinePart, partsFor } from '../../projects/rules/pipeline.ts'
import { lostReasons, stages, type Waiting, waitingLabels } from '../../projects/rules/stages.ts'
import { addDays, localDate, toMinutes } from '../../shared/calendar.ts'
import { hourCountWords, money, monthAndYear, shortDate, thousands } from '../../shared/format.ts'
import {
  acceptanceOf,
  type Compared,
  cancelledShare,
  type DateRange,
  type FigureFile,
  figurePeriodOf,
  netOf,
  type OfficeFigures,
  occupancyOf,
  onTimeShare,
  type Punctuality,
  type Reached,
  reachedSteps,
  type StageDays,
  timedStages,
  type Workload,
  wonShare,
} from '../rules/figures.ts'

/** One column of figures: what it is called, and its words for a row; in a file, as a spreadsheet reads them. */
type FigureColumn<Row> = {
  header: string
  numeric?: boolean
  words: (row: Row) => string
  plain?: (row: Row) => Cell
  /** Where the rows of the figure are. */
  to?: (row: Row) => string
}

/** A table of figures in words; a screen and its file show the same rows. */
export type FigureTold = {
  file: FigureFile
  headers: { header: string; numeric: boolean }[]
  cells: string[][]
  plain: Cell[][]
  links: (string | undefined)[][]
  /** Whether the last cells and links are of all rows together; no file has them. */
  hasTotal: boolean
}

const none = '–'
const dayCount = (tenths: number | null) => (tenths === null ? none : thousands(tenths / 10))
/** "24 nov 2026": a column is narrow. */
export const dayWords = (date: string) => shortDate(date).slice(4)

const number = <Row>(header: string, words: (row: Row) => string): FigureColumn<Row> => ({
  header,
  words,
  numeric: true,
})
const count = <Row>(header: string, of: (row: Row) => number): FigureColumn<Row> => ({
  ...number<Row>(header, (row) => thousands(of(row))),
  plain: of,
})
const share = <Row>(header: string, of: (row: Row) => number | null) =>
  number<Row>(header, (row) => shareWords(of(row)))
const amount = <Row>(header: string, of: (row: Row) => number): FigureColumn<Row> => ({
  ...number<Row>(header, (row) => money(of(row))),
  plain: (row) => ({ decimal: of(row) / 100 }),
})
const hours = <Row>(header: string, of: (row: Row) => number): FigureColumn<Row> => ({
  ...number<Row>(header, (row) => hourCountWords(of(row))),
  plain: (row) => ({ decimal: of(row) / 60 }),
})

function told<Row>(
  file: FigureFile,
  columns: FigureColumn<Row>[],
  rows: readonly Row[],
  total: readonly Row[] = [],
): FigureTold {
  const shown = [...rows, ...total]
  return {
    file,
    headers: columns.map(({ header, numeric = false }) => ({ header, numeric })),
    cells: shown.map((row) => columns.map(({ words }) => words(row))),
    plain: rows.map((row) => columns.map(({ plain, words }) => (plain ?? words)(row))),
    links: shown.map((row) => columns.map(({ to }) => to?.(row))),
    hasTotal: total.length > 0,
  }
}

type InRange = { range: DateRange }

/** The figures of a trend with their months or weeks, the last first. */
const byRange = <Figure>(ranges: readonly DateRange[], trend: readonly Figure[]) =>
  ranges.map((range, n) => ({ range, ...trend[n]! })).toReversed()

const monthColumn = <Row extends InRange>(): FigureColumn<Row> => ({
  header: 'Mes',
  words: ({ range }) => monthAndYear(range.from),
})
const nameColumn = <Row extends { name: string | null }>(
  header: string,
  nobody: string,
): FigureColumn<Row> => ({ header, words: ({ name }) => name ?? nobody })

function incomeTable({ income, period }: OfficeFigures, hasPayments: boolean): FigureTold[] {
  if (!income) return []
  const rows = byRange(period.months, income.trend)
  const table = told<(typeof rows)[number]>(
    'ingresos-por-mes',
    [
      { ...monthColumn(), ...(hasPayments && { to: ({ range }: InRange) => monthPath(range.from) }) },
      amount('Cobrado', ({ received }) => received),
      amount('Reembolsado', ({ returned }) => returned),
      amount('Neto', netOf),
      amount('Por cobrar', ({ receivable }) => receivable),
      amount('En revisión', ({ inReview }) => inReview),
    ],
    rows,
  )
  return [table]
}

const reachedColumns = <Row>(of: (row: Row) => Reached): FigureColumn<Row>[] => [
  count('Visitados', (row) => of(row).visited),
  count('Con cotización', (row) => of(row).quoted),
  count('Aceptaron', (row) => of(row).accepted),
  count('Instalados', (row) => of(row).installed),
  share('% de aceptación', (row) => acceptanceOf(of(row))),
]

function conversionTables({ conversion, period }: OfficeFigures): FigureTold[] {
  const { agencies, before, now, sellers, trend } = conversion
  const steps = Object.keys(reachedSteps) as (keyof Reached)[]
  return [
    told<keyof Reached>(
      'conversion-por-paso',
      [
        { header: 'Paso', words: (step) => reachedSteps[step] },
        count('Proyectos', (step) => now[step]),
        share('Del total', (step) => percentageOf(now[step], now.visited)),
        count('Antes', (step) => before[step]),
        share('Del total, antes', (step) => percentageOf(before[step], before.visited)),
      ],
      steps,
    ),
    told<InRange & Reached>(
      'conversion-por-mes',
      [monthColumn(), ...reachedColumns<InRange & Reached>((row) => row)],
      byRange(period.months, trend),
    ),
    told<(typeof agencies)[number]>(
      'conversion-por-concesionaria',
      [
        nameColumn('Concesionaria', 'Sin concesionaria'),
        ...reachedColumns<(typeof agencies)[number]>((row) => row.now),
        share('Antes', (row) => acceptanceOf(row.before)),
      ],
      agencies,
    ),
    told<(typeof sellers)[number]>(
      'conversion-por-analista',
      [
        nameColumn('Analista', none),
        count('Enviadas', (row) => row.now.sent),
        count('Aceptadas', (row) => row.now.accepted),
        share('% de aceptación', (row) => wonShare(row.now)),
        share('Antes', (row) => wonShare(row.before)),
      ],
      sellers,
    ),
  ]
}

/** The rows of a figure in a range, of all people or of one. */
export const rowsIn = (view: ViewName, { from, to }: DateRange, person?: string | null) =>
  rowsPath(view, from, addDays(to, -1), person)

/** A person's figure, or that of all together, without an id. */
type OfPerson<Figure> = Compared<Figure> & { id?: string | null; name: string | null }
const totalOf = <Figure>({ before, now }: Compared<Figure>): OfPerson<Figure>[] => [
  { name: 'Total', before, now },
]

function occupancyTables({ occupancy, period }: OfficeFigures): FigureTold[] {
  const weeks = byRange(period.weeks, occupancy.trend)
  return [
    told<(typeof weeks)[number]>(
      'ocupacion-por-semana',
      [
        { header: 'Semana del', words: ({ range }) => dayWords(range.from) },
        { ...hours('Reservadas', ({ booked }) => booked), to: ({ range }) => rowsIn('ocupacion', range) },
        hours('De turno', ({ shift }) => shift),
        share('Ocupación', occupancyOf),
      ],
      weeks,
    ),
    told<OfPerson<Workload>>(
      'ocupacion-por-persona',
      [
        nameColumn('Persona', none),
        {
          ...hours('Reservadas', ({ now }) => now.booked),
          to: ({ id }) => rowsIn('ocupacion', period.now, id),
        },
        hours('De turno', ({ now }) => now.shift),
        share('Ocupación', ({ now }) => occupancyOf(now)),
        share('Antes', ({ before }) => occupancyOf(before)),
      ],
      occupancy.people,
      totalOf(occupancy),
    ),
  ]
}

const dayColumns = <Row>(of: (row: Row) => StageDays): FigureColumn<Row>[] => [
  count('Proyectos', (row) => of(row).count),
  number('Mediana (días)', (row) => dayCount(of(row).median)),
  number('90\u00a0% en menos de (días)', (row) => dayCount(of(row).slow)),
]

function dayTables({ days, period }: OfficeFigures): FigureTold[] {
  return [
    told<InRange & StageDays>(
      'dias-por-mes',
      [monthColumn(), ...dayColumns<InRange & StageDays>((row) => row)],
      byRange(period.months, days.trend),
    ),
    told<(typeof days.stages)[number]>(
      'dias-por-etapa',
      [
        { header: 'Etapa', words: ({ stage }) => timedStages[stage].label },
        {
          header: 'De cuándo a cuándo',
          words: ({ stage }) => `Desde que ${timedStages[stage].from} hasta que ${timedStages[stage].to}`,
        },
        ...dayColumns<(typeof days.stages)[number]>(({ now }) => now),
        number('Mediana, antes', ({ before }) => dayCount(before.median)),
      ],
      days.stages,
    ),
  ]
}

/** Each figure leads to its rows: of a row's range, or of the period and the row's person. */
const onTimeColumns = <Row>(
  of: (row: Row) => Punctuality,
  rows: (view: ViewName, row: Row) => string,
): FigureColumn<Row>[] => [
  { ...count<Row>('Citas', (row) => of(row).due), to: (row) => rows('puntualidad', row) },
  { ...count<Row>('A tiempo', (row) => of(row).onTime), to: (row) => rows('a-tiempo', row) },
  { ...count<Row>('Tarde', (row) => of(row).due - of(row).onTime), to: (row) => rows('con-retraso', row) },
  share('% a tiempo', (row) => onTimeShare(of(row))),
]

function onTimeTables({ onTime, period }: OfficeFigures): FigureTold[] {
  return [
    told<InRange & Punctuality>(
      'puntualidad-por-mes',
      [
        monthColumn(),
        ...onTimeColumns<InRange & Punctuality>(
          (row) => row,
          (view, { range }) => rowsIn(view, range),
        ),
      ],
      byRange(period.months, onTime.trend),
    ),
    told<OfPerson<Punctuality>>(
      'puntualidad',
      [
        nameColumn('Técnico', 'Sin persona'),
        ...onTimeColumns<OfPerson<Punctuality>>(
          ({ now }) => now,
          (view, { id }) => rowsIn(view, period.now, id),
        ),
        share('Antes', ({ before }) => onTimeShare(before)),
      ],
      onTime.people,
      totalOf(onTime),
    ),
  ]
}

/** The share is of the sum of its rows. */
function shareOfAll<Row extends Compared<number>>(rows: readonly Row[]): FigureColumn<Row> {
  const all = rows.reduce((sum, { now }) => sum + now, 0)
  return share('% del total', ({ now }) => percentageOf(now, all))
}

function closingTables({ closings, period }: OfficeFigures): FigureTold[] {
  const { lost, reasons, trend } = closings
  const months = byRange(period.months, trend)
  return [
    told<(typeof months)[number]>(
      'cancelaciones-por-mes',
      [
        monthColumn(),
        count('Citas', ({ all }) => all),
        count('Canceladas', ({ cancelled }) => cancelled),
        count('No se presentó', ({ noShow }) => noShow),
        share('% canceladas', cancelledShare),
      ],
      months,
    ),
    told<(typeof reasons)[number]>(
      'cancelaciones-por-motivo',
      [
        { header: 'Motivo', words: closingReasonWords },
        count('Citas', ({ now }) => now),
        count('Fuera de tiempo', ({ late }) => late),
        shareOfAll(reasons),
        count('Antes', ({ before }) => before),
      ],
      reasons,
    ),
    told<(typeof lost)[number]>(
      'no-concretados',
      [
        { header: 'Motivo', words: ({ reason }) => lostReasons[reason] },
        count('Proyectos', ({ now }) => now),
        count('Ya con cotización', ({ afterQuote }) => afterQuote),
        shareOfAll(lost),
        count('Antes', ({ before }) => before),
      ],
      lost,
    ),
  ]
}

export const closingReasonWords = ({ reason }: { reason: keyof typeof closingReasons | null }) =>
  reason ? closingReasons[reason] : 'Sin motivo anotado'

/** Every table of the figures that the reader may see, in words. */
export const figureTables = (figures: OfficeFigures, hasPayments = false): FigureTold[] => [
  ...incomeTable(figures, hasPayments),
  ...conversionTables(figures),
  ...occupancyTables(figures),
  ...dayTables(figures),
  ...onTimeTables(figures),
  ...closingTables(figures),
]

export const projectFilters = {
  ...dayFilters,
  stage: oneOf(stages),
  turn: oneOf(Object.keys(waitingLabels) as Waiting[]),
  agency: anId,
  text: searched(),
  order: ordersBy('moved', 'created'),
}

/** The part of the page that an address asks for, of those that the user has. */
export function pipelinePartIn(url: URL, actor: Pick<Actor, 'kind'>): PipelinePart {
  const asked = url.searchParams.get('parte')
  return partsFor(actor).find((part) => part === asked) ?? 'lista'
}

/** The period for which an address asks figures. */
export const figurePeriodIn = (url: URL, now: Date) =>
  figurePeriodOf(url.searchParams.get('periodo'), localDate(toMinutes(now)))

/** The address of the figures for a period, by its name. */
export const periodPath = (period: string) => `${figuresPath}?periodo=${period}`
export const figureFilePath = (file: FigureFile, period: string) =>
  `${figuresPath}/${file}.csv?periodo=${period}`
