import { type Actor, isCustomer } from '../../access/rules/actor.ts'

/** The kinds of news that a person turns on and off, as they are called on the account page. */
export const newsKinds = {
  appointments: 'Citas',
  quotes: 'Cotizaciones',
  payments: 'Pagos y facturas',
  procedures: 'Trámites',
  agenda: 'Asignaciones y cambios de mi agenda',
  pending: 'Pendientes',
} as const
export type NewsKind = keyof typeof newsKinds

const [customers, staffs]: NewsKind[][] = [
  ['appointments', 'quotes', 'payments', 'procedures'],
  ['agenda', 'pending'],
]

/** Those that somebody may get. */
export const newsKindsOf = (actor: Actor): readonly NewsKind[] => (isCustomer(actor) ? customers! : staffs!)

/** Said of a kind of news, on a screen that anybody may see: no name, place, amount or time. */
type Notice = readonly [kind: NewsKind, title: string]

/** What stands under every title. */
export const noticeBody = 'Toca para ver el detalle.'

const appointments = (title: string): Notice => ['appointments', title]
const quotes = (title: string): Notice => ['quotes', title]
const payments = (title: string): Notice => ['payments', title]
const agenda = (title: string): Notice => ['agenda', title]
const pending = (title: string): Notice => ['pending', title]

/** What a device shows of each letter, by reader and kind; null where the reader has no account. */
export const notices = {
  customer: {
    booked: appointments('Tu cita quedó agendada'),
    assigned: appointments('Ya sabemos quién te atiende'),
    changed: appointments('Tu cita cambió'),
    cancelled: appointments('Tu cita se canceló'),
    on_the_way: appointments('Vamos en camino'),
    running_late: appointments('Tu técnico llega más tarde'),
    way_undone: appointments('Tu técnico todavía no sale'),
    no_person: appointments('Buscamos quién te atienda'),
    let_go: appointments('Tu cita se canceló'),
    called_off: appointments('Hoy no pudimos hacer tu cita'),
    analyst_missed: appointments('Te debemos una disculpa'),
    reminder_24h: appointments('Te recordamos tu cita'),
    reminder_2h: appointments('Ya se acerca tu cita'),
    finished: appointments('Tu cita quedó lista'),
    not_possible: appointments('No fue posible hacer tu cita'),
    half_done: appointments('Tu cita quedó incompleta'),
    left_unsafe: appointments('No uses tu cargador todavía'),
    no_show: appointments('No pudimos encontrarte'),
    nobody_came: appointments('Te debemos una disculpa'),
    fault_received: appointments('Recibimos tu reporte de falla'),
    slot_offer: appointments('Se abrió un lugar antes'),
    move_offer: appointments('Te proponemos otro horario'),
    installation_ready: appointments('Ya puedes agendar tu instalación'),
    permit_returned: appointments('Hace falta otro permiso de tu condominio'),
    area_served: appointments('Sí llegamos a tu domicilio'),
    area_outside: appointments('Ya revisamos tu domicilio'),
    quote_sent: quotes('Tu cotización está lista'),
    quote_reminder_3d: quotes('Tu cotización vence pronto'),
    quote_reminder_1d: quotes('Tu cotización vence pronto'),
    quote_reminder: quotes('Tu cotización te espera'),
    quote_accepted: quotes('Aceptaste tu cotización'),
    quote_expired: quotes('Tu cotización venció'),
    quote_withdrawn: quotes('Retiramos tu cotización'),
    quote_cancelled: quotes('Tu cotización se canceló'),
    quote_lapsed: quotes('Tu cotización terminó'),
    home_approved: quotes('Hay noticias de tu instalación'),
    payment_due: payments('Tienes un pago pendiente'),
    payment_reminder: payments('Te recordamos tu pago'),
    payment_received: payments('Recibimos tu pago'),
    payment_corrected: payments('Corregimos un pago'),
    proof_rejected: payments('Revisa tu comprobante'),
    payment_expired: payments('Venció el plazo de un pago'),
    voucher_made: payments('Tu ficha de pago está lista'),
    card_failed: payments('Tu pago no pasó'),
    refund_requested: payments('Estamos viendo tu reembolso'),
    refund_account: payments('Cambió la cuenta de tu reembolso'),
    refund_approved: payments('Tu reembolso se aprobó'),
    refund_paid: payments('Te hicimos tu reembolso'),
    refund_refused: payments('Hay respuesta a tu reembolso'),
    fiscal_verified: payments('Tus datos fiscales están listos'),
    fiscal_rejected: payments('Corrige tus datos fiscales'),
    invoice_issued: payments('Tu factura está lista'),
    invoice_cancelled: payments('Cancelamos una factura tuya'),
    case_turn: ['procedures', 'Tu trámite avanzó'],
  },
  managers: {
    no_person: pending('Una cita se quedó sin persona'),
    late_cancel: pending('Un cliente canceló tarde'),
    nobody_came: pending('Un cliente dice que nadie llegó'),
    analyst_missed: pending('Nadie atendió una videollamada'),
    time_off_asked: pending('Alguien pide un permiso'),
    proof_received: pending('Hay un comprobante por revisar'),
    refund_requested: pending('Hay un reembolso por decidir'),
    fiscal_submitted: pending('Hay datos fiscales por revisar'),
    invoice_requested: pending('Hay una factura por timbrar'),
    code_to_approve: pending('Un código espera tu aprobación'),
    webhook_off: pending('Se apagó un destino de avisos'),
  },
  person: {
    assigned: agenda('Tienes una cita nueva'),
    changed: agenda('Cambió una cita tuya'),
    cancelled: agenda('Se canceló una cita tuya'),
    no_person: agenda('Una cita ya no es tuya'),
    called_off: agenda('Se canceló una cita que llevabas'),
    sheet_returned: pending('Completa tu reporte'),
    claim_reopened: pending('Quedó registrada una cita que hiciste'),
    claim_declined: pending('No se reabrió una cita que hiciste'),
    time_off_answered: agenda('Hay respuesta a tu permiso'),
    paper_ends: pending('Un papel tuyo está por vencer'),
    code_approved: pending('Aprobamos tu código'),
    code_refused: pending('No aprobamos tu código'),
  },
  maker: {
    quote_accepted: pending('Aceptaron una cotización'),
    quote_rejected: pending('Rechazaron una cotización'),
    quote_changes_requested: pending('Piden cambios a una cotización'),
    quote_cancelled: pending('Se canceló una cotización'),
    quote_renewal_asked: pending('Piden otra cotización'),
    quote_code_used: pending('Un cliente usó un código'),
  },
  gester: {
    case_given: pending('Te encargamos un trámite'),
    case_turn: pending('Te toca un trámite'),
    cases_handed: pending('Te encargamos trámites'),
  },
  client: { client_invitation: null },
  allies: { commission_paid: pending('Transferimos comisiones') },
} as const satisfies Record<string, Record<string, Notice | null>>

/** What is for now: it does not wait for the morning. */
export const isForNow = (letter: string) =>
  ['on_the_way', 'running_late', 'way_undone', 'left_unsafe'].includes(letter)

/** The services by which browsers are written to; a leading dot stands for any name below. */
const pushServices = [
  'fcm.googleapis.com',
  '.push.services.mozilla.com',
  '.notify.windows.com',
  'web.push.apple.com',
]

/** Whether an endpoint belongs to a known push service; notices are posted nowhere else. */
export function isPushService(endpoint: string): boolean {
  const { host, protocol } = new URL(endpoint)
  return (
    protocol === 'https:' &&
    pushServices.some((known) => known === host || (known[0] === '.' && host.endsWith(known)))
  )
}

/** The most devices of one person that get news; one more replaces the oldest. */
export const mostDevices = 10
