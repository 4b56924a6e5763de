import { data, type LoaderFunctionArgs } from 'react-router'
import { type Actor, exportsLists, exportsMore } from '../../access/rules/actor.ts'
import type { Module } from '../../access/rules/routes.ts'
import type { Db } from '../../platform/database/client.ts'
import type { Cell, Table } from '../../platform/pdf/excel.ts'
import { renderExcel } from '../../platform/pdf/render.ts'
import { rowBox, rowsPerPage } from '../../shared/count.ts'
import { localDay, numericDate } from '../../shared/format.ts'
import { type DeclaredFigure, fileFormat } from '../../ui/figure-table.tsx'
import { assertModule, signedIn } from '../request.ts'
import { type FilterTable, readList } from './filters.ts'

/** A spreadsheet runs what begins like this as a formula, even from a customer; after an apostrophe it is text. */
const formula = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/

export type Columns<Row> = Record<string, (row: Row) => Cell>

/** An amount of centavos. */
export const amountCell = (centavos: number): Cell => ({ decimal: centavos / 100 })

/** Spreadsheets know hours and figures by their plain spaces. */
const plain = (text: string) => text.replaceAll('\u00a0', ' ')

function csvCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  if (cell instanceof Date) return numericDate(cell)
  if (typeof cell === 'object') return cell.decimal.toFixed(2)
  const value = plain(cell)
  const safe = formula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A line of a CSV file (RFC 4180). */
const line = (values: readonly Cell[]) => `${values.map(csvCell).join(',')}\r\n`

/** The mark by which spreadsheets read the rest as UTF-8. */
const byteOrderMark = '\ufeff'

/**
 * A table as it is downloaded: as CSV, whose rows come in chunks, each read when the one before was sent, or for Excel where
 * the address asks for it. `name` is without its ending.
 */
export async function tableFile<Row>(
  { url, viewer }: { url: URL; viewer: Actor },
  name: string,
  columns: Columns<Row>,
  chunks: Chunks<Row>,
): Promise<Response> {
  const isExcel = url.searchParams.get(fileFormat.name) === fileFormat.excel
  const body = isExcel ? await renderExcel(() => tableOf(columns, chunks), viewer.id) : csvOf(columns, chunks)
  return new Response(body, {
    headers: {
      'content-type': isExcel
        ? 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
        : 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.${isExcel ? 'xlsx' : 'csv'}"`,
      'cache-control': 'private, no-store',
    },
  })
}

function csvOf<Row>(columns: Columns<Row>, chunks: Chunks<Row>) {
  const encoder = new TextEncoder()
  const cells = Object.values(columns)
  return new ReadableStream<Uint8Array>({
    start: (file) => file.enqueue(encoder.encode(byteOrderMark + line(Object.keys(columns)))),
    async pull(file) {
      const { value, done } = await chunks.next()
      if (done) return file.close()
      file.enqueue(encoder.encode(value.map((row) => line(cells.map((cell) => cell(row)))).join('')))
    },
    async cancel() {
      await chunks.return?.()
    },
  })
}

async function tableOf<Row>(columns: Columns<Row>, chunks: Chunks<Row>): Promise<Table> {
  const cells = Object.values(columns)
  const rows: Cell[][] = []
  const shown = (value: Cell) => (typeof value === 'string' ? plain(value) : value)
  for (let read = await chunks.next(); !read.done; read = await chunks.next())
    for (const row of read.value) rows.push(cells.map((cell) => shown(cell(row))))
  return { headers: Object.keys(columns), rows }
}

/** The rows of a small table, at once. */
export async function* inOneChunk<Row>(rows: readonly Row[]) {
  yield rows
}

/** The table of a figure as a file. */
export const figureFile = (
  { file, headers, plain }: DeclaredFigure<string>,
  asked: { url: URL; viewer: Actor },
  now: Date,
) => {
  const columns = headers.map((header, at) => [header, (row: Cell[]) => row[at] ?? null])
  return tableFile(asked, `${file}-${localDay(now)}`, Object.fromEntries(columns), inOneChunk(plain))
}

/** The rows ticked in a list, as its form sends them, at most a page of them; without any, all of the list's are meant. */
export function chosenIn({ searchParams }: URL): string[] | undefined {
  const names = [...searchParams.keys()].filter((name) => name.startsWith(rowBox))
  return names.length > 0 ? names.slice(0, rowsPerPage).map((name) => name.slice(rowBox.length)) : undefined
}

type FileList<Row, Declared extends FilterTable> = {
  /** Where its filters are declared. */
  list: { filters: Declared }
  /** Who may export it, the office unless it says; for any other user it does not exist. */
  by?: (viewer: Actor) => boolean
  /** The columns that the list itself does not show: for those alone who have more than it. */
  more?: readonly string[]
  module?: Module
  /** Whether it is read where lists are; money is read from the primary. */
  isList?: boolean
  /** The name of the file, before its day. */
  name: (url: URL) => string
  columns: Columns<Row>
  /** All rows under the filters of the address, chunk by chunk; of these ids, where rows are ticked. */
  rows: (given: {
    asked: Omit<ReturnType<typeof readList<Declared>>['asked'], 'after'>
    db: Db
    ids: string[] | undefined
    now: Date
    url: URL
    viewer: Actor
  }) => Chunks<Row> | Promise<Chunks<Row>>
}
type Chunks<Row> = AsyncIterator<readonly Row[]>

/**
 * The loader of a list as a file, at the list's address with ".csv" (for Excel, too).
 */
export const exportList =
  <Row, Declared extends FilterTable>({
    by = exportsLists,
    columns,
    isList = false,
    list,
    module,
    more = [],
    name,
    rows,
  }: FileList<Row, Declared>) =>
  async ({ context, url }: LoaderFunctionArgs): Promise<Response> => {
    const { actor, now, lists, db } = signedIn(context)
    if (module) assertModule(context, module)
    if (!by(actor)) throw data(null, { status: 404 })
    const { after: _, ...asked } = readList(list, url, now).asked
    const found = await rows({
      asked,
      db: isList ? await lists() : db,
      ids: chosenIn(url),
      now,
      url,
      viewer: actor,
    })
    return tableFile(
      { url, viewer: actor },
      `${name(url)}-${localDay(now)}`,
      columnsFor(actor, columns, more),
      found,
    )
  }

/** The columns of a list's file for a viewer. */
export const columnsFor = <Cells extends object>(viewer: Actor, columns: Cells, more: readonly string[]) =>
  exportsMore(viewer)
    ? columns
    : (Object.fromEntries(Object.entries(columns).filter(([name]) => !more.includes(name))) as Cells)
