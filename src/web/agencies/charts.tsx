import type { ReactNode } from 'react'
import { Bar, BarChart, CartesianGrid, LabelList, Legend, Tooltip, XAxis, YAxis } from 'recharts'
import { monthAndYear, monthShort, thousands } from '../../domain/shared/format.ts'

/** How the charts of the page look, in both palettes. */
const small = { fontSize: 12, fill: 'var(--color-mute)' }
const boxed = {
  background: 'var(--color-card)',
  border: '1px solid var(--color-line)',
  borderRadius: 'var(--radius-control)',
}
const whole = { width: '100%', height: '100%' }
const pointed = { fill: 'var(--color-hover)' }

type MonthBarsProps = {
  label: string
  data: readonly { month: string }[]
  series: readonly { key: string; name: string; fill: string }[]
  /** How a figure is written, and its short form on the axis. */
  words: (value: number) => string
  rough: (value: number) => string
  isCount?: boolean
}

/** A bar for each month, its parts stacked; the table below has the exact figures. */
export function MonthBars({ label, data, series, words, rough, isCount = false }: MonthBarsProps): ReactNode {
  return (
    <div role="img" aria-label={`${label}; las cifras están en la tabla.`} className="h-full">
      <BarChart
        responsive
        data={data}
        accessibilityLayer={false}
        stackOffset="sign"
        margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
        style={whole}
      >
        <CartesianGrid vertical={false} stroke="var(--color-line)" />
        <XAxis
          dataKey="month"
          tickFormatter={(month) => monthShort(`${month}-01`)}
          tick={small}
          tickLine={false}
          stroke="var(--color-edge)"
        />
        <YAxis
          tickFormatter={rough}
          allowDecimals={!isCount}
          {...(isCount && { domain: [0, 'dataMax'] })}
          tick={small}
          tickLine={false}
          axisLine={false}
          width={isCount ? 32 : 76}
        />
        <Tooltip
          formatter={(value) => words(Number(value))}
          labelFormatter={(month) => monthAndYear(`${month}-01`)}
          contentStyle={boxed}
          cursor={pointed}
        />
        {series.length > 1 && (
          <Legend
            itemSorter={null}
            iconType="circle"
            formatter={(said) => <span className="text-sm text-ink">{said}</span>}
          />
        )}
        {series.map(({ key, name, fill }) => (
          <Bar
            key={key}
            dataKey={key}
            name={name}
            fill={fill}
            stackId="month"
            maxBarSize={40}
            radius={series.length > 1 ? 0 : [3, 3, 0, 0]}
            isAnimationActive={false}
          />
        ))}
      </BarChart>
    </div>
  )
}

type StageBarsProps = { rows: readonly { label: string; count: number }[] }

/** A bar for each stage, in the order of an installation; the table below has the same figures. */
export function StageBars({ rows }: StageBarsProps): ReactNode {
  return (
    <div
      role="img"
      aria-label="Gráfica de clientes por etapa; las cifras están en la tabla."
      className="h-full"
    >
      <BarChart
        responsive
        layout="vertical"
        data={rows}
        accessibilityLayer={false}
        margin={{ top: 0, right: 32, bottom: 0, left: 0 }}
        style={whole}
      >
        <XAxis type="number" hide allowDecimals={false} />
        <YAxis
          type="category"
          dataKey="label"
          // On one line each.
          tickFormatter={(label: string) => label.replaceAll(' ', '\u00a0')}
          tick={small}
          tickLine={false}
          stroke="var(--color-edge)"
          width={112}
          interval={0}
        />
        <Tooltip formatter={(value) => thousands(Number(value))} contentStyle={boxed} cursor={pointed} />
        <Bar
          dataKey="count"
          name="Clientes"
          fill="var(--color-brand)"
          radius={[0, 3, 3, 0]}
          maxBarSize={18}
          isAnimationActive={false}
        >
          <LabelList dataKey="count" position="right" fontSize={12} fill="var(--color-ink)" />
        </Bar>
      </BarChart>
    </div>
  )
}
