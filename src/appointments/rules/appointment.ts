import { isStaff, type Mover, type StaffKind } from '../../access/rules/actor.ts'
import type { Equipment } from '../../projects/rules/equipment.ts'
import type { StateFacts } from '../../shared/state-machine.ts'

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

/** Booked, and its assignee is not on the way. */
export const upcomingStates = ['requested', 'assigned'] as const satisfies readonly AppointmentState[]

/** Whether nobody set out for it yet. */
export const isUpcoming = (state: AppointmentState) => upcomingStates.some((one) => one === state)

/** The states in which an appointment may still be reassigned or rescheduled: those that its machine's moves leave. */
export const assignableStates: readonly AppointmentState[] = [...upcomingStates]

/** Its assignee is there. */
export const atWorkStates = ['in_progress', 'paused'] as const satisfies readonly AppointmentState[]

/** Its assignee is on the way, or there. */
export const underWayStates = ['en_route', ...atWorkStates] as const

/**
 * The states that occupy the assignee's and the customer's time: the same list as the database's exclusion constraints.
 */
export const activeStates = [...upcomingStates, ...underWayStates] as const

/** It did not take place. */
export const failedStates = ['cancelled', 'no_show'] as const satisfies readonly AppointmentState[]

/** Whether its hours count as work of its assignee, on the board and in the occupancy. */
export const takesTime = (state: AppointmentState) => !failedStates.some((one) => one === state)

/** The closed states: the pending list shows active appointments, the done list these. */
export const doneStates = ['done', ...failedStates] as const
export const isActive = (state: AppointmentState) => activeStates.some((active) => active === state)

/** The label of each state, and the colour of its badge. */
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

/** The same as customers say them, on their screens and in their letters. */
export const customerStateFacts: Record<AppointmentState, StateFacts> = {
  requested: { label: 'Apartada', tone: 'ok' },
  assigned: { label: 'Confirmada', tone: 'ok' },
  en_route: { label: 'En camino', tone: 'info' },
  in_progress: { label: 'En curso', tone: 'info' },
  paused: { label: 'En pausa', tone: 'wait' },
  done: { label: 'Realizada', tone: 'ok' },
  cancelled: { label: 'Cancelada', tone: 'neutral' },
  no_show: { label: 'No te encontramos', tone: 'wait' },
}

/** How an appointment that took place ended. */
export const outcomes = ['completed', 'partial', 'not_possible'] as const
export type Outcome = (typeof outcomes)[number]
export const outcomeLabels: Record<Outcome, string> = {
  completed: 'Se completó',
  partial: 'Quedó incompleta',
  not_possible: 'No fue posible',
}

/** What a customer reads of an appointment: its state, or how it ended where it did not reach its purpose. */
export const stateToCustomer = ({ outcome, state }: { state: AppointmentState; outcome: Outcome | null }) =>
  state === 'done' && outcome !== null && outcome !== 'completed'
    ? ({ label: outcomeLabels[outcome], tone: 'wait' } satisfies StateFacts)
    : customerStateFacts[state]

/** The content of a booking form. */
export type Booking = {
  startsAt: Date
  requestKey: string
  notes: string | null
  /** The topic of a call; only calls have one. */
  interest?: Interest | null
  /** Car and charger, where the form asked for them. */
  equipment?: Equipment | null
  /** The price of the visit that the form showed, in centavos. */
  fee?: number | undefined
}

/** The facts that the rules use. A provisional assignee was chosen at booking and is not notified yet. */
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
  /** When that customer first entered the room, whether or not they left. */
  customerCameAt: Date | null
  /** When that customer asked to be phoned instead. */
  callBackAskedAt: Date | null
  /** When another analyst last took the call over. */
  takenOverAt: Date | null
  /** Until when and how often its customer may still change it; only set for the customer's own changes. */
  rights?: ChangeRights
}

/** Whether the actor is the assignee, confirmed and notified. */
export const isItsAssignee = (
  actor: Mover,
  { assigneeId, provisional }: Pick<Facts, 'assigneeId' | 'provisional'>,
) => actor !== 'system' && isStaff(actor) && !provisional && actor.id === assigneeId

export type ChangeRights = { until: Date; left: number }

/** What a customer can book, by stored value; the index in this list is the number the engine works with. */
export const services = ['technical_visit', 'installation', 'videocall'] as const
export type Service = (typeof services)[number]

/** The kinds that carry appointments out; the index is the number the engine works with. */
export const performers = ['tecnician', 'analyst'] as const satisfies readonly StaffKind[]
export type Performer = (typeof performers)[number]
export const isPerformer = (kind: string | null): kind is Performer =>
  performers.some((performer) => performer === kind)

type ServiceFacts = { label: string; by: Performer; needsTravel: boolean; folioPrefix: 'VT' | 'IN' | 'AV' }

/** What never changes about a service; its business numbers live in the settings. */
export const serviceFacts: Record<Service, ServiceFacts> = {
  technical_visit: { label: 'Visita técnica', by: 'tecnician', needsTravel: true, folioPrefix: 'VT' },
  installation: { label: 'Instalación', by: 'tecnician', needsTravel: true, folioPrefix: 'IN' },
  videocall: { label: 'Asesoría virtual', by: 'analyst', needsTravel: false, folioPrefix: 'AV' },
}

/** The services carried out at the customer's home. */
export const onSiteServices = /* @__PURE__ */ services.filter((service) => serviceFacts[service].needsTravel)

/** What a video call can be about; the values are stored (specification §3). */
export const interests = [
  { value: '01', label: 'Sobre la instalación' },
  { value: '02', label: 'Sobre autos eléctricos' },
  { value: '03', label: 'Sobre el trámite ante CFE' },
] as const
export type Interest = (typeof interests)[number]['value']

/** The topic of a call in words; null for other appointments. */
export const interestLabel = (interest: Interest | null) =>
  interests.find(({ value }) => value === interest)?.label ?? null

/** Year options, exactly the specification's. */
export const yearOptions = [2024, 2025, 2026] as const

/** The years a filter offers: the options and every other year that has appointments, ascending. */
export const yearsForFilter = (yearsWithAppointments: Iterable<number>) =>
  [...new Set<number>([...yearOptions, ...yearsWithAppointments])].sort((a, b) => a - b)

/** Why an appointment ends early or other than planned, by stored value. */
export const closingReasons = {
  cliente_no_disponible: 'El cliente no está disponible',
  cliente_se_arrepiente: 'El cliente ya no la quiere',
  clima: 'Clima',
  falta_material: 'Falta material',
  tecnico_no_disponible: 'El técnico no está disponible',
  analista_no_disponible: 'El analista no está disponible',
  sin_acceso: 'No hubo acceso al lugar',
  instalacion_insegura: 'La instalación es insegura',
  pago_pendiente: 'Falta un pago',
  permiso_condominio: 'Falta el permiso del condominio',
  duplicada: 'Está duplicada',
  otro: 'Otro motivo',
} as const
export type ClosingReason = keyof typeof closingReasons

/** The same reason in the words of the assignee who chooses it. */
export const reasonsToAssignee: Record<ClosingReason, string> = {
  ...closingReasons,
  tecnico_no_disponible: 'No pude seguir',
  analista_no_disponible: 'No pude atenderla',
}

const reasonsToCustomer: Record<ClosingReason, string> = {
  ...closingReasons,
  cliente_no_disponible: 'No podías a esa hora',
  cliente_se_arrepiente: 'Ya no la querías',
  tecnico_no_disponible: 'Tu técnico no estaba disponible',
  analista_no_disponible: 'Tu analista no estaba disponible',
  permiso_condominio: 'Falta el permiso de tu condominio',
}

/** The same reason in the words shown to the customer; `ended` where it was begun and ended there. */
export const reasonToCustomer = (reason: ClosingReason, ended: Service | null = null): string =>
  reason === 'cliente_no_disponible' && ended && serviceFacts[ended].needsTravel
    ? 'No hubo quien nos recibiera'
    : reasonsToCustomer[reason]
export const closingReasonCodes = Object.keys(closingReasons) as [ClosingReason, ...ClosingReason[]]

const ofCallsOnly: readonly ClosingReason[] = ['analista_no_disponible', 'duplicada']
const ofVisitsOnly: readonly ClosingReason[] = [
  'clima',
  'falta_material',
  'tecnico_no_disponible',
  'sin_acceso',
  'instalacion_insegura',
  'pago_pendiente',
  'permiso_condominio',
]

/** The reasons offered to the assignee of an appointment. */
export const fieldReasons = (isCall: boolean): readonly ClosingReason[] =>
  closingReasonCodes.filter((code) => !(isCall ? ofVisitsOnly : ofCallsOnly).includes(code))

/** The reasons that a customer chooses from; the others are for staff. */
export const customerReasons = [
  'cliente_no_disponible',
  'cliente_se_arrepiente',
  'duplicada',
  'otro',
] as const

/** The shortest note where one is required, in characters. */
export const shortestNote = 10

/** The reason for an end, with a note. */
export type Closing = { reason: ClosingReason; note: string | null }

/** A reason with its note, as a history reads it. */
export const closingWords = ({ note, reason }: Closing) =>
  note ? `${closingReasons[reason]}: ${note}` : closingReasons[reason]

/** Whose screens show a change: the customer's, those of the agency that sent them, and the person's once that person knows. */
export const affectedUserIds = ({
  customerId,
  projectId,
  assigneeId,
  confirmedAt,
}: {
  customerId: string
  projectId: string
  assigneeId: string | null
  confirmedAt: Date | null
}): string[] => (assigneeId && confirmedAt ? [customerId, projectId, assigneeId] : [customerId, projectId])
