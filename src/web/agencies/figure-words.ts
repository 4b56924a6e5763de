import { thousands } from '../../domain/shared/format.ts'

/** What the period before is called. */
const earlier = (year: string | null) => (year ? `en ${Number(year) - 1}` : 'en los 12 meses anteriores')

/** "3 más que en 2025"; of a year that is not over, or after one without any, there is nothing to compare. */
export function comparedWords(now: number, before: number | null, year: string | null): string | null {
  if (!before) return null
  if (now === before) return `Igual que ${earlier(year)}`
  return `${thousands(Math.abs(now - before))} ${now > before ? 'más' : 'menos'} que ${earlier(year)}`
}

/** "62 %"; a dash of nothing. */
export const shareWords = (share: number | null) => (share === null ? '–' : `${share}\u00a0%`)
