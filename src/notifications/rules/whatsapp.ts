import { isSystem } from '../../access/rules/actor.ts'
import { machine, type TransitionOf } from '../../shared/state-machine.ts'

/** The messages that also go by WhatsApp, with the name of each template at Meta. */
export const templates = {
  booked: 'cita_agendada',
  assigned: 'cita_confirmada',
  reminder_24h: 'recordatorio_24h',
  reminder_2h: 'recordatorio_2h',
  on_the_way: 'en_camino',
  running_late: 'va_tarde',
  way_undone: 'todavia_no_sale',
  changed: 'cita_cambiada',
  cancelled: 'cita_cancelada',
  quote_sent: 'cotizacion_lista',
  payment_received: 'pago_recibido',
} as const
export type WhatsappLetter = keyof typeof templates
/** The first message to a number: whether it wants any. It is sent once, and the answer is SÍ or nothing. */
export const askTemplate = 'permiso_avisos'
/** A code of the second step; of the category Authentication, whose text is Meta's. */
export const codeTemplate = 'codigo_acceso'
export type Template = (typeof templates)[WhatsappLetter] | typeof askTemplate | typeof codeTemplate

export const isWhatsappLetter = (letter: string): letter is WhatsappLetter => letter in templates

/** `dropped`: no longer true or no longer wanted when it was due to be sent. */
export const messageStates = {
  queued: 'Por enviar',
  sending: 'Enviando',
  sent: 'Enviado',
  delivered: 'Entregado',
  read: 'Leído',
  failed: 'No se pudo entregar',
  dropped: 'No se envió',
} as const
export type MessageState = keyof typeof messageStates

/**
 * WhatsApp's reports about a message it accepted, and the states each may follow: a late or repeated report has no
 * effect.
 */
export const messageMachine = /* @__PURE__ */ machine<{ state: MessageState }>()({
  sent: { from: ['sending'], to: 'sent', by: isSystem },
  delivered: { from: ['sending', 'sent'], to: 'delivered', by: isSystem },
  read: { from: ['sending', 'sent', 'delivered'], to: 'read', by: isSystem },
  failed: { from: ['sending', 'sent'], to: 'failed', by: isSystem },
})
export type Status = TransitionOf<typeof messageMachine>
export const isStatus = (told: unknown): told is Status => messageMachine.names.some((name) => name === told)

const lettersOf = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[^a-z]/gi, '')
    .toUpperCase()

/** Whether a reply asks for no more messages, however it is written. */
export const isOptOut = (text: string) => ['BAJA', 'STOP', 'ALTO'].includes(lettersOf(text))

/** Whether it agrees to them. */
export const isOptIn = (text: string) => ['SI', 'SISOYYO', 'ACEPTO'].includes(lettersOf(text))

/** WhatsApp's form of a Mexican number, from its ten digits. */
export const whatsappNumber = (phone: string) => `52${phone}`

/** The ten digits of a WhatsApp number, some of which still carry a 1; null for a foreign number. */
export const ownDigits = (number: string) => /^521?(\d{10})$/.exec(number)?.[1] ?? null
