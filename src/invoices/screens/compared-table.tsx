import { FigureTable } from '../../ui/figure-table.tsx'
import type { ComparedField } from '../rules/cfdi-amounts.ts'

/** What was asked for and what a stamped XML says, side by side. Loaded where they differ. */
export default function ComparedTable({ fields }: { fields: readonly ComparedField[] }) {
  return (
    <div className="wrap-anywhere [&_table]:table-fixed [&_table]:text-sm [&_td]:pr-1 [&_td]:align-top [&_th:first-child]:w-[26%]">
      <FigureTable
        caption="Lo que pedimos y lo que dice el XML"
        rows={fields}
        rowKey={({ label }) => label}
        columns={[
          { header: 'Dato', cell: ({ label }) => label },
          { header: 'Pedimos', cell: ({ asked }) => asked || 'nada' },
          {
            header: 'El XML dice',
            cell: ({ differs, stamped }) =>
              differs ? <strong className="text-bad">≠ {stamped || 'nada'}</strong> : stamped || 'nada',
          },
        ]}
      />
    </div>
  )
}
