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
import { Badge, badgeStroke } from '../ui/badge.tsx'
import { IconSheet } from '../ui/icon-sheet.tsx'

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

/** The icons of all states, for a page whose many badges take theirs from it. */
export const StateIcons = () => <IconSheet icons={icons} strokeWidth={badgeStroke} />

type StateBadgeProps = { state: AppointmentState; sheet?: boolean }

/** The state of an appointment, in its word, icon and tone; `sheet` where the page has `StateIcons`. */
export const StateBadge = ({ state, sheet }: StateBadgeProps) => (
  <Badge tone={stateFacts[state].tone} {...(sheet ? { sheetIcon: state } : { icon: icons[state] })}>
    {stateFacts[state].label}
  </Badge>
)
