import type { MinuteSpan } from '../../scheduling/rules/roster.ts'
import { minuteTime, theTime } from '../../shared/format.ts'
import type { BoardDay, Lane } from '../rules/board.ts'

/** When somebody is away or busy on a day. */
export const offInWords = ({ busy, off }: Lane, { day }: BoardDay) =>
  off.some(({ end, start }) => start <= day.start && end >= day.end)
    ? 'No trabaja este día: tiene permiso.'
    : [...off, ...busy]
        .map((span) => `${busy.includes(span) ? 'Ocupado' : 'Ausente'} ${spanWords(span, day)}.`)
        .join(' ')

function spanWords({ end, start }: MinuteSpan, day: MinuteSpan) {
  if (end >= day.end) return `desde ${theTime(new Date(start * 60_000))}`
  return `${start <= day.start ? 'hasta' : `de ${minuteTime(start)} a`} ${minuteTime(end)}`
}
