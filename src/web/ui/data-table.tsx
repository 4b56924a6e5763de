import type { Key, ReactNode } from 'react'
import { cardClass } from './card.tsx'
import { classNames } from './class-names.ts'

export type Column<Row> = {
  header: string
  cell: (row: Row) => ReactNode
  /** What names the row: the head of its card on a phone. */
  main?: boolean
  numeric?: boolean
}

type DataTableProps<Row> = {
  /** What the table lists; read aloud, not shown. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => Key
}

// A table laid out as blocks loses its meaning for screen readers unless each part says what it is.
const part = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const

/** Rows of facts: a table with a sticky head from lg, a card per row below. One markup for both. */
export function DataTable<Row>({ caption, columns, rows, rowKey }: DataTableProps<Row>) {
  return (
    <table
      {...part.table}
      className="block w-full border-separate border-spacing-0 text-left lg:table lg:text-[0.9375rem]"
    >
      <caption className="sr-only">{caption}</caption>
      <thead {...part.group} className="max-lg:sr-only">
        <tr {...part.row}>
          {columns.map(({ header, numeric }) => (
            <th
              key={header}
              {...part.head}
              scope="col"
              className={classNames(
                'border-y border-line bg-card px-4 py-2.5 text-[0.8125rem] font-semibold text-mute lg:sticky lg:top-0 lg:z-[1] first:rounded-tl-card first:border-l last:rounded-tr-card last:border-r',
                numeric && 'text-right',
              )}
            >
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...part.group} className="grid gap-3 lg:table-row-group">
        {rows.map((row) => (
          <BodyRow key={rowKey(row)} {...{ columns, row }} />
        ))}
      </tbody>
    </table>
  )
}

function BodyRow<Row>({ columns, row }: { columns: readonly Column<Row>[]; row: Row }) {
  return (
    <tr
      {...part.row}
      className={classNames(
        cardClass,
        'group relative grid gap-1.5 p-4 lg:static lg:table-row lg:p-0 lg:hover:bg-hover',
      )}
    >
      {columns.map((column) => (
        <td
          key={column.header}
          {...part.cell}
          className={classNames(
            'flex items-baseline justify-between gap-4 lg:table-cell lg:border-b lg:border-line lg:bg-card lg:px-4 lg:py-3 lg:align-middle lg:group-hover:bg-hover lg:first:border-l lg:last:border-r',
            'lg:group-last:first:rounded-bl-card lg:group-last:last:rounded-br-card',
            column.main && 'order-first font-semibold',
            column.numeric && 'lg:text-right',
          )}
        >
          {!column.main && (
            <span aria-hidden className="shrink-0 text-sm text-mute lg:hidden">
              {column.header}
            </span>
          )}
          <div className={classNames('min-w-0', !column.main && 'max-lg:text-right')}>{column.cell(row)}</div>
        </td>
      ))}
    </tr>
  )
}

/** For the link that names a row: on a phone the whole card is its target. */
export const rowLinkClass =
  'text-ink underline-offset-4 hover:underline max-lg:after:absolute max-lg:after:inset-0 max-lg:after:rounded-card'
