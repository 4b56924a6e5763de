import { duration, theTime } from '../../../shared/format.ts'

const minute = 60_000
const twoDigits = (value: number) => String(value).padStart(2, '0')

/** "4:07", "1:02:07": how long a call has lasted, of milliseconds. */
export function elapsed(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  const rest = twoDigits(seconds % 60)
  return hours ? `${hours}:${twoDigits(minutes)}:${rest}` : `${minutes}:${rest}`
}

/** "Empieza a las 10:00 a. m., en 5 min", "Debía empezar a las 10:00 a. m., hace 3 min". */
export function startWords(startsAt: Date, now: Date): string {
  const ahead = Math.ceil((startsAt.getTime() - now.getTime()) / minute)
  if (ahead > 0) return `Empieza a ${theTime(startsAt)}, en ${duration(ahead)}`
  const late = Math.floor((now.getTime() - startsAt.getTime()) / minute)
  return late === 0
    ? `Empieza ahora, a ${theTime(startsAt)}`
    : `Debía empezar a ${theTime(startsAt)}, hace ${duration(late)}`
}

/** "La llamada empezó hace 4 min", of a call that one side left. */
export function begunWords(metAt: Date, now: Date): string {
  const minutes = Math.floor((now.getTime() - metAt.getTime()) / minute)
  return `La llamada empezó hace ${minutes < 1 ? 'un momento' : duration(minutes)}`
}

/** "Esperas desde hace 4 min". */
export function waitWords(since: Date, now: Date): string {
  const minutes = Math.floor((now.getTime() - since.getTime()) / minute)
  return `Esperas desde hace ${minutes < 1 ? 'un momento' : duration(minutes)}`
}

/** "LM", of a name. */
export const initialsOf = (name: string) =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toLocaleUpperCase('es-MX')
