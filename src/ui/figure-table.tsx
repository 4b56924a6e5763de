import { Download } from 'lucide-react'
import type { Key, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import type { Column } from './data-table.tsx'

type FigureTableProps<Row> = {
  /** What the table counts; read aloud, not shown. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => Key
  /** The sums of the rows, with a word in the first column. */
  total?: readonly ReactNode[]
}

const cell = 'py-2 pr-3 last:pr-0'
const side = (numeric: boolean | undefined) => (numeric ? 'text-right whitespace-nowrap' : 'text-left')

/** A few columns of figures, a table on a phone too. */
export const FigureTable = <Row,>({ caption, columns, rows, rowKey, total }: FigureTableProps<Row>) => (
  <table className="w-full text-[0.9375rem]">
    <caption className="sr-only">{caption}</caption>
    <thead>
      <tr className="border-b border-line text-[0.8125rem] text-mute">
        {columns.map(({ header, numeric }) => (
          <th key={header} scope="col" className={classNames(cell, side(numeric), 'font-semibold')}>
            {header}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={rowKey(row)} className="border-b border-line">
          {columns.map(({ header, numeric, cell: shown }) => (
            <td key={header} className={classNames(cell, side(numeric))}>
              {shown(row)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
    {total && (
      <tfoot>
        <tr className="font-semibold">
          {total.map((words, n) => (
            <td key={columns[n]?.header} className={classNames(cell, side(columns[n]?.numeric))}>
              {words}
            </td>
          ))}
        </tr>
      </tfoot>
    )}
  </table>
)

/** The field of an address that asks for a table as an Excel file instead of CSV. */
export const fileFormat = { name: 'formato', excel: 'excel' } as const

type FileLinksProps = {
  /** The address of the CSV file. */
  to: string
  /** What is exported, where a page has several tables. */
  of?: string
  className: string
}

/** The two links that download a table. */
export const FileLinks = ({ className, of, to }: FileLinksProps) => {
  const excel = `${to}${to.includes('?') ? '&' : '?'}${fileFormat.name}=${fileFormat.excel}`
  return [
    { label: 'Excel', href: excel },
    { label: 'CSV', href: to },
  ].map(({ href, label }) => (
    <a key={label} className={className} href={href} download>
      <Download aria-hidden className="size-5 shrink-0" />
      <span className="sr-only">Exportar </span>
      {label}
      {of && <span className="sr-only"> de {of.toLowerCase()}</span>}
    </a>
  ))
}
