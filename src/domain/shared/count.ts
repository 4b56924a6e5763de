import { thousands } from './format.ts'

/** The highest total a list counts: counting further would take longer than reading the page. */
const countLimit = 1000

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
