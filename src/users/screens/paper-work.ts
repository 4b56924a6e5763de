import { addDays, minuteAt, toDate } from '../../shared/calendar.ts'
import { lineWords, soonDays } from '../rules/staff-paper.ts'
import type { StaffPaper } from '../staff-papers.ts'

/** The line of a paper to check, or of one that ends, since when it waits. */
export function paperWork(paper: StaffPaper, now: Date) {
  const { createdAt, expires, id, person, personId } = paper
  const to = personId ? `/admin/users/${personId}#papeles` : '/admin/account#papeles'
  const soonSince = toDate(minuteAt(addDays(expires, -soonDays), '00:00'))
  return {
    kind: 'paper' as const,
    id,
    at: soonSince > createdAt && soonSince < now ? soonSince : createdAt,
    title: person ?? 'La empresa',
    to,
    facts: lineWords(paper, now),
    act: { how: 'open', label: 'Ver papeles', to } as const,
  }
}
