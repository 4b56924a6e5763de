import { ChevronRight, Download } from 'lucide-react'
import type { Key, ReactNode } from 'react'
import { money, thousands } from '../shared/format.ts'
import { Card } from './card.tsx'
import { classNames } from './class-names.ts'
import type { Column } from './data-table.tsx'
import { Link } from './link.tsx'

type To<Row> = ((row: Row) => string | null | undefined) | undefined
/** One column of figures: what it is called, and its words for a row; in a file, as a spreadsheet reads them. */
export type FigureColumn<Row> = {
  header: string
  words: (row: Row) => string
  plain: (row: Row) => string | number | { decimal: number }
  /** Where the rows of the figure are. */
  to?: To<Row>
  numeric?: boolean
}

export const inWords = <Row,>(
  header: string,
  words: (row: Row) => string,
  to?: To<Row>,
): FigureColumn<Row> => ({ header, words, plain: words, to })

/** A column of figures; without `plain` its file has the words. */
export const inFigures = <Row,>(
  header: string,
  words: (row: Row) => string,
  plain: FigureColumn<Row>['plain'] = words,
  to?: To<Row>,
): FigureColumn<Row> => ({ header, words, plain, to, numeric: true })

export const inCounts = <Row,>(header: string, of: (row: Row) => number, to?: To<Row>) =>
  inFigures<Row>(header, (row) => thousands(of(row)), of, to)

/** Of centavos. */
export const inMoney = <Row,>(header: string, of: (row: Row) => number) =>
  inFigures<Row>(
    header,
    (row) => money(of(row)),
    (row) => ({ decimal: of(row) / 100 }),
  )

type Declared<Row> = {
  title: string
  /** What is counted, in one sentence. */
  note: string
  /** Whether a row counts anything, and what is said instead of the chart where none does. */
  has: (row: Row) => unknown
  none: string
  columns: readonly FigureColumn<Row>[]
  /** Of all rows together; no file has it. */
  total?: Row
  /** `name`: what the first column calls a row. */
  chart: (rows: readonly Row[], title: string, name: (row: Row) => string) => ReactNode
}
export type DeclaredFigure<File extends string> = ReturnType<typeof declareFigure<unknown, File>>

/** A figure, declared once: its card, its table and its file show the same rows. `file` is the name in its addresses. */
export function declareFigure<Row, File extends string>(
  file: File,
  rows: readonly Row[],
  { chart, columns, has, none, note, title, total }: Declared<Row>,
) {
  const cell =
    ({ to, words }: FigureColumn<Row>) =>
    (row: Row) => {
      const path = to?.(row)
      return path ? <Link to={path}>{words(row)}</Link> : words(row)
    }
  return {
    file,
    title,
    note,
    empty: rows.some(has) ? null : none,
    chart: chart(rows, title, columns[0]!.words),
    table: (
      <FigureTable
        caption={title}
        columns={columns.map((column) => ({ ...column, cell: cell(column) }))}
        rows={rows}
        rowKey={(row) => rows.indexOf(row)}
        {...(total && { total: columns.map((column) => cell(column)(total)) })}
      />
    ),
    headers: columns.map(({ header }) => header),
    plain: rows.map((row) => columns.map(({ plain }) => plain(row))),
  }
}

/** Figures as a picture, as a table, and as a file at the address `csv`. On a phone a table scrolls sideways, also by keyboard. */
export const FigureCard = (shown: { figure: DeclaredFigure<string>; csv: string }) => {
  const { chart, empty, file, note, table, title } = shown.figure
  return (
    <Card
      id={file}
      title={title}
      aside={
        <span className="-my-2 flex">
          <FileLinks
            to={shown.csv}
            of={title}
            className="flex min-h-11 items-center gap-1.5 rounded-control px-2 text-[0.9375rem] font-medium text-mute no-underline hover:bg-hover hover:text-ink"
          />
        </span>
      }
    >
      <p className="text-sm text-mute">{note}</p>
      {empty ? (
        <p className="rounded-control bg-hover px-4 py-6 text-center text-[0.9375rem] text-mute">{empty}</p>
      ) : (
        chart
      )}
      <details className="border-t border-line pt-1 -mb-2">
        <summary className="flex min-h-11 items-center gap-1.5 text-[0.9375rem] font-medium text-mute select-none hover:text-ink [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden
            className="size-5 shrink-0 transition-transform [details[open]>summary>&]:rotate-90"
          />
          Ver tabla
          <span className="sr-only"> de {title.toLowerCase()}</span>
        </summary>
        <div className="pb-3">
          <section
            aria-label={`Tabla de ${title.toLowerCase()}`}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls sideways on a phone
            tabIndex={0}
            className="overflow-x-auto"
          >
            {table}
          </section>
        </div>
      </details>
    </Card>
  )
}

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
