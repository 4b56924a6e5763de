import type { Mover } from '../access/actor.ts'
import type { Equipment } from '../projects/equipment.ts'
import type { StateFacts } from '../shared/state-machine.ts'
import type { Interest } from './options.ts'
import type { Service } from './services.ts'

export const appointmentStates = [
  'requested',
  'assigned',
  'en_route',
  'in_progress',
  'paused',
  'done',
  'cancelled',
  'no_show',
] as const
export type AppointmentState = (typeof appointmentStates)[number]

/** Booked, and nobody is on the way. */
export const upcomingStates = ['requested', 'assigned'] as const satisfies readonly AppointmentState[]
/** Its person is there. */
export const atWorkStates = ['in_progress', 'paused'] as const satisfies readonly AppointmentState[]
/** Its person is on the way, or there. */
export const underWayStates = ['en_route', ...atWorkStates] as const
/** The states that hold a person and a customer's time: the same list as the database's exclusion constraints. */
export const activeStates = [...upcomingStates, ...underWayStates] as const
/** It did not take place. */
export const failedStates = ['cancelled', 'no_show'] as const satisfies readonly AppointmentState[]
/** The rest: the pending list shows what is active, the done list these. */
export const doneStates = ['done', ...failedStates] as const
export const isActive = (state: AppointmentState) => activeStates.some((active) => active === state)

/** How a state is called, and what the colour of its badge means. */
export const stateFacts: Record<AppointmentState, StateFacts> = {
  requested: { label: 'Por asignar', tone: 'wait' },
  assigned: { label: 'Asignada', tone: 'info' },
  en_route: { label: 'En camino', tone: 'info' },
  in_progress: { label: 'En curso', tone: 'info' },
  paused: { label: 'En pausa', tone: 'wait' },
  done: { label: 'Realizada', tone: 'ok' },
  cancelled: { label: 'Cancelada', tone: 'neutral' },
  no_show: { label: 'No se presentó', tone: 'bad' },
}

/** How an appointment that took place ended. */
export const outcomes = ['completed', 'partial', 'not_possible'] as const
export type Outcome = (typeof outcomes)[number]
export const outcomeLabels: Record<Outcome, string> = {
  completed: 'Se completó',
  partial: 'Quedó a medias',
  not_possible: 'No fue posible',
}

/** What a booking form says. */
export type Booking = {
  startsAt: Date
  requestKey: string
  notes: string | null
  /** What a call is about; only calls have one. */
  interest?: Interest | null
  /** Car and charger, where the form told them. */
  equipment?: Equipment | null
  /** What the form said that a visit costs, in centavos. */
  fee?: number | undefined
}

/** What the rules need to know of an appointment. A provisional person was chosen at booking and doesn't know yet. */
export type Facts = {
  service: Service
  state: AppointmentState
  assigneeId: string | null
  provisional: boolean
  customerId: string
  startsAt: Date
  setOutAt: Date | null
  startedAt: Date | null
  /** Since when the customer of a call is in its room. */
  customerWaitingSince: Date | null
  /** When that customer first came into the room, there or gone by now. */
  customerCameAt: Date | null
  /** When that customer asked to be phoned instead. */
  callBackAskedAt: Date | null
  /** When somebody else last took the call. */
  takenOverAt: Date | null
  /** Until when and how often its customer may still change it; only their own moves ask. */
  rights?: ChangeRights
}

/** The person whose it is, who knows of it. */
export const isItsAssignee = (
  actor: Mover,
  { assigneeId, provisional }: Pick<Facts, 'assigneeId' | 'provisional'>,
) => actor !== 'system' && actor.role === 'staff' && !provisional && actor.id === assigneeId

export type ChangeRights = { until: Date; left: number }
