import {
  CalendarCheck,
  Car,
  CircleAlert,
  CircleCheck,
  CircleX,
  Clock,
  FileText,
  type LucideIcon,
  Pause,
  ShieldAlert,
  UserCheck,
  UserX,
  Video,
  Wrench,
} from 'lucide-react'
import { type SheetState, sheetStateFacts } from '../../reports/rules/report.ts'
import { warrantyLabel } from '../../reports/rules/warranty.ts'
import { Badge, badgeStroke, IconSheet } from '../../ui/badge.tsx'
import {
  type AppointmentState,
  type Outcome,
  type Service,
  stateFacts,
  stateToCustomer,
} from '../rules/appointment.ts'

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

/** A call has its own icon: no work is carried out in it. */
const inCall = 'in_call'
const shownIcons = { ...icons, [inCall]: Video }

/** The icons of all states, for a page whose many badges take theirs from it. */
export const StateIcons = () => <IconSheet icons={shownIcons} strokeWidth={badgeStroke} />

type StateBadgeProps = {
  state: AppointmentState
  service?: Service
  sheet?: boolean
  isShort?: boolean
  isUnsent?: boolean | undefined
}

/** The state of an appointment, in its word, icon and tone; `sheet` where the page has `StateIcons`; short, a desk shows the icon alone; unsent, the phone alone knows it. */
export function StateBadge({ state, service, sheet, isShort, isUnsent }: StateBadgeProps) {
  const name = service === 'videocall' && state === 'in_progress' ? inCall : state
  const { label, tone } = stateFacts[state]
  return (
    <Badge tone={isUnsent ? 'wait' : tone} {...(sheet ? { sheetIcon: name } : { icon: shownIcons[name] })}>
      {isShort ? <span className="lg:sr-only">{label}</span> : label}
      {isUnsent && ', por enviar'}
    </Badge>
  )
}

const iconsToCustomer: Partial<Record<AppointmentState, LucideIcon>> = {
  requested: CalendarCheck,
  assigned: CalendarCheck,
}

type CustomerBadgeProps = { of: { state: AppointmentState; outcome: Outcome | null; service: Service } }

/** The state of an appointment as its customer says it. */
export function CustomerBadge({ of: { outcome, service, state } }: CustomerBadgeProps) {
  const { label, tone } = stateToCustomer({ outcome, state })
  const isWhole = state !== 'done' || outcome === null || outcome === 'completed'
  const own =
    service === 'videocall' && state === 'in_progress' ? Video : (iconsToCustomer[state] ?? icons[state])
  return (
    <Badge tone={tone} icon={isWhole ? own : CircleAlert}>
      {label}
    </Badge>
  )
}

/** It answers a fault of an installation under warranty. */
export const WarrantyBadge = () => (
  <Badge tone="bad" icon={ShieldAlert}>
    {warrantyLabel}
  </Badge>
)

/** What still has to be done with a sheet; one that is approved, or being written, needs nothing. */
export const SheetBadge = ({ state }: { state: SheetState }) =>
  state === 'submitted' || state === 'returned' ? (
    <Badge tone={sheetStateFacts[state].tone} icon={FileText}>
      {sheetStateFacts[state].label}
    </Badge>
  ) : null
