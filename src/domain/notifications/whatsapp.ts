import { isSystem } from '../access/actor.ts'
import { machine, type TransitionOf } from '../shared/state-machine.ts'

/** The letters that also go by WhatsApp, with the template each is registered under at Meta. */
export const templates = {
  booked: 'cita_agendada',
  assigned: 'cita_confirmada',
  reminder_24h: 'recordatorio_24h',
  reminder_2h: 'recordatorio_2h',
  on_the_way: 'en_camino',
  changed: 'cita_cambiada',
  cancelled: 'cita_cancelada',
  quote_sent: 'cotizacion_lista',
  payment_received: 'pago_recibido',
} as const
export type WhatsappLetter = keyof typeof templates
export type Template = (typeof templates)[WhatsappLetter]

export const isWhatsappLetter = (letter: string): letter is WhatsappLetter => letter in templates

/** `dropped`: no longer true, or no longer wanted, when its turn came. */
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

/** What WhatsApp tells of a message it took, and which states each may follow: told late or twice, it changes nothing. */
export const messageMachine = /* @__PURE__ */ machine<{ state: MessageState }>()({
  sent: { from: ['sending'], to: 'sent', by: isSystem },
  delivered: { from: ['sending', 'sent'], to: 'delivered', by: isSystem },
  read: { from: ['sending', 'sent', 'delivered'], to: 'read', by: isSystem },
  failed: { from: ['sending', 'sent'], to: 'failed', by: isSystem },
})
export type Status = TransitionOf<typeof messageMachine>
export const isStatus = (told: unknown): told is Status => messageMachine.names.some((name) => name === told)

/** What somebody may answer to hear no more, however it is written. */
export const isOptOut = (text: string) =>
  ['BAJA', 'STOP', 'ALTO'].includes(
    text
      .normalize('NFD')
      .replace(/[^a-z]/gi, '')
      .toUpperCase(),
  )

/** A Mexican number as WhatsApp has it, of our ten digits. */
export const whatsappNumber = (phone: string) => `52${phone}`

/** Our ten digits of a number of WhatsApp's, which still writes some with a 1; null for one of elsewhere. */
export const ownDigits = (number: string) => /^521?(\d{10})$/.exec(number)?.[1] ?? null
