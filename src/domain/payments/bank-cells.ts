const monthNumbers = ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic']

/** Of what a cell may hold, as much as a day and its hour are written in. */
const longestDate = 60

/** The local date of a bank's cell as 2026-11-24: "24/11/2026", "24-11-26", "24 nov 2026", "24112026", "2026-11-24"; null when it is none. */
export function bankDate(cell: string): string | null {
  const [before = ''] = cell
    .trim()
    .toLowerCase()
    .slice(0, longestDate)
    .split(/[ t]\d{1,2}:\d{2}/, 1)
  const day = before.trimEnd()
  const iso = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/.exec(day)
  if (iso) return real(iso[1]!, iso[2]!, iso[3]!)
  const named = /^(\d{1,2})[-/. ]+([a-z]{3})[a-z]*\.?[-/. ]+(\d{2}|\d{4})$/.exec(day)
  if (named) return real(named[3]!, String(monthNumbers.indexOf(named[2]!) + 1), named[1]!)
  const local = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{2}|\d{4})$/.exec(day) ?? /^(\d{2})(\d{2})(\d{4})$/.exec(day)
  return local ? real(local[3]!, local[2]!, local[1]!) : null
}

function real(year: string, month: string, day: string): string | null {
  const full = year.length === 2 ? `20${year}` : year
  const date = `${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = new Date(`${date}T00:00:00Z`)
  // Rejects dates such as 31 February, which would roll over into the next month.
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== date ? null : date
}

/** Whole centavos of a bank's cell: "1,234.56", "$ 1234.5", "1.234,56", "-50.00", "50.00-", "(50.00)"; null when it is no amount. */
export function bankAmount(cell: string): number | null {
  const plain = cell.replace(/\s|\$|MXN|MN/gi, '')
  const [, before, size = '', after] = /^([-+(]?)(\d[\d.,]*|[.,]\d+)([-+)]?)$/.exec(plain) ?? []
  if (!size || (before === '(') !== (after === ')') || (before && after && before !== '(')) return null
  const centavos = sizeOf(size)
  if (centavos === null) return null
  return before === '-' || before === '(' || after === '-' ? -centavos || 0 : centavos
}

/** Uses a decimal point; a comma only where it can mean nothing else. */
function sizeOf(size: string): number | null {
  const [, whole, decimals = ''] =
    /^(\d{0,10}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d{1,2}))?$/.exec(size) ??
    /^(\d{0,10}|\d{1,3}(?:\.\d{3}){1,3})(?:,(\d{1,2}))?$/.exec(size) ??
    []
  if (whole === undefined || whole + decimals === '') return null
  return Number(whole.replace(/[.,]/g, '') + decimals.padEnd(2, '0'))
}
