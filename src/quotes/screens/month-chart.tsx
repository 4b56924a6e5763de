import type { ReactNode } from 'react'
import { Bar, BarChart, CartesianGrid, Legend, Tooltip, XAxis, YAxis } from 'recharts'
import { money, monthAndYear, monthShort, roughMoney } from '../../shared/format.ts'
import type { MonthFigures } from '../rules/quote.ts'

const series = [
  ['quoted', 'Cotizado', 'var(--color-info)'],
  ['accepted', 'Aceptado', 'var(--color-wait)'],
  ['paid', 'Pagado', 'var(--color-brand)'],
] as const

const small = { fontSize: 12, fill: 'var(--color-mute)' }
const boxed = {
  background: 'var(--color-card)',
  border: '1px solid var(--color-line)',
  borderRadius: 'var(--radius-control)',
}

/** What was quoted, accepted and paid in each month, side by side; the table below is exact to the centavo. */
export default function MonthChart({ months }: { months: readonly MonthFigures[] }): ReactNode {
  return (
    <div
      role="img"
      aria-label="Gráfica de lo cotizado, aceptado y pagado por mes; las cifras están en la tabla."
      className="h-full"
    >
      <BarChart
        responsive
        data={months}
        accessibilityLayer={false}
        margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
        barGap={1}
        style={{ width: '100%', height: '100%' }}
      >
        <CartesianGrid vertical={false} stroke="var(--color-line)" />
        <XAxis
          dataKey="month"
          tickFormatter={(month) => monthShort(`${month}-01`)}
          tick={small}
          tickLine={false}
          stroke="var(--color-edge)"
        />
        <YAxis tickFormatter={roughMoney} tick={small} tickLine={false} axisLine={false} width={76} />
        <Tooltip
          formatter={(centavos) => money(Number(centavos))}
          labelFormatter={(month) => monthAndYear(`${month}-01`)}
          contentStyle={boxed}
          cursor={{ fill: 'var(--color-hover)' }}
        />
        <Legend
          itemSorter={null}
          iconType="circle"
          formatter={(words) => <span className="text-sm text-ink">{words}</span>}
        />
        {series.map(([key, name, fill]) => (
          <Bar
            key={key}
            dataKey={key}
            name={name}
            fill={fill}
            radius={[3, 3, 0, 0]}
            isAnimationActive={false}
          />
        ))}
      </BarChart>
    </div>
  )
}
