import type { Actor } from '../../access/rules/actor.ts'
import { shareWords } from '../../agencies/rules/agency.ts'
import { rowsPath, type ViewName } from '../../appointments/rules/list.ts'
import { figuresPath, type PipelinePart, partsFor } from '../../projects/rules/pipeline.ts'
import { addDays, localDate, toMinutes } from '../../shared/calendar.ts'
import { hourCountWords, monthAndYear, shortDate } from '../../shared/format.ts'
import { inCounts, inFigures, inWords } from '../../ui/figure-table.tsx'
import {
  type DateRange,
  type FigureFile,
  type FigurePeriod,
  figurePeriodOf,
  onTimeShare,
  type Punctuality,
} from '../rules/figures.ts'

/** "24 nov 2026": a column is narrow. */
export const dayWords = (date: string) => shortDate(date).slice(4)

/** The rows of a figure in a range, of all people or of one. */
export const rowsIn = (view: ViewName, { from, to }: DateRange, person?: string | null) =>
  rowsPath(view, from, addDays(to, -1), person)

export const inShares = <Row>(header: string, of: (row: Row) => number | null) =>
  inFigures<Row>(header, (row) => shareWords(of(row)))
export const inHours = <Row>(header: string, of: (row: Row) => number, to?: (row: Row) => string) =>
  inFigures<Row>(
    header,
    (row) => hourCountWords(of(row)),
    (row) => ({ decimal: of(row) / 60 }),
    to,
  )
export const nameColumn = <Row extends { name: string | null }>(header: string, nobody = '–') =>
  inWords<Row>(header, ({ name }) => name ?? nobody)

/** A month or week of a trend. */
export type InRange = DateRange & { isPale: boolean }

/** The months or weeks of a trend with their figures, the last first. */
export const rowsByRange = <Figure>(
  ranges: readonly DateRange[],
  trend: readonly Figure[],
  { now }: FigurePeriod,
) =>
  ranges
    .map((range, n) => ({ ...range, isPale: range.to <= now.from || range.from >= now.to, ...trend[n]! }))
    .toReversed()

export const monthColumn = <Row extends InRange>(to?: (row: Row) => string) =>
  inWords<Row>('Mes', ({ from }) => monthAndYear(from), to)

/** Each figure leads to its rows: of a row's range, or of the period and the row's person. */
export function onTimeColumns<Row>(
  of: (row: Row) => Punctuality,
  rows: (view: ViewName, row: Row) => string,
) {
  const column = (header: string, view: ViewName, figure: (of: Punctuality) => number) =>
    inCounts<Row>(
      header,
      (row) => figure(of(row)),
      (row) => rows(view, row),
    )
  return [
    column('Citas', 'puntualidad', ({ due }) => due),
    column('A tiempo', 'a-tiempo', ({ onTime }) => onTime),
    column('Tarde', 'con-retraso', ({ due, onTime }) => due - onTime),
    inShares<Row>('% a tiempo', (row) => onTimeShare(of(row))),
  ]
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
