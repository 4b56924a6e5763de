import { atTime, centralZone, clockWords, dayNumber, weekdayShort } from '../../domain/shared/format.ts'
import { useHydrated } from '../ui/hydrated.ts'

type Reading = { date: string; minute: number }

/** The date and the minute of the day that a clock in a zone shows. */
function readIn(timeZone: string, at: Date): Reading {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(at)
  const of = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? ''
  return {
    date: `${of('year')}-${of('month')}-${of('day')}`,
    minute: Number(of('hour')) * 60 + Number(of('minute')),
  }
}

/**
 * "10:00 a. m. para ti", of a moment read in another time zone, with its day where that differs; null where its clocks
 * show what those of central Mexico show.
 */
export function hourIn(timeZone: string, at: Date): string | null {
  const [own, central] = [readIn(timeZone, at), readIn('America/Mexico_City', at)]
  if (own.date === central.date && own.minute === central.minute) return null
  const day = own.date === central.date ? '' : `${weekdayShort(own.date)} ${dayNumber(own.date)}, `
  return `${day}${clockWords(own.minute)} para ti`
}

/** The hour of a moment by the browser's clock, where that is in another time zone: only a script knows. */
export function OwnHour({ at, className }: { at: Date; className?: string }) {
  const isHydrated = useHydrated()
  const own = isHydrated ? hourIn(Intl.DateTimeFormat().resolvedOptions().timeZone, at) : null
  return own && <span className={className}>{own}</span>
}

/** When a call begins: the hour of central Mexico, and below it the user's own. */
export const CallHour = ({ at }: { at: Date }) => (
  <>
    {atTime(at)}, {centralZone}
    <OwnHour at={at} className="block font-semibold" />
  </>
)
