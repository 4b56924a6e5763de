import { Video } from 'lucide-react'
import { Badge } from '../ui/badge.tsx'
import { useWaitingTime } from './use-waiting-time.ts'

type WaitingProps = { since: Date; now: Date }

/** Says in a list that the customer of a call is in its room, and for how long. */
export const WaitingBadge = ({ since, now }: WaitingProps) => (
  <Badge tone="wait" icon={Video}>
    En espera · {useWaitingTime(since, now)}
  </Badge>
)
