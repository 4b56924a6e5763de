import type { AppointmentState, Outcome, Service } from '../../appointments/rules/appointment.ts'
import type { MissedStep } from '../../appointments/rules/nobody-came.ts'
import type { Concept } from '../../payments/rules/payment.ts'
import type { SheetState } from '../../reports/rules/report.ts'

/** The stages of an installation, in order; `lost` can follow any of them. */
export const stages = [
  'intake',
  'advisory',
  'visit',
  'quoting',
  'deposit',
  'installing',
  'cfe',
  'closed',
  'lost',
] as const

export type Stage = (typeof stages)[number]

export const stageLabels: Record<Stage, string> = {
  intake: 'Registro',
  advisory: 'Asesoría',
  visit: 'Visita técnica',
  quoting: 'Cotización',
  deposit: 'Anticipo',
  installing: 'Instalación',
  cfe: 'Trámite ante CFE',
  closed: 'Concluido',
  lost: 'No concretado',
}

export const waitingLabels = {
  customer: 'Tú',
  technician: 'Técnico',
  analyst: 'Analista',
  manager: 'Gerencia',
  gester: 'Gestor',
  cfe: 'CFE',
  none: 'Nada pendiente',
} as const

/** Whose turn it is. */
export type Waiting = keyof typeof waitingLabels

/**
 * The report of a visit for its project's status: since when, and why the installation is not possible as things are.
 */
export type PartReport = { state: SheetState; since: Date; notViable: string | null }

/** An appointment of a project, and when it entered its state. */
export type ProjectPart = {
  service: Service
  state: AppointmentState
  outcome: Outcome | null
  since: Date
  /** The sheet of the work on site; older appointments have none. */
  report?: PartReport | null
  /** Where the customer's report stands that nobody came. */
  missed?: MissedStep | null
}

/** A requested amount that is not received yet. */
export type OpenCharge = {
  concept: Concept
  state: 'pending' | 'in_review'
  since: Date
  /** In centavos, and when it is due. */
  amount: number
  dueAt: Date | null
  /** Whether it is what is still missing of one that was paid in part. */
  isRest?: boolean
  /** Why its proof was refused. */
  refused?: string | null
}

/** What the customer can do next. */
export type NextStep = { label: string; to: string }

/**
 * A project's stage, whose turn it is and for what, in one sentence for the customer; since when, and the customer's
 * next step.
 */
export type ProjectStatus = {
  stage: Stage
  waitingOn: Waiting
  line: string
  since: Date | null
  next: NextStep | null
  /** The amount that it is about. */
  charge?: OpenCharge
  /** It is about an appointment that is booked or over: its card says the same. */
  isOfAppointment?: true
}

/** Why a project was lost. */
export const lostReasons = {
  precio: 'El precio',
  no_viable: 'No es viable',
  otro_proveedor: 'Eligió otro proveedor',
  sin_respuesta: 'No responde',
  ya_no_requiere: 'Ya no lo necesita',
  fuera_de_zona: 'Está fuera de zona',
  duplicado: 'Estaba registrado dos veces',
} as const
export type LostReason = keyof typeof lostReasons
