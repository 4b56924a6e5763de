/** A bank file before its columns are interpreted: rows of raw cells. */
export type BankTable = readonly (readonly string[])[]

/** The orders of a date's numbers; the first is assumed where a file does not tell. */
export const dateOrders = { dmy: 'Día/mes/año', mdy: 'Mes/día/año', ymd: 'Año/mes/día' } as const
export type DateOrder = keyof typeof dateOrders

const months = [
  ['ene', 'jan'],
  ['feb'],
  ['mar'],
  ['abr', 'apr'],
  ['may'],
  ['jun'],
  ['jul'],
  ['ago', 'aug'],
  ['sep', 'set'],
  ['oct'],
  ['nov'],
  ['dic', 'dec'],
]
const monthOf = (name: string) => String(months.findIndex((names) => names.includes(name)) + 1)

/** The longest cell that is read as a date, in characters: a date and its time fit. */
const longestDate = 60

/**
 * The local date of a bank's cell as 2026-11-24: "24/11/2026", "24-11-26", "24 nov 2026", "24 de noviembre de 2026",
 * "Nov 24, 2026", "24112026", "20261124", "2026-11-24", Excel's 46350; null when it is none.
 */
export function bankDate(cell: string, order: DateOrder = 'dmy'): string | null {
  const day = withoutTime(cell)
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(day) ?? /^(20\d\d)(0\d|1[0-2])(\d\d)$/.exec(day)
  if (iso) return real(iso[1]!, iso[2]!, iso[3]!)
  const named = /^(\d{1,2})(?: de |[-/. ]+)([a-z]{3})[a-z]*\.?(?: del? |[-/. ]+)(\d{2}|\d{4})$/.exec(day)
  if (named) return real(named[3]!, monthOf(named[2]!), named[1]!)
  const english = /^([a-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})$/.exec(day)
  if (english) return real(english[3]!, monthOf(english[1]!), english[2]!)
  if (/^\d{5}$/.test(day)) return dateOfSerial(Number(day))
  // Spreadsheets drop the first zero of 01112026.
  const local =
    /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{2}|\d{4})$/.exec(day) ??
    /^(\d{2})(\d{2})(\d{4})$/.exec(day.padStart(8, '0'))
  if (!local) return null
  const [, first, second, third] = local as unknown as [string, string, string, string]
  if (order === 'ymd') return real(first, second, third)
  return order === 'dmy' ? real(third, second, first) : real(third, first, second)
}

const withoutTime = (cell: string) =>
  cell
    .trim()
    .slice(0, longestDate)
    .toLowerCase()
    .split(/[ t]\d{1,2}[:.]\d{2}/, 1)[0]!
    .trimEnd()

/** The day that a spreadsheet stores as a number of days since 1899-12-30; null outside 2000 to 2099. */
function dateOfSerial(days: number): string | null {
  const date = new Date(Date.UTC(1899, 11, 30 + days)).toISOString().slice(0, 10)
  return date.startsWith('20') ? date : null
}

function real(year: string, month: string, day: string): string | null {
  const full = year.length === 2 ? `20${year}` : year
  const date = `${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = new Date(`${date}T00:00:00Z`)
  // Rejects dates such as 31 February, which would roll over into the next month.
  const isReal = full.startsWith('20') && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(date)
  return isReal ? date : null
}

/** The order of a column's dates, and whether it is only assumed; null where every order reads the same. */
export type ReadOrder = { order: DateOrder; isAssumed: boolean } | null

/**
 * Reads a column in the order by which more cells are dates, in fewer years, else by which they are sorted. Down the file
 * time runs on (1) or back (-1); either may be where it is not known (0).
 */
export function dateOrderOf(cells: readonly string[], way: number): ReadOrder {
  const all = (Object.keys(dateOrders) as DateOrder[]).map((order) => {
    const days = cells.flatMap((cell) => bankDate(cell, order) ?? [])
    return { order, days, years: new Set(days.map((day) => day.slice(0, 4))).size, text: days.join() }
  })
  if (all.every(({ text }) => text === all[0]!.text)) return null
  const [best] = all.toSorted((one, other) => other.days.length - one.days.length || one.years - other.years)
  const fit = all
    .filter(({ days, years }) => days.length === best!.days.length && years === best!.years)
    .filter(({ text }, n, list) => list.findIndex((one) => one.text === text) === n)
  const sorted = fit.filter(({ days }) => isSorted(days, way))
  const [{ order }] = (sorted.length > 0 ? sorted : fit) as [(typeof fit)[number]]
  return { order, isAssumed: fit.length > 1 && sorted.length !== 1 }
}

const isSorted = (days: readonly string[], way: number) =>
  (way >= 0 && days.every((day, n) => n === 0 || day >= days[n - 1]!)) ||
  (way <= 0 && days.every((day, n) => n === 0 || day <= days[n - 1]!))

/** Whether a bank's cell of an amount has none: nothing, or dashes. */
export const isBlank = (cell: string) => /^[-–—−]*$/.test(cell)

/** Which sign has the decimals in a column of amounts; null where its cells do not say, or do not agree. */
export function decimalOf(cells: readonly string[]): '.' | ',' | null {
  const isPoint = cells.some((cell) => /\.\d{1,2}\D*$|^\D*(0|\d{4,})\.\d{3}\D*$/.test(cell))
  const isComma = cells.some((cell) => /,\d{1,2}\D*$|^\D*(0|\d{4,}),\d{3}\D*$/.test(cell))
  return isPoint === isComma ? null : isPoint ? '.' : ','
}

/**
 * Whole centavos of a bank's cell: "1,234.56", "$ 1234.5", "1.234,56", "-50.00", "50.00-", "(50.00)", "1,000.00 CR";
 * null when it is no amount, or has other decimals than its column.
 */
export function bankAmount(cell: string, decimal: '.' | ',' | null = null): number | null {
  const plain = cell
    .replace(markAtEnd, '')
    .replaceAll('−', '-')
    .replace(/\s|\$|MXN|MN/gi, '')
  const [, before, size = '', after] = /^([-+(]?)(\d[\d.,]*|[.,]\d+)([-+)]?)$/.exec(plain) ?? []
  if (!size || (before === '(') !== (after === ')') || (before && after && before !== '(')) return null
  const centavos = sizeOf(size, decimal)
  if (centavos === null) return null
  return before === '-' || before === '(' || after === '-' ? -centavos || 0 : centavos
}

const markAtEnd = / ?(cr|dr|db)\.?$/i

/** The CR (credit) or DR, DB (debit) at the end of an amount, in lower case; empty without one. */
export const amountMark = (cell: string): string => markAtEnd.exec(cell)?.[1]?.toLowerCase() ?? ''

/** Uses a decimal point; a comma only where it can mean nothing else. */
function sizeOf(size: string, decimal: '.' | ',' | null): number | null {
  const point = /^0*(\d{0,10}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d{1,2}))?$/
  const comma = /^0*(\d{0,10}|\d{1,3}(?:\.\d{3}){1,3})(?:,(\d{1,2}))?$/
  const forms = decimal === '.' ? [point] : decimal === ',' ? [comma] : [point, comma]
  const found = forms.map((form) => form.exec(size)).find(Boolean)
  if (!found) return null
  const [, whole = '', decimals = ''] = found
  return Number(whole.replace(/[.,]/g, '') + decimals.padEnd(2, '0'))
}
