/** A spreadsheet runs what begins like this as a formula, whoever typed it; behind an apostrophe it is text. */
const formula = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/
/** A negative amount is a number, and nothing else. */
const isAmount = (value: string) => /^-\d+\.\d{2}$/.test(value)

const quoted = (value: string) => {
  const safe = formula.test(value) && !isAmount(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A line of a CSV file (RFC 4180). */
const line = (values: readonly (string | null)[]) =>
  `${values.map((value) => quoted(value ?? '')).join(',')}\r\n`

/** What makes spreadsheets read the rest as UTF-8. */
const byteOrderMark = '\ufeff'

/** A CSV file as it is downloaded. Its rows come in chunks, each asked for when the one before is on its way. */
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
