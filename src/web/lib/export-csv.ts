import { data, type LoaderFunctionArgs, redirect } from 'react-router'
import { type Actor, exportsLists, exportsMore, hasName } from '../../domain/access/actor.ts'
import { guard, type Module } from '../../domain/access/routes.ts'
import { rowBox } from '../../domain/appointments/list.ts'
import { rowsPerPage } from '../../domain/shared/count.ts'
import { localDay } from '../../domain/shared/format.ts'
import { actor, db, enabledModules, listsDb } from '../../server/app/context.ts'
import type { Db } from '../../server/platform/database/client.ts'
import { assertModule } from './require-actor.ts'

/** A spreadsheet runs what begins like this as a formula, even from a customer; after an apostrophe it is text. */
const formula = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/

/** A negative amount is a number, and nothing else. */
const isAmount = (value: string) => /^-\d+\.\d{2}$/.test(value)

/** Spreadsheets know hours and figures by their plain spaces. */
const quoted = (written: string) => {
  const value = written.replaceAll('\u00a0', ' ')
  const safe = formula.test(value) && !isAmount(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A line of a CSV file (RFC 4180). */
const line = (values: readonly (string | null)[]) =>
  `${values.map((value) => quoted(value ?? '')).join(',')}\r\n`

/** The mark by which spreadsheets read the rest as UTF-8. */
const byteOrderMark = '\ufeff'

/** A CSV file as it is downloaded. Its rows come in chunks, each read when the one before was sent. */
export function csvFile<Row>(
  name: string,
  columns: Record<string, (row: Row) => string | null>,
  chunks: AsyncIterator<readonly Row[]>,
): Response {
  const encoder = new TextEncoder()
  const cells = Object.values(columns)
  const body = new ReadableStream<Uint8Array>({
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
  return new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'private, no-store',
    },
  })
}

/** The rows ticked in a list, as its form sends them, at most a page of them; without any, all of the list's are meant. */
export function chosenIn({ searchParams }: URL): string[] | undefined {
  const names = [...searchParams.keys()].filter((name) => name.startsWith(rowBox))
  return names.length > 0 ? names.slice(0, rowsPerPage).map((name) => name.slice(rowBox.length)) : undefined
}

type CsvList<Row> = {
  /** Who may export it, the office unless it says; for any other user it does not exist. */
  by?: (viewer: Actor) => boolean
  /** The columns that the list itself does not show: for those alone who have more than it. */
  more?: readonly string[]
  module?: Module
  /** Whether it is read where lists are; money is read from the primary. */
  isList?: boolean
  /** The name of the file, before its day. */
  name: (url: URL) => string
  columns: Record<string, (row: Row) => string | null>
  /** All rows under the filters of the address, chunk by chunk. */
  rows: (asked: { db: Db; viewer: Actor; now: Date; url: URL }) => Chunks<Row> | Promise<Chunks<Row>>
}
type Chunks<Row> = AsyncIterator<readonly Row[]>

/**
 * The loader of a list as a file, at the list's address with ".csv". It is outside every layout, so it is its own
 * guard.
 */
export const exportCsv =
  <Row>({ by = exportsLists, columns, isList = false, module, more = [], name, rows }: CsvList<Row>) =>
  async ({ context, url }: LoaderFunctionArgs): Promise<Response> => {
    const [viewer, now] = [context.get(actor), new Date()]
    const path = url.pathname.replace(/\.csv$/, '')
    const elsewhere = viewer && hasName(viewer) ? null : guard(path, viewer, context.get(enabledModules))
    if (elsewhere) throw redirect(elsewhere)
    if (module) assertModule(context, module)
    if (!viewer || !by(viewer)) throw data(null, { status: 404 })
    const database = isList ? await context.get(listsDb)() : context.get(db)
    return csvFile(
      `${name(url)}-${localDay(now)}.csv`,
      columnsFor(viewer, columns, more),
      await rows({ db: database, viewer, now, url }),
    )
  }

/** The columns of a list's file for somebody. */
export const columnsFor = <Cells extends object>(viewer: Actor, columns: Cells, more: readonly string[]) =>
  exportsMore(viewer)
    ? columns
    : (Object.fromEntries(Object.entries(columns).filter(([name]) => !more.includes(name))) as Cells)
