import type { Actor } from '../../domain/access/actor.ts'
import { percentageOf } from '../../domain/agencies/agency.ts'
import {
  type Conversion,
  figureMonths,
  type LostReasonCount,
  type PipelinePart,
  type Punctuality,
  partsFor,
  type SellerConversion,
  type StageDays,
  timedStages,
} from '../../domain/projects/pipeline.ts'
import { lostReasons } from '../../domain/projects/project.ts'
import { stages, type Waiting, waitingLabels } from '../../domain/projects/stages.ts'
import { localDate, toMinutes } from '../../domain/shared/calendar.ts'
import { thousands } from '../../domain/shared/format.ts'
import type { OfficeFigures } from '../../server/projects/pipeline.ts'
import { anId, oneOf, searched } from '../lib/lists.tsx'
import type { FigureFile } from './pipeline-path.ts'

/** One column of figures: what it is called, and its words for a row. */
type FigureColumn<Row> = { header: string; numeric?: boolean; words: (row: Row) => string }

const days = (tenths: number | null) => (tenths === null ? '–' : thousands(tenths / 10))
const share = (part: number, whole: number) => {
  const of = percentageOf(part, whole)
  return of === null ? '–' : `${of}\u00a0%`
}
const count = (value: number) => thousands(value)
const number = <Row>(header: string, words: (row: Row) => string): FigureColumn<Row> => ({
  header,
  words,
  numeric: true,
})

const stageColumns: FigureColumn<StageDays>[] = [
  { header: 'Etapa', words: ({ stage }) => timedStages[stage].label },
  {
    header: 'De cuándo a cuándo',
    words: ({ stage }) => `Desde que ${timedStages[stage].from} hasta que ${timedStages[stage].to}`,
  },
  number('Proyectos', (row) => count(row.count)),
  number('Mediana (días)', ({ median }) => days(median)),
  number('90 % en menos de (días)', ({ slow }) => days(slow)),
]
const agencyColumns: FigureColumn<Conversion>[] = [
  { header: 'Concesionaria', words: ({ name }) => name ?? 'Sin concesionaria' },
  number('Proyectos', ({ projects }) => count(projects)),
  number('Visitados', ({ visited }) => count(visited)),
  number('Aceptaron', ({ accepted }) => count(accepted)),
  number('Instalados', ({ installed }) => count(installed)),
  number('% de aceptación', ({ accepted, projects }) => share(accepted, projects)),
]
const sellerColumns: FigureColumn<SellerConversion>[] = [
  { header: 'Analista', words: ({ name }) => name },
  number('Enviadas', ({ sent }) => count(sent)),
  number('Aceptadas', ({ accepted }) => count(accepted)),
  number('% de aceptación', ({ accepted, sent }) => share(accepted, sent)),
]
const punctualityColumns: FigureColumn<Punctuality>[] = [
  { header: 'Técnico', words: ({ name }) => name },
  number('Citas iniciadas', ({ began }) => count(began)),
  number('A tiempo', ({ onTime }) => count(onTime)),
  number('Tarde', ({ late }) => count(late)),
  number('% a tiempo', ({ began, onTime }) => share(onTime, began)),
]

/** The share is of all that were lost. */
const lostColumns = (rows: readonly LostReasonCount[]): FigureColumn<LostReasonCount>[] => {
  const all = rows.reduce((sum, { lost }) => sum + lost, 0)
  return [
    { header: 'Motivo', words: ({ reason }) => lostReasons[reason] },
    number('Proyectos', ({ lost }) => count(lost)),
    number('Ya con cotización', ({ afterQuote }) => count(afterQuote)),
    number('% del total', ({ lost }) => share(lost, all)),
  ]
}

type Told<Row> = { columns: FigureColumn<Row>[]; rows: readonly Row[] }

/** A table of figures, with its own columns and rows; a screen and its file show the same. */
export type FigureTold = { file: FigureFile; headers: FigureColumn<never>[]; cells: string[][] }

const told = <Row>(file: FigureFile, { columns, rows }: Told<Row>): FigureTold => ({
  file,
  headers: columns,
  cells: rows.map((row) => columns.map(({ words }) => words(row))),
})

/** Every table of the figures, in words. */
export const figureTables = ({
  byAgency,
  bySeller,
  days: stages,
  lost,
  punctuality,
}: OfficeFigures): FigureTold[] => [
  told('dias-por-etapa', { columns: stageColumns, rows: stages }),
  told('conversion-por-concesionaria', { columns: agencyColumns, rows: byAgency }),
  told('conversion-por-analista', { columns: sellerColumns, rows: bySeller }),
  told('puntualidad', { columns: punctualityColumns, rows: punctuality }),
  told('no-concretados', { columns: lostColumns(lost), rows: lost }),
]

export const projectFilters = {
  stage: oneOf(stages),
  turn: oneOf(Object.keys(waitingLabels) as Waiting[]),
  agency: anId,
  text: searched(),
}

/** The part of the page that an address asks for, of those that the user has. */
export function pipelinePartIn(url: URL, actor: Pick<Actor, 'kind'>): PipelinePart {
  const asked = url.searchParams.get('parte')
  return partsFor(actor).find((part) => part === asked) ?? 'lista'
}

/** The months of which an address asks for figures. */
export function figurePeriodIn(url: URL, now: Date) {
  const asked = url.searchParams.get('periodo') ?? ''
  const year = /^20\d\d$/.test(asked) ? asked : null
  return { year, months: figureMonths(year, localDate(toMinutes(now))) }
}
