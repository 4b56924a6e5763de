import type { Key, ReactNode } from 'react'

export type Column<Row> = {
  header: string
  cell: (row: Row) => ReactNode
  /** What names the row: the head of its card on a phone. */
  main?: boolean
  numeric?: boolean
}

/** For the link that names a row: on a phone the whole card is its target. */
export const rowLinkClass = 'row-link'

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

/** The headers, for data-table.css to show beside the values of a card: once, and not in each cell. */
const labelsOf = <Row,>(columns: readonly Column<Row>[]) =>
  Object.fromEntries(columns.map(({ header }, n) => [`--label-${n + 1}`, JSON.stringify(header)]))

/** Rows of facts: a table with a sticky head from lg, a card per row below. One markup; looks in data-table.css. */
export function DataTable<Row>({ caption, columns, rows, rowKey }: DataTableProps<Row>) {
  return (
    <table {...part.table} className="data-table" style={labelsOf(columns)}>
      <caption className="sr-only">{caption}</caption>
      <thead {...part.group}>
        <tr {...part.row}>
          {columns.map(({ header, numeric }) => (
            <th key={header} {...part.head} scope="col" data-numeric={numeric}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...part.group}>
        {rows.map((row) => (
          <tr key={rowKey(row)} {...part.row}>
            {columns.map(({ header, main, numeric, cell }) => (
              <td key={header} {...part.cell} data-main={main} data-numeric={numeric}>
                <div>{cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
