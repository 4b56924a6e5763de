import { useEffect, useState } from 'react'
import { longDate } from '../../domain/shared/format.ts'
import { timeLeft } from './time-left.ts'

/** Until when a quote can be accepted, and how long that still is; it counts down while the page is open. */
export function Validity({ until, now }: { until: Date; now: Date }) {
  const clock = useClock(now)
  return (
    <p>
      Vale hasta el {longDate(until)}. <span className="font-semibold">{timeLeft(until, clock)}.</span>
    </p>
  )
}

const halfAMinute = 30_000

/** The time by the server's clock, told anew twice a minute; phones are minutes off. */
function useClock(told: Date): Date {
  const [now, setNow] = useState(told)
  useEffect(() => {
    const ahead = told.getTime() - Date.now()
    setNow(told)
    const timer = setInterval(() => setNow(new Date(Date.now() + ahead)), halfAMinute)
    return () => clearInterval(timer)
  }, [told])
  return now
}
