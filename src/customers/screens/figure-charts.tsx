import { percentageOf, shareWords } from '../../agencies/rules/agency.ts'
import { closingReasons } from '../../appointments/rules/appointment.ts'
import { monthPath } from '../../payments/screens/office-path.ts'
import { lostReasons } from '../../projects/rules/stages.ts'
import { money, roughMoney, thousands } from '../../shared/format.ts'
import { rankChart, StepBars, trendChart } from '../../ui/charts.tsx'
import {
  type DeclaredFigure,
  declareFigure,
  type FigureColumn,
  inCounts,
  inFigures,
  inMoney,
  inWords,
} from '../../ui/figure-table.tsx'
import {
  acceptanceOf,
  type Compared,
  cancelledShare,
  type FigureFile,
  figureFiles,
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
import {
  dayWords,
  type InRange,
  inHours,
  inShares,
  monthColumn,
  nameColumn,
  onTimeColumns,
  rowsByRange,
  rowsIn,
} from './figure-columns.ts'

type Declaration<Row> = Omit<Parameters<typeof declareFigure<Row, FigureFile>>[2], 'title'>
const office = <Row,>(file: FigureFile, rows: readonly Row[], declaration: Declaration<Row>) =>
  declareFigure(file, rows, { title: figureFiles[file], ...declaration })

const brand = 'var(--color-brand)'
const wait = 'var(--color-wait)'

/** A bar for the share of each person or agency, beside the one of the period before. */
const rankShares = <Figure, Row extends Compared<Figure>>(
  of: (figure: Figure) => number | null,
  words?: (figure: Figure) => string,
  isSorted = false,
) =>
  rankChart<Row>({
    least: 100,
    isSorted,
    value: ({ now }) => of(now),
    words: ({ before, now }) =>
      `${words ? `${words(now)}, ` : ''}${shareWords(of(now))}, antes ${shareWords(of(before))}`,
  })

const partWords = (part: number, whole: number) => `${thousands(part)} de ${thousands(whole)}`

function income({ income: sums, period }: OfficeFigures, hasPayments: boolean) {
  if (!sums) return []
  return [
    office('ingresos-por-mes', rowsByRange(period.months, sums.trend, period), {
      note: 'Lo que se cobró en cada mes, con sus correcciones y menos los reembolsos; arriba, lo que se pidió ese mes y sigue por cobrar o en revisión.',
      has: ({ inReview, receivable, received, returned }) => inReview || receivable || received || returned,
      none: 'No se ha cobrado ni pedido nada en estos meses.',
      columns: [
        monthColumn(hasPayments ? ({ from }) => monthPath(from) : undefined),
        inMoney('Cobrado', ({ received }) => received),
        inMoney('Reembolsado', ({ returned }) => returned),
        inMoney('Neto', netOf),
        inMoney('Por cobrar', ({ receivable }) => receivable),
        inMoney('En revisión', ({ inReview }) => inReview),
      ],
      chart: trendChart({
        label: 'Gráfica de lo cobrado y lo que falta por cobrar, por mes',
        kind: 'bars',
        series: [
          { name: 'Cobrado, neto', fill: brand },
          { name: 'Por cobrar', fill: wait },
          { name: 'En revisión', fill: 'var(--color-info)' },
        ],
        rough: roughMoney,
        values: (row) => [netOf(row), row.receivable, row.inReview],
        words: (row) =>
          `${money(netOf(row))} cobrado, ${money(row.receivable)} por cobrar, ${money(row.inReview)} en revisión`,
      }),
    }),
  ]
}

function steps({ conversion: { before, now } }: OfficeFigures) {
  const ofAll = (figure: Reached) => (step: keyof Reached) => percentageOf(figure[step], figure.visited)
  return office('conversion-por-paso', Object.keys(reachedSteps) as (keyof Reached)[], {
    note: 'De los proyectos cuya primera visita técnica se hizo en el periodo, cuántos llegaron a cada paso, al día de hoy.',
    has: (step) => now[step],
    none: 'No se hizo ninguna primera visita en este periodo.',
    columns: [
      inWords('Paso', (step) => reachedSteps[step]),
      inCounts('Proyectos', (step) => now[step]),
      inShares('Del total', ofAll(now)),
      inCounts('Antes', (step) => before[step]),
      inShares('Del total, antes', ofAll(before)),
    ],
    chart: (rows) => (
      <StepBars
        rows={rows.map((step) => ({
          key: step,
          label: reachedSteps[step],
          count: thousands(now[step]),
          share: ofAll(now)(step),
          notes: [
            `${shareWords(ofAll(now)(step))} del total`,
            `antes ${thousands(before[step])}, ${shareWords(ofAll(before)(step))}`,
          ],
        }))}
      />
    ),
  })
}

const reachedColumns = <Row,>(of: (row: Row) => Reached): FigureColumn<Row>[] => [
  inCounts('Visitados', (row) => of(row).visited),
  inCounts('Con cotización', (row) => of(row).quoted),
  inCounts('Aceptaron', (row) => of(row).accepted),
  inCounts('Instalados', (row) => of(row).installed),
  inShares('% de aceptación', (row) => acceptanceOf(of(row))),
]

const conversion = ({ conversion: { agencies, sellers, ...all }, period }: OfficeFigures) => [
  office('conversion-por-mes', rowsByRange(period.months, all.trend, period), {
    note: 'Qué parte de los proyectos visitados por primera vez en cada mes ha aceptado su cotización, al día de hoy.',
    has: ({ visited }) => visited,
    none: 'No se hizo ninguna primera visita en estos meses.',
    columns: [monthColumn(), ...reachedColumns<InRange & Reached>((row) => row)],
    chart: trendChart({
      label: 'Gráfica de la parte que aceptó su cotización, por mes de la visita',
      least: 100,
      values: (row) => [acceptanceOf(row)],
      words: (row) => `${shareWords(acceptanceOf(row))}, ${partWords(row.accepted, row.visited)}`,
    }),
  }),
  office('conversion-por-concesionaria', agencies, {
    note: 'Qué parte de los proyectos visitados por primera vez en el periodo ha aceptado, por quien los trajo.',
    has: ({ now }) => now.visited,
    none: 'No se hizo ninguna primera visita en este periodo.',
    columns: [
      nameColumn('Concesionaria', 'Sin concesionaria'),
      ...reachedColumns<(typeof agencies)[number]>(({ now }) => now),
      inShares('Antes', ({ before }) => acceptanceOf(before)),
    ],
    chart: rankShares(acceptanceOf, ({ accepted, visited }) => partWords(accepted, visited)),
  }),
  office('conversion-por-analista', sellers, {
    note: 'De las cotizaciones que envió por primera vez en el periodo, cuántas se aceptaron.',
    has: ({ now }) => now.sent,
    none: 'No se envió ninguna cotización en este periodo.',
    columns: [
      nameColumn('Analista'),
      inCounts('Enviadas', ({ now }) => now.sent),
      inCounts('Aceptadas', ({ now }) => now.accepted),
      inShares('% de aceptación', ({ now }) => wonShare(now)),
      inShares('Antes', ({ before }) => wonShare(before)),
    ],
    chart: rankShares(wonShare, ({ accepted, sent }) => partWords(accepted, sent)),
  }),
]

/** A person's figure, or that of all together, without an id. */
type OfPerson<Figure> = Compared<Figure> & { id?: string | null; name: string | null }

const occupancy = ({ occupancy: { people, ...all }, period }: OfficeFigures) => [
  office('ocupacion-por-semana', rowsByRange(period.weeks, all.trend, period), {
    note: 'Horas de las citas que no se cancelaron y en las que sí estuvo el cliente, de las horas de turno de quienes atienden hoy; sin festivos ni permisos.',
    has: ({ booked, shift }) => booked + shift,
    none: 'Nadie tuvo turno ni citas en estas semanas.',
    columns: [
      inWords('Semana del', ({ from }) => dayWords(from)),
      inHours(
        'Reservadas',
        ({ booked }) => booked,
        (range) => rowsIn('ocupacion', range),
      ),
      inHours('De turno', ({ shift }) => shift),
      inShares('Ocupación', occupancyOf),
    ],
    chart: trendChart({
      label: 'Gráfica de la ocupación por semana',
      isWeekly: true,
      least: 20,
      values: (row) => [occupancyOf(row)],
      words: (row) => shareWords(occupancyOf(row)),
    }),
  }),
  office<OfPerson<Workload>>('ocupacion-por-persona', people, {
    note: 'Lo mismo en el periodo, para cada técnico y analista, con su turno de hoy.',
    has: () => true,
    none: 'Nadie tuvo turno ni citas en este periodo.',
    columns: [
      nameColumn('Persona'),
      inHours(
        'Reservadas',
        ({ now }) => now.booked,
        ({ id }) => rowsIn('ocupacion', period.now, id),
      ),
      inHours('De turno', ({ now }) => now.shift),
      inShares('Ocupación', ({ now }) => occupancyOf(now)),
      inShares('Antes', ({ before }) => occupancyOf(before)),
    ],
    total: { name: 'Total', ...all },
    chart: rankShares(occupancyOf, undefined, true),
  }),
]

const dayCount = (tenths: number | null) => (tenths === null ? '–' : thousands(tenths / 10))
const inDays = (tenths: number | null) => (tenths === null ? null : tenths / 10)
const dayColumns = <Row,>(of: (row: Row) => StageDays): FigureColumn<Row>[] => [
  inCounts('Proyectos', (row) => of(row).count),
  inFigures('Mediana (días)', (row) => dayCount(of(row).median)),
  inFigures('90\u00a0% en menos de (días)', (row) => dayCount(of(row).slow)),
]

const days = ({ days: { stages, ...all }, period }: OfficeFigures) => [
  office('dias-por-mes', rowsByRange(period.months, all.trend, period), {
    note: 'Días desde que se abre un proyecto hasta que se termina de instalar, por el mes en que se terminó.',
    has: ({ count }) => count,
    none: 'No se terminó ninguna instalación en estos meses.',
    columns: [monthColumn(), ...dayColumns<InRange & StageDays>((row) => row)],
    chart: trendChart({
      label: 'Gráfica de los días de registro a instalación, por mes',
      series: [
        { name: 'Mediana', fill: brand },
        { name: '90\u00a0% en menos de', fill: wait },
      ],
      rough: thousands,
      values: ({ median, slow }) => [inDays(median), inDays(slow)],
      words: ({ median, slow }) =>
        `mediana ${dayCount(median)} días, 90\u00a0% en menos de ${dayCount(slow)} días`,
    }),
  }),
  office('dias-por-etapa', stages, {
    note: 'De los proyectos que terminaron cada etapa en el periodo: la mediana y, con una marca, los días en los que ya terminó el 90\u00a0%.',
    has: ({ now }) => now.count,
    none: 'Ningún proyecto terminó una etapa en este periodo.',
    columns: [
      inWords('Etapa', ({ stage }) => timedStages[stage].label),
      inWords(
        'De cuándo a cuándo',
        ({ stage }) => `Desde que ${timedStages[stage].from} hasta que ${timedStages[stage].to}`,
      ),
      ...dayColumns<(typeof stages)[number]>(({ now }) => now),
      inFigures('Mediana, antes', ({ before }) => dayCount(before.median)),
    ],
    chart: rankChart({
      value: ({ now }) => inDays(now.median),
      mark: ({ now }) => inDays(now.slow),
      words: ({ now }) =>
        now.count === 0 ? 'Ninguno' : `${dayCount(now.median)} días, 90\u00a0% en ${dayCount(now.slow)}`,
    }),
  }),
]

const promised =
  'Visitas e instalaciones que empezaron dentro de la ventana de llegada que se prometió; la que no empezó cuenta como tarde'
const onTimeWords = ({ due, onTime }: Punctuality) => partWords(onTime, due)

const punctuality = ({ onTime: { people, ...all }, period }: OfficeFigures) => [
  office('puntualidad-por-mes', rowsByRange(period.months, all.trend, period), {
    note: `${promised}, por mes.`,
    has: ({ due }) => due,
    none: 'No hubo citas por empezar en estos meses.',
    columns: [monthColumn(), ...onTimeColumns<InRange & Punctuality>((row) => row, rowsIn)],
    chart: trendChart({
      label: 'Gráfica de las citas que empezaron a tiempo, por mes',
      least: 100,
      values: (row) => [onTimeShare(row)],
      words: (row) => `${shareWords(onTimeShare(row))}, ${onTimeWords(row)}`,
    }),
  }),
  office<OfPerson<Punctuality>>('puntualidad', people, {
    note: `${promised}, por quien las hizo en el periodo.`,
    has: () => true,
    none: 'No hubo citas por empezar en este periodo.',
    columns: [
      nameColumn('Técnico', 'Sin persona'),
      ...onTimeColumns<OfPerson<Punctuality>>(
        ({ now }) => now,
        (view, { id }) => rowsIn(view, period.now, id),
      ),
      inShares('Antes', ({ before }) => onTimeShare(before)),
    ],
    total: { name: 'Total', ...all },
    chart: rankShares(onTimeShare, onTimeWords),
  }),
]

/** The share is of the sum of its rows. */
function shareOfAll<Row extends Compared<number>>(rows: readonly Row[]): FigureColumn<Row> {
  const all = rows.reduce((sum, { now }) => sum + now, 0)
  return inShares('% del total', ({ now }) => percentageOf(now, all))
}
const rankCounts = <Row extends Compared<number>>() =>
  rankChart<Row>({
    value: ({ now }) => now,
    words: ({ before, now }) => `${thousands(now)}, antes ${thousands(before)}`,
  })

const closings = ({ closings: { lost, reasons, ...all }, period }: OfficeFigures) => [
  office('cancelaciones-por-mes', rowsByRange(period.months, all.trend, period), {
    note: 'Citas que eran para cada mes y se cancelaron, o en las que el cliente no se presentó.',
    has: ({ cancelled, noShow }) => cancelled + noShow,
    none: 'No se canceló ninguna cita en estos meses.',
    columns: [
      monthColumn(),
      inCounts('Citas', (row) => row.all),
      inCounts('Canceladas', ({ cancelled }) => cancelled),
      inCounts('No se presentó', ({ noShow }) => noShow),
      inShares('% canceladas', cancelledShare),
    ],
    chart: trendChart({
      label: 'Gráfica de las citas canceladas, por mes',
      kind: 'bars',
      series: [
        { name: 'Canceladas', fill: wait },
        { name: 'No se presentó', fill: 'var(--color-bad)' },
      ],
      rough: thousands,
      values: ({ cancelled, noShow }) => [cancelled, noShow],
      words: (row) =>
        `${thousands(row.cancelled)} canceladas y en ${thousands(row.noShow)} no se presentó el cliente, de ${thousands(row.all)}`,
    }),
  }),
  office('cancelaciones-por-motivo', reasons, {
    note: 'Las citas que eran para el periodo y se cancelaron, por su motivo.',
    has: ({ now }) => now,
    none: 'No se canceló ninguna cita de este periodo.',
    columns: [
      inWords('Motivo', ({ reason }) => (reason ? closingReasons[reason] : 'Sin motivo anotado')),
      inCounts('Citas', ({ now }) => now),
      inCounts('Fuera de tiempo', ({ late }) => late),
      shareOfAll(reasons),
      inCounts('Antes', ({ before }) => before),
    ],
    chart: rankCounts(),
  }),
  office('no-concretados', lost, {
    note: 'Proyectos que se cerraron en el periodo sin concretarse, y siguen cerrados.',
    has: ({ now }) => now,
    none: 'Ningún proyecto se cerró sin concretarse en este periodo.',
    columns: [
      inWords('Motivo', ({ reason }) => lostReasons[reason]),
      inCounts('Proyectos', ({ now }) => now),
      inCounts('Ya con cotización', ({ afterQuote }) => afterQuote),
      shareOfAll(lost),
      inCounts('Antes', ({ before }) => before),
    ],
    chart: rankCounts(),
  }),
]

/** Every figure that the reader may see. */
export const figuresIn = (figures: OfficeFigures, hasPayments = false): DeclaredFigure<FigureFile>[] => [
  ...income(figures, hasPayments),
  steps(figures),
  ...conversion(figures),
  ...occupancy(figures),
  ...days(figures),
  ...punctuality(figures),
  ...closings(figures),
]
