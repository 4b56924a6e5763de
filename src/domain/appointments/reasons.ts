/** Why an appointment ends before its time or otherwise than it should, by stored value. */
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

/** The same reason in the words shown to the customer. */
export const reasonsToCustomer: Record<ClosingReason, string> = {
  ...closingReasons,
  cliente_no_disponible: 'No podías atendernos',
  cliente_se_arrepiente: 'Ya no la querías',
  tecnico_no_disponible: 'Tu técnico no estaba disponible',
  analista_no_disponible: 'Tu analista no estaba disponible',
  permiso_condominio: 'Falta el permiso de tu condominio',
}
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

/** The reasons a customer chooses from; the others are for those who work here. */
export const customerReasons = [
  'cliente_no_disponible',
  'cliente_se_arrepiente',
  'duplicada',
  'otro',
] as const

/** The least that a note says where one is asked for, in characters. */
export const shortestNote = 10

/** Why something ended, with a note. */
export type Closing = { reason: ClosingReason; note: string | null }

/** A reason with its note, as a history reads it. */
export const closingWords = ({ note, reason }: Closing) =>
  note ? `${closingReasons[reason]}: ${note}` : closingReasons[reason]
