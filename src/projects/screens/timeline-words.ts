import type { StaffKind } from '../../access/rules/actor.ts'
import { endingInWords } from '../../agencies/rules/clients.ts'
import { isActive, serviceFacts } from '../../appointments/rules/appointment.ts'
import { appointmentPath } from '../../appointments/rules/appointment-path.ts'
import { type CaseState, caseStateFacts } from '../../cfe/rules/case.ts'
import type { TimelineEntity } from '../../customers/rules/timeline.ts'
import type { TimelineRow } from '../../customers/timeline.ts'
import { messageStates, templates, type WhatsappLetter } from '../../notifications/rules/whatsapp.ts'
import { letterName } from '../../notifications/screens/email-names.ts'
import { customersAccountPath } from '../../payments/rules/paths.ts'
import { conceptOf } from '../../payments/rules/payment.ts'
import type { PastEvent } from '../../platform/database/lists.ts'
import { dateTime, doneAndArrived, lowerFirst, money } from '../../shared/format.ts'
import { personEvents } from '../../users/screens/person-events.ts'

/** What each event of an entity says after its name. */
type Words = Readonly<Record<string, string>>

const appointmentWords: Words = {
  book: 'agendada',
  assign: 'asignada',
  autoConfirm: 'asignada por el sistema',
  reassign: 'cambió de persona',
  release: 'quedó sin persona',
  without_person: 'sigue sin persona',
  reschedule: 'cambió de horario',
  rescheduleAnew: 'cambió de horario',
  rescheduleTo: 'cambió de horario',
  change_address: 'va a otro domicilio',
  cancel: 'cancelada',
  undoCancel: 'se deshizo la cancelación',
  cancelLate: 'cancelada fuera de tiempo',
  letGo: 'liberada, no confirmó su correo',
  missCall: 'cancelada, nadie la atendió',
  callOff: 'cancelada por la oficina',
  noShow: 'no se presentó',
  undoNoShow: 'se deshizo que no se presentó',
  nobodyCame: 'dice que nadie llegó',
  answerNobodyCame: 'respondimos a quien dijo que nadie llegó',
  askCallBack: 'pidió que le llamemos',
  takeOver: 'la tomó otra persona',
  setOut: 'en camino',
  runLate: 'avisó que va tarde',
  undoSetOut: 'se deshizo «En camino»',
  start: 'comenzó',
  undoStart: 'se deshizo el inicio',
  undoCallStart: 'se deshizo el inicio',
  pause: 'en pausa',
  resume: 'continuó',
  finish: 'realizada',
  reopen: 'reabierta',
}

const sheetWords: Words = {
  submit: 'reporte entregado',
  claim: 'reporte entregado tarde',
  end_late: 'cierre recibido tarde',
  return: 'reporte devuelto',
  ask: 'reporte pedido',
  approve: 'reporte aprobado',
}

const quoteWords: Words = {
  begin: 'en borrador',
  ask_approval: 'autorización solicitada',
  give_approval: 'autorizada por la gerencia',
  return_draft: 'devuelta por la gerencia',
  send: 'enviada',
  unsend: 'envío deshecho',
  view: 'la abrió',
  remind: 'recordatorio enviado',
  accept: 'aceptada',
  reject: 'rechazada',
  askChanges: 'pidió cambios',
  expire: 'venció',
  withdraw: 'retirada',
  supersede: 'reemplazada por otra versión',
  improve: 'reemplazada, con su descuento',
  replace: 'reemplazada',
  cancel: 'cancelada',
  askAnew: 'pidió otra',
  lapse: 'sin anticipo a tiempo',
  moveHome: 'sigue en otro domicilio',
  leaveHome: 'se cotiza otra vez en otro domicilio',
}

const paymentWords: Words = {
  demand: 'por pagar',
  send_proof: 'comprobante enviado',
  begin_card: 'empezó a pagar con tarjeta',
  replace_proof: 'comprobante cambiado',
  take_back_proof: 'comprobante retirado por su cliente',
  reject_proof: 'comprobante rechazado',
  pay: 'pagado',
  expire: 'venció',
  cancel: 'cancelado',
  reverse: 'corregido, ya no cuenta',
  remind: 'recordatorio enviado',
  end_fee: 'ya no se cobra',
}

const refundWords: Words = {
  request: 'solicitado',
  tell_account: 'dio su cuenta',
  approve: 'aprobado',
  adjust: 'cambió de monto',
  refuse: 'no procede',
  reopen: 'por pagar otra vez',
  pay: 'pagado',
}

const invoiceWords: Words = {
  request: 'Pidió su factura',
  issue: 'Factura emitida',
  drop: 'Solicitud de factura descartada',
  cancel: 'Factura cancelada',
}

const fiscalWords: Words = {
  submit: 'Mandó sus datos fiscales',
  verify: 'Datos fiscales verificados',
  reject: 'Datos fiscales por corregir',
}

const projectWords: Words = {
  open: 'Se abrió el proyecto',
  change_equipment: 'Cambió su auto o su cargador',
  permit: 'Llegó el permiso de su condominio',
  ready: 'Lista para agendar la instalación',
  lose: 'Proyecto no concretado',
  reopen: 'Proyecto reabierto',
  conclude: 'Proyecto concluido',
  close_difference: 'Cuenta cerrada con una diferencia de centavos, sin reembolso',
}

const addressWords: Words = {
  create: 'Domicilio registrado',
  update: 'Domicilio corregido',
  archive: 'Domicilio quitado',
  approve: 'Otro domicilio aprobado',
  verify: 'Se revisó si llegamos a su domicilio',
  ask_for_notice: 'Pidió que le avisemos cuando lleguemos',
}

const faultWords: Words = {
  report: 'Reportó una falla de su cargador',
  close: 'Falla atendida',
}

const wishWords: Words = {
  ask: 'Pidió que le avisemos de un horario antes',
  withdraw: 'Ya no espera un horario antes',
  claim: 'Tomó un horario antes',
}

const offerWords: Words = {
  offered: 'Le propusimos otro horario',
  accepted: 'Aceptó el horario propuesto',
  declined: 'No le queda el horario propuesto',
  gone: 'Aceptó un horario que ya no estaba libre',
  expired: 'No respondió al horario propuesto',
  withdrawn: 'Se retiró el horario propuesto',
}

/** Each is said with the name of the agency after it. */
const clientWords: Words = {
  register: 'Lo registró',
  join: 'Llegó por',
  attribute: 'La gerencia lo atribuyó a',
  addCode: 'Usó un código de',
  end: 'Ya no viene de',
}

/** Each move of a case is told by the state that it led to. */
const caseMoves = [
  ...(['open', 'complete', 'file', 'inspect', 'observe', 'correct', 'approve', 'sign'] as const),
  ...(['installMeter', 'close', 'hold', 'resume', 'reject', 'cancel', 'undo'] as const),
] as const

/** The events that the page shows; any other is left out. */
export const timelineNames: Readonly<Record<TimelineEntity, readonly string[]>> = {
  appointment: Object.keys(appointmentWords),
  sheet: Object.keys(sheetWords),
  quote: Object.keys(quoteWords),
  payment: Object.keys(paymentWords),
  refund: Object.keys(refundWords),
  invoice: Object.keys(invoiceWords),
  fiscal: Object.keys(fiscalWords),
  project: Object.keys(projectWords),
  address: Object.keys(addressWords),
  cfe_case: caseMoves,
  task: ['close'],
  letter: ['send'],
  whatsapp: ['send'],
  fault: Object.keys(faultWords),
  client: Object.keys(clientWords),
  slot_wish: Object.keys(wishWords),
  move_offer: Object.keys(offerWords),
  user: Object.keys(personEvents),
}

type Told = { title: string; to: string | null }

const plain = (title: string | undefined): Told => ({ title: title ?? '', to: null })

/** An event in words, and the page of what it happened to. */
const toldBy: Record<TimelineEntity, (row: TimelineRow, kind: StaffKind | null) => Told> = {
  appointment: (row, kind) => ofAppointment(row, appointmentWords, kind),
  sheet: (row, kind) => ofAppointment(row, sheetWords, kind),
  quote: ({ entityId, name, quote }) => ({
    title: `Cotización ${quote?.folio}${quote && quote.revision > 1 ? `, versión ${quote.revision}` : ''}: ${quoteWords[name]}`,
    to: `/admin/cotizations/detail-quote/${entityId}`,
  }),
  payment: ({ name, payment }) => ({
    title: payment
      ? `Pago ${payment.folio}, ${lowerFirst(conceptOf(payment))} de ${money(payment.amount)}: ${paymentWords[name]}`
      : `Pago: ${paymentWords[name]}`,
    to: payment && customersAccountPath(payment.projectId),
  }),
  refund: ({ name, refund }) => ({
    title: refund
      ? `Reembolso ${refund.folio} de ${money(refund.amount)}: ${refundWords[name]}`
      : `Reembolso: ${refundWords[name]}`,
    to: refund && customersAccountPath(refund.projectId),
  }),
  invoice: ({ name }) => plain(invoiceWords[name]),
  fiscal: ({ name }) => plain(fiscalWords[name]),
  project: ({ name }) => plain(projectWords[name]),
  address: ({ name }) => plain(addressWords[name]),
  cfe_case: ({ cfeCase, entityId, toState }) => ({
    title: `Trámite ${cfeCase?.folio}: ${caseLabel(toState)}`,
    to: `/admin/gesties/${entityId}`,
  }),
  task: ({ task }) => plain(task?.subject),
  letter: ({ data, toState }) => {
    const sent = letterName(textIn(data, 'letter') ?? '')
    return plain(
      toState === 'failed' ? `No se pudo enviar: ${lowerFirst(sent)}` : `Correo: ${lowerFirst(sent)}`,
    )
  },
  whatsapp: ({ message }) => plain(message ? messageTitle(message) : 'WhatsApp'),
  fault: ({ name }) => plain(faultWords[name]),
  client: ({ client, name }) => plain(client ? `${clientWords[name]} ${client.agency}` : 'Concesionaria'),
  slot_wish: ({ data, name }) => plain(`${wishWords[name]}${timeIn(data)}`),
  move_offer: ({ data, name }) => plain(`${offerWords[name]}${timeIn(data)}`),
  user: ({ data, name, toState }) => plain(personEvents[name]?.({ from: null, to: toState, data }, [])),
}

function ofAppointment({ appointment, data, name }: TimelineRow, words: Words, kind: StaffKind | null): Told {
  if (!appointment) return plain(words[name])
  const { folio, service, state } = appointment
  const when = words === appointmentWords ? timeIn(data) : ''
  return {
    title: `${serviceFacts[service].label} ${folio}: ${words[name]}${when}`,
    to: appointmentPath(isActive(state) ? 'pending' : 'done', appointment, kind),
  }
}

type Message = NonNullable<TimelineRow['message']>

/** What a message is about, and how far it got. */
function messageTitle({ state, template }: Message): string {
  const about = whatsappLetters.find((letter) => templates[letter] === template)
  const said = about ? lowerFirst(letterName(about)) : 'mensaje'
  if (state === 'failed') return `No se pudo entregar por WhatsApp: ${said}`
  return `WhatsApp: ${said} (${lowerFirst(messageStates[state])})`
}

const whatsappLetters = Object.keys(templates) as WhatsappLetter[]

/** Why a message did not arrive, as far as WhatsApp says it. */
function faultOf({ fault, state }: Message): string | null {
  if (state !== 'failed' || fault === null) return null
  return fault === 'unknown' ? 'No sabemos si llegó.' : `Error ${fault} de WhatsApp`
}

/** The history of one appointment in words; events without words are left out. */
export const appointmentHistory = (events: readonly PastEvent[]) =>
  events.flatMap(({ actor, at, data, id, madeAt, name, reason }) => {
    const words = appointmentWords[name]
    const moved = textIn(data, 'startsAt')
    return words
      ? [
          {
            id,
            title: `${words[0]!.toUpperCase()}${words.slice(1)}${moved ? `, ${dateTime(new Date(moved))}` : ''}`,
            when: doneAndArrived(madeAt, at),
            text: reason,
            who: actor ?? 'el sistema',
          },
        ]
      : []
  })

export type AppointmentEntry = ReturnType<typeof appointmentHistory>[number]

const caseLabel = (state: string | null) =>
  state && Object.hasOwn(caseStateFacts, state)
    ? lowerFirst(caseStateFacts[state as CaseState].label)
    : 'abierto'

/** The time that the data of an event names, after its words. */
function timeIn(data: unknown): string {
  const at = textIn(data, 'startsAt')
  return at ? `, ${dateTime(new Date(at))}` : ''
}

/** A text of the data of an event, which has any form. */
function textIn(data: unknown, name: string): string | null {
  const value = typeof data === 'object' && data !== null ? (data as Record<string, unknown>)[name] : null
  return typeof value === 'string' ? value : null
}

/** One entry of the history as it is shown. */
export type TimelineEntry = Told & {
  id: number
  entity: TimelineEntity
  at: Date
  /** What was said or written with it. */
  text: string | null
  who: string
  failed: boolean
}

/** An event as the page shows it. `hasCases` says whether cases with CFE have pages. */
export function entryOf(row: TimelineRow, kind: StaffKind | null, hasCases: boolean): TimelineEntry {
  const { actor, at, entity, id, isTheirs, message, reason, toState } = row
  const { title, to } = toldBy[entity](row, kind)
  return {
    id,
    entity,
    at,
    title,
    to: entity === 'cfe_case' && !hasCases ? null : to,
    text: message ? faultOf(message) : entity === 'client' && reason ? endingInWords(reason) : reason,
    who: isTheirs ? 'el cliente' : (actor ?? 'el sistema'),
    failed: (entity === 'letter' && toState === 'failed') || message?.state === 'failed',
  }
}
