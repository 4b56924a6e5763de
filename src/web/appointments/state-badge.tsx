import {
  Car,
  CircleCheck,
  CircleX,
  Clock,
  type LucideIcon,
  Pause,
  UserCheck,
  UserX,
  Wrench,
} from 'lucide-react'
import { type AppointmentState, stateFacts } from '../../domain/appointment.ts'
import { Badge } from '../ui/badge.tsx'

const icons: Record<AppointmentState, LucideIcon> = {
  requested: Clock,
  assigned: UserCheck,
  en_route: Car,
  in_progress: Wrench,
  paused: Pause,
  done: CircleCheck,
  cancelled: CircleX,
  no_show: UserX,
}

/** The state of an appointment, in its word, icon and tone. */
export const StateBadge = ({ state }: { state: AppointmentState }) => (
  <Badge tone={stateFacts[state].tone} icon={icons[state]}>
    {stateFacts[state].label}
  </Badge>
)
