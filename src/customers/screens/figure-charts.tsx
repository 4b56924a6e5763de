import type { ReactNode } from 'react'
import { percentageOf, shareWords } from '../../agencies/rules/agency.ts'
import { lostReasons } from '../../projects/rules/stages.ts'
import { money, monthAndYear, monthShort, roughMoney, thousands } from '../../shared/format.ts'
import { type ChartPoint, RankBars, StepBars, TrendChart } from '../../ui/charts.tsx'
import {
  acceptanceOf,
  type DateRange,
  type FigureFile,
  type FigurePeriod,
  netOf,
  type OfficeFigures,
  occupancyOf,
  onTimeShare,
  type Reached,
  reachedSteps,
  timedStages,
  wonShare,
} from '../rules/figures.ts'
import { closingReasonWords, dayWords } from './figure-columns.ts'

/** The picture of a figure, its definition, and what stands in its place where there is nothing; null where there is. */
type FigureChart = { note: string; empty: string | null; chart: ReactNode }
type Charts = Record<FigureFile, FigureChart>

/** How many rows of people or reasons are drawn; the table has all of them. */
const ROWS_DRAWN = 10

/** The picture of each table. */
export const figureCharts = (figures: OfficeFigures): Charts => ({
  'ingresos-por-mes': incomeChart(figures),
  ...conversionCharts(figures),
  ...channelCharts(figures),
  ...occupancyCharts(figures),
  ...dayCharts(figures),
  ...onTimeCharts(figures),
  ...closingCharts(figures),
  ...reasonCharts(figures),
})

const brand = 'var(--color-brand)'
const wait = 'var(--color-wait)'
const percentAxis = (share: number) => `${share}\u00a0%`

type ShareLineProps = { label: string; name: string; points: readonly ChartPoint[]; least?: number }

/** A share of each month or week, on an axis up to 100 % unless less is enough. */
const ShareLine = ({ label, least = 100, name, points }: ShareLineProps) => (
  <TrendChart
    label={label}
    kind="line"
    series={[{ name, fill: brand }]}
    rough={percentAxis}
    least={least}
    points={points}
  />
)

type PointWords<Figure> = {
  values: (figure: Figure) => (number | null)[]
  words: (figure: Figure) => string
}

const isOutside = ({ from }: DateRange, { now }: FigurePeriod) => from < now.from || from >= now.to

function monthPoints<Figure>(
  period: FigurePeriod,
  trend: readonly Figure[],
  of: PointWords<Figure>,
): ChartPoint[] {
  return period.months.map((range, n) => ({
    key: range.from,
    tick: monthShort(range.from),
    title: `${monthAndYear(range.from)}: ${of.words(trend[n]!)}`,
    isPale: isOutside(range, period),
    values: of.values(trend[n]!),
  }))
}

function incomeChart({ income, period }: OfficeFigures): FigureChart {
  const trend = income?.trend ?? []
  return {
    note: 'Lo que se cobró en cada mes, con sus correcciones y menos los reembolsos; arriba, lo que se pidió ese mes y sigue por cobrar o en revisión.',
    empty: trend.some((month) => Object.values(month).some((sum) => sum !== 0))
      ? null
      : 'No se ha cobrado ni pedido nada en estos meses.',
    chart: income && (
      <TrendChart
        label="Gráfica de lo cobrado y lo que falta por cobrar, por mes"
        kind="bars"
        series={[
          { name: 'Cobrado, neto', fill: brand },
          { name: 'Por cobrar', fill: wait },
          { name: 'En revisión', fill: 'var(--color-info)' },
        ]}
        rough={roughMoney}
        points={monthPoints(period, trend, {
          values: (row) => [netOf(row), row.receivable, row.inReview],
          words: (row) =>
            `${money(netOf(row))} cobrado, ${money(row.receivable)} por cobrar, ${money(row.inReview)} en revisión`,
        })}
      />
    ),
  }
}

function conversionCharts({ conversion, period }: OfficeFigures) {
  const { before, now, trend } = conversion
  const steps = Object.keys(reachedSteps) as (keyof Reached)[]
  return {
    'conversion-por-paso': {
      note: 'De los proyectos cuya primera visita técnica se hizo en el periodo, cuántos llegaron a cada paso, al día de hoy.',
      empty: now.visited === 0 ? 'No se hizo ninguna primera visita en este periodo.' : null,
      chart: (
        <StepBars
          rows={steps.map((step) => ({
            key: step,
            label: reachedSteps[step],
            count: thousands(now[step]),
            share: percentageOf(now[step], now.visited),
            notes: [
              `${shareWords(percentageOf(now[step], now.visited))} del total`,
              `antes ${thousands(before[step])}, ${shareWords(percentageOf(before[step], before.visited))}`,
            ],
          }))}
        />
      ),
    },
    'conversion-por-mes': {
      note: 'Qué parte de los proyectos visitados por primera vez en cada mes ha aceptado su cotización, al día de hoy.',
      empty: trend.every(({ visited }) => visited === 0)
        ? 'No se hizo ninguna primera visita en estos meses.'
        : null,
      chart: (
        <ShareLine
          label="Gráfica de la parte que aceptó su cotización, por mes de la visita"
          name="Aceptaron"
          points={monthPoints(period, trend, {
            values: (row) => [acceptanceOf(row)],
            words: (row) =>
              `${shareWords(acceptanceOf(row))}, ${thousands(row.accepted)} de ${thousands(row.visited)}`,
          })}
        />
      ),
    },
  } satisfies Partial<Charts>
}

const againstBefore = (now: number | null, before: number | null) =>
  `${shareWords(now)}, antes ${shareWords(before)}`

function channelCharts({ conversion: { agencies, sellers } }: OfficeFigures) {
  return {
    'conversion-por-concesionaria': {
      note: 'Qué parte de los proyectos visitados por primera vez en el periodo ha aceptado, por quien los trajo.',
      empty: agencies.every(({ now }) => now.visited === 0)
        ? 'No se hizo ninguna primera visita en este periodo.'
        : null,
      chart: (
        <RankBars
          label="Conversión por concesionaria"
          least={100}
          rows={agencies.slice(0, ROWS_DRAWN).map((row) => ({
            key: row.id ?? 'none',
            label: row.name ?? 'Sin concesionaria',
            value: acceptanceOf(row.now) ?? 0,
            words: `${thousands(row.now.accepted)} de ${thousands(row.now.visited)}, ${againstBefore(acceptanceOf(row.now), acceptanceOf(row.before))}`,
          }))}
        />
      ),
    },
    'conversion-por-analista': {
      note: 'De las cotizaciones que envió por primera vez en el periodo, cuántas se aceptaron.',
      empty: sellers.every(({ now }) => now.sent === 0)
        ? 'No se envió ninguna cotización en este periodo.'
        : null,
      chart: (
        <RankBars
          label="Conversión por analista"
          least={100}
          rows={sellers.slice(0, ROWS_DRAWN).map(({ before, id, name, now }) => ({
            key: id ?? 'none',
            label: name,
            value: wonShare(now) ?? 0,
            words: `${thousands(now.accepted)} de ${thousands(now.sent)}, ${againstBefore(wonShare(now), wonShare(before))}`,
          }))}
        />
      ),
    },
  } satisfies Partial<Charts>
}

function occupancyCharts({ occupancy, period }: OfficeFigures) {
  const { people, trend } = occupancy
  const drawn = people.toSorted((one, other) => (occupancyOf(other.now) ?? 0) - (occupancyOf(one.now) ?? 0))
  return {
    'ocupacion-por-semana': {
      note: 'Horas de las citas que no se cancelaron y en las que sí estuvo el cliente, de las horas de turno de quienes atienden hoy; sin festivos ni permisos.',
      empty: trend.every(({ booked, shift }) => booked + shift === 0)
        ? 'Nadie tuvo turno ni citas en estas semanas.'
        : null,
      chart: (
        <ShareLine
          label="Gráfica de la ocupación por semana"
          name="Ocupación"
          least={20}
          points={period.weeks.map((range, n) => ({
            key: range.from,
            tick: dayWords(range.from).slice(0, -5),
            title: `Semana del ${dayWords(range.from)}: ${shareWords(occupancyOf(trend[n]!))}`,
            isPale: range.to <= period.now.from || range.from >= period.now.to,
            values: [occupancyOf(trend[n]!)],
          }))}
        />
      ),
    },
    'ocupacion-por-persona': {
      note: 'Lo mismo en el periodo, para cada técnico y analista, con su turno de hoy.',
      empty: people.length === 0 ? 'Nadie tuvo turno ni citas en este periodo.' : null,
      chart: (
        <RankBars
          label="Ocupación por persona"
          least={100}
          rows={drawn.slice(0, ROWS_DRAWN).map(({ before, id, name, now }) => ({
            key: id ?? 'none',
            label: name,
            value: occupancyOf(now) ?? 0,
            words: againstBefore(occupancyOf(now), occupancyOf(before)),
          }))}
        />
      ),
    },
  } satisfies Partial<Charts>
}

const inDays = (tenths: number | null) => (tenths === null ? null : tenths / 10)
const dayFigure = (tenths: number | null) => (tenths === null ? '–' : thousands(tenths / 10))

function dayCharts({ days, period }: OfficeFigures) {
  return {
    'dias-por-mes': {
      note: 'Días desde que se abre un proyecto hasta que se termina de instalar, por el mes en que se terminó.',
      empty: days.trend.every(({ count }) => count === 0)
        ? 'No se terminó ninguna instalación en estos meses.'
        : null,
      chart: (
        <TrendChart
          label="Gráfica de los días de registro a instalación, por mes"
          kind="line"
          series={[
            { name: 'Mediana', fill: brand },
            { name: '90\u00a0% en menos de', fill: wait },
          ]}
          rough={thousands}
          points={monthPoints(period, days.trend, {
            values: ({ median, slow }) => [inDays(median), inDays(slow)],
            words: ({ median, slow }) =>
              `mediana ${dayFigure(median)} días, 90\u00a0% en menos de ${dayFigure(slow)} días`,
          })}
        />
      ),
    },
    'dias-por-etapa': {
      note: 'De los proyectos que terminaron cada etapa en el periodo: la mediana y, con una marca, los días en los que ya terminó el 90\u00a0%.',
      empty: days.stages.every(({ now }) => now.count === 0)
        ? 'Ningún proyecto terminó una etapa en este periodo.'
        : null,
      chart: (
        <RankBars
          label="Días por etapa"
          rows={days.stages.map(({ now, stage }) => ({
            key: stage,
            label: timedStages[stage].label,
            value: inDays(now.median) ?? 0,
            mark: inDays(now.slow),
            words:
              now.count === 0
                ? 'Ninguno'
                : `${dayFigure(now.median)} días, 90\u00a0% en ${dayFigure(now.slow)}`,
          }))}
        />
      ),
    },
  } satisfies Partial<Charts>
}

function onTimeCharts({ onTime, period }: OfficeFigures) {
  const note =
    'Visitas e instalaciones que empezaron dentro de la ventana de llegada que se prometió; la que no empezó cuenta como tarde'
  return {
    'puntualidad-por-mes': {
      note: `${note}, por mes.`,
      empty: onTime.trend.every(({ due }) => due === 0) ? 'No hubo citas por empezar en estos meses.' : null,
      chart: (
        <ShareLine
          label="Gráfica de las citas que empezaron a tiempo, por mes"
          name="A tiempo"
          points={monthPoints(period, onTime.trend, {
            values: (row) => [onTimeShare(row)],
            words: (row) =>
              `${shareWords(onTimeShare(row))}, ${thousands(row.onTime)} de ${thousands(row.due)}`,
          })}
        />
      ),
    },
    puntualidad: {
      note: `${note}, por quien las hizo en el periodo.`,
      empty: onTime.people.length === 0 ? 'No hubo citas por empezar en este periodo.' : null,
      chart: (
        <RankBars
          label="Puntualidad por técnico"
          least={100}
          rows={onTime.people.slice(0, ROWS_DRAWN).map(({ before, id, name, now }) => ({
            key: id ?? 'none',
            label: name,
            value: onTimeShare(now) ?? 0,
            words: `${thousands(now.onTime)} de ${thousands(now.due)}, ${againstBefore(onTimeShare(now), onTimeShare(before))}`,
          }))}
        />
      ),
    },
  } satisfies Partial<Charts>
}

function closingCharts({ closings, period }: OfficeFigures) {
  const { trend } = closings
  return {
    'cancelaciones-por-mes': {
      note: 'Citas que eran para cada mes y se cancelaron, o en las que el cliente no se presentó.',
      empty: trend.every(({ cancelled, noShow }) => cancelled + noShow === 0)
        ? 'No se canceló ninguna cita en estos meses.'
        : null,
      chart: (
        <TrendChart
          label="Gráfica de las citas canceladas, por mes"
          kind="bars"
          series={[
            { name: 'Canceladas', fill: wait },
            { name: 'No se presentó', fill: 'var(--color-bad)' },
          ]}
          rough={thousands}
          points={monthPoints(period, trend, {
            values: ({ cancelled, noShow }) => [cancelled, noShow],
            words: ({ all, cancelled, noShow }) =>
              `${thousands(cancelled)} canceladas y en ${thousands(noShow)} no se presentó el cliente, de ${thousands(all)}`,
          })}
        />
      ),
    },
  } satisfies Partial<Charts>
}

function reasonCharts({ closings: { lost, reasons } }: OfficeFigures) {
  const isEmpty = (rows: readonly { now: number }[]) => rows.every(({ now }) => now === 0)
  return {
    'cancelaciones-por-motivo': {
      note: 'Las citas que eran para el periodo y se cancelaron, por su motivo.',
      empty: isEmpty(reasons) ? 'No se canceló ninguna cita de este periodo.' : null,
      chart: (
        <RankBars
          label="Cancelaciones por motivo"
          rows={reasons.slice(0, ROWS_DRAWN).map(({ before, now, reason }) => ({
            key: reason ?? 'none',
            label: closingReasonWords({ reason }),
            value: now,
            words: `${thousands(now)}, antes ${thousands(before)}`,
          }))}
        />
      ),
    },
    'no-concretados': {
      note: 'Proyectos que se cerraron en el periodo sin concretarse, y siguen cerrados.',
      empty: isEmpty(lost) ? 'Ningún proyecto se cerró sin concretarse en este periodo.' : null,
      chart: (
        <RankBars
          label="No concretados por motivo"
          rows={lost.map(({ before, now, reason }) => ({
            key: reason,
            label: lostReasons[reason],
            value: now,
            words: `${thousands(now)}, antes ${thousands(before)}`,
          }))}
        />
      ),
    },
  } satisfies Partial<Charts>
}
