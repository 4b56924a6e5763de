import { thousands } from './format.ts'

/** The highest totals that are counted (docs/decisions/0034): of a list, and where a row costs more than its entry in an index. */
export const countLimits = { rows: 10_000, dear: 1000 } as const

/** The rows of a list's page. */
export const rowsPerPage = 50

/** What the box of a list's row is called, before the row's id. */
export const rowBox = 'row.'

/** A list's order where it is not the usual one: that turned round, or that of another column, either way round. */
export type ListOrder<Column extends string = never> = 'reverse' | Column | `${Column}-reverse`

/** A total, or that it exceeds the limit. */
export type Count = { total: number; isMore: boolean }

/** The total of rows that were counted to one more than the largest total shown. */
export const countOf = (counted: number, limit: number = countLimits.rows): Count => ({
  total: Math.min(counted, limit),
  isMore: counted > limit,
})

/** How many there are, as a list or a figure shows it: "12", "más de 10,000". */
export const countWords = ({ total, isMore }: Count) => `${isMore ? 'más de ' : ''}${thousands(total)}`

/** Which rows of a list a page shows: "51-100 de 3,047", "10,001-10,050 de más de 10,000". */
export function rangeWords(page: number, rows: number, count: Count, size = rowsPerPage): string {
  const before = (page - 1) * size
  return `${thousands(before + 1)}-${thousands(before + rows)} de ${countWords(count)}`
}
