import type { ReactNode } from 'react'
import { Bar, BarChart, LabelList, Tooltip, XAxis, YAxis } from 'recharts'
import { thousands } from '../../domain/shared/format.ts'
import { boxed, pointed, small, whole } from './chart-look.ts'

type StageBarsProps = { rows: readonly { label: string; count: number }[] }

/** A bar for each stage, in the order of an installation; the table below says it too. */
export default function StageBars({ rows }: StageBarsProps): ReactNode {
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
          // In one line each.
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
