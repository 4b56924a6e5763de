import { counted } from '../../domain/shared/format.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

/** "Te quedan 3 días y 4 horas", in two units at most; "Ya venció" once it is over. */
export function timeLeft(until: Date, now: Date): string {
  const left = until.getTime() - now.getTime()
  if (left <= 0) return 'Ya venció'
  const days = counted(Math.floor(left / day), 'día', 'días')
  const hours = counted(Math.floor((left % day) / hour), 'hora', 'horas')
  const minutes = counted(Math.floor((left % hour) / minute), 'minuto', 'minutos')
  const parts = left >= day ? [days, hours] : left >= hour ? [hours, minutes] : [minutes]
  const shown = parts.filter((part) => !part.startsWith('0 '))
  if (shown.length === 0) return 'Te queda menos de un minuto'
  return `Te ${shown[0]!.startsWith('1 ') ? 'queda' : 'quedan'} ${shown.join(' y ')}`
}
