import { Video } from 'lucide-react'
import { useEffect, useState } from 'react'
import { duration } from '../../../shared/format.ts'
import { Badge } from '../../../ui/badge.tsx'

type WaitingProps = { since: Date; now: Date }

/** Says in a list that the customer of a call is in its room, and for how long. */
export const WaitingBadge = ({ since, now }: WaitingProps) => (
  <Badge tone="wait" icon={Video}>
    En espera · {useWaitingTime(since, now)}
  </Badge>
)

/** Milliseconds between two looks at the clock. */
const pause = 5_000

/** How long a customer waits, such as "4 min", counted from the server's own `now`: the browser's may be wrong. */
export function useWaitingTime(since: Date, now: Date): string {
  const [passed, setPassed] = useState(0)
  const answered = now.getTime()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer of the server restarts the count
  useEffect(() => {
    const from = performance.now()
    setPassed(0)
    const ticking = setInterval(() => setPassed(performance.now() - from), pause)
    return () => clearInterval(ticking)
  }, [answered])
  const minutes = Math.floor((answered - since.getTime() + passed) / 60_000)
  return minutes < 1 ? 'un momento' : duration(minutes)
}
