import writeExcel, { type Cell as ExcelCell } from 'write-excel-file/node'
import { localDay } from '../../shared/format.ts'

/** A number with two decimals, such as an amount in pesos. */
type Decimal = { decimal: number }
/** What a row has in a column: a date shows its local day, and text stays text whatever it looks like. */
export type Cell = string | number | Date | Decimal | null
/** A table as the thread is sent it. */
export type Table = { headers: string[]; rows: Cell[][] }

/** The bytes of an .xlsx file: text cells for text, numbers with two decimals, real dates. */
export async function excelOf({ headers, rows }: Table): Promise<Uint8Array> {
  const head = headers.map((value) => ({ value, type: String, fontWeight: 'bold' as const }))
  const columns = headers.map(({ length }) => ({ width: Math.max(14, length + 2) }))
  return writeExcel([head, ...rows.map((row) => row.map(cellOf))], { columns, stickyRowsCount: 1 }).toBuffer()
}

/** The library's dates are midnights in UTC. */
function cellOf(cell: Cell): ExcelCell {
  if (cell === null || typeof cell === 'number') return cell
  if (typeof cell === 'string') return { value: cell, type: String, format: '@' }
  if (cell instanceof Date) return { value: new Date(`${localDay(cell)}T00:00:00Z`), format: 'dd/mm/yyyy' }
  return { value: cell.decimal, format: '#,##0.00' }
}
