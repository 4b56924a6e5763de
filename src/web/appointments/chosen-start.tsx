import { useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import type { Service } from '../../domain/appointments/appointment.ts'
import { arrivalWindow, atTime, shortDate } from '../../domain/shared/format.ts'

/** The chosen one of some starts, and how to choose. What was picked by hand holds until somebody goes on from there: by a link
 * to a day or a slot, or by sending it (`sent`). */
export function useChosenStart(starts: readonly string[], sent: string | undefined) {
  const [search] = useSearchParams()
  const { key } = useLocation()
  const [picked, setPicked] = useState({ at: '', start: '' })
  const asked = picked.at === key ? picked.start : (sent ?? search.get('hora'))
  const start = starts.find((one) => one === asked) ?? null
  return [start, (next: string) => setPicked({ at: key, start: next })] as const
}

/** A chosen start in words: the exact minute of a call, else when somebody arrives. */
export const ChosenStart = ({
  start,
  service,
  window,
}: {
  start: Date
  service: Service
  window: number
}) => (
  <>
    <b className="font-semibold">{shortDate(start)}</b>.{' '}
    {service === 'videocall' ? atTime(start) : arrivalWindow(start, window)}
  </>
)
