import type { ReactNode } from 'react'
import { Bar, BarChart, CartesianGrid, Legend, Tooltip, XAxis, YAxis } from 'recharts'
import { monthAndYear, monthShort } from '../../domain/shared/format.ts'
import { boxed, pointed, small, whole } from './chart-look.ts'

type MonthBarsProps = {
  label: string
  data: readonly { month: string }[]
  series: readonly { key: string; name: string; fill: string }[]
  /** How a figure is said, and how roughly on the axis. */
  words: (value: number) => string
  rough: (value: number) => string
  isCount?: boolean
}

/** A bar for each month, its parts one on the other; the table below says it exactly. */
export default function MonthBars({
  label,
  data,
  series,
  words,
  rough,
  isCount = false,
}: MonthBarsProps): ReactNode {
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
