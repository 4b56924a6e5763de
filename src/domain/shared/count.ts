import { thousands } from './format.ts'

/** The highest total a list counts: counting further would take longer than reading the page. */
const countLimit = 1000

/** The rows of a list's page. */
export const rowsPerPage = 50

/** A list's order where it is not the usual one: that turned round, or that of another column, either way round. */
export type ListOrder<Column extends string = never> = 'reverse' | Column | `${Column}-reverse`

/** A total, or that it exceeds the limit. */
export type Count = { total: number; isMore: boolean }

/** How far to count: one more than the largest total shown. */
export const countUntil = countLimit + 1

/** The total of rows that were counted that far. */
export const countOf = (counted: number): Count => ({
  total: Math.min(counted, countLimit),
  isMore: counted > countLimit,
})

/** How many there are, as a list or a figure shows it: "12", "más de 1,000". */
export const countWords = ({ total, isMore }: Count) => `${isMore ? 'más de ' : ''}${thousands(total)}`

/** Which rows of a list a page shows: "51-100 de 3,047", "1,001-1,050 de más de 1,000". */
export function rangeWords(page: number, rows: number, count: Count): string {
  const before = (page - 1) * rowsPerPage
  return `${thousands(before + 1)}-${thousands(before + rows)} de ${countWords(count)}`
}
