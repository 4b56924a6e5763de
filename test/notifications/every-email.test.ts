import { codeStates } from '../../src/agencies/rules/codes.ts'
import { appointmentStates } from '../../src/appointments/rules/appointment.ts'
import { invoiceStateFacts } from '../../src/invoices/rules/invoice.ts'
import { fiscalStateFacts } from '../../src/invoices/rules/taxpayer.ts'
import type { Email } from '../../src/notifications/email.ts'
import { agencyEmails } from '../../src/notifications/emails/agency.ts'
import { appointmentEmails } from '../../src/notifications/emails/appointment.ts'
import { appointmentStaffEmails } from '../../src/notifications/emails/appointment-staff.ts'
import { caseEmails, projectEmails } from '../../src/notifications/emails/cfe.ts'
import { invoiceEmails } from '../../src/notifications/emails/invoice.ts'
import { offerEmails } from '../../src/notifications/emails/offers.ts'
import { moneyEmails } from '../../src/notifications/emails/payment.ts'
import { quoteEmails } from '../../src/notifications/emails/quote.ts'
import { renderEmail } from '../../src/notifications/render-email.ts'
import { paymentStateFacts, refundStateFacts } from '../../src/payments/rules/payment.ts'
import { quoteStates } from '../../src/quotes/rules/quote.ts'
import { defaultSettings } from '../../src/settings/rules/settings-schema.ts'
import { longDate, timeHands } from '../../src/shared/format.ts'
import { emailEnv } from '../kit/delivered.ts'
import {
  ally,
  analyst,
  customer,
  db,
  gester,
  manager,
  openOnce,
  sendJobsOnce,
  technician,
} from '../kit/open.ts'

import { before, offered, since, soon, storeSubjects } from './subjects.ts'

openOnce()
sendJobsOnce()
let ids: Record<string, object>
beforeAll(async () => {
  ids = await storeSubjects()
})

/**
 * Each email by what it is about and its reader: the states it is sent in ("*" is all, "-" that there are none), and its
 * subject.
 */
const table: Record<string, Record<string, string>> = {
  'appointment customer': {
    booked: 'requested,assigned | Tu visita técnica quedó agendada (folio)',
    assigned: 'assigned | Ya sabemos quién te atiende en tu visita técnica (folio)',
    changed: 'requested,assigned | Tu visita técnica cambió de horario (folio)',
    cancelled: 'cancelled | Tu visita técnica se canceló (folio)',
    on_the_way: 'en_route | Vamos en camino a tu visita técnica (folio)',
    running_late: '* | Tu técnico llega más tarde a tu visita técnica (folio)',
    way_undone: 'assigned | Tu técnico todavía no sale a tu visita técnica (folio)',
    no_person: 'requested | Buscamos quién te atienda en tu visita técnica (folio)',
    let_go: 'cancelled | Tu visita técnica se canceló (folio)',
    called_off: 'cancelled | Hoy no pudimos hacer tu visita técnica (folio)',
    analyst_missed: 'cancelled | Te pedimos una disculpa: nadie llegó a tu asesoría (folio)',
    reminder_24h: 'requested,assigned | Recordatorio: tu visita técnica del {day} (folio)',
    reminder_2h: 'requested,assigned | Tu visita técnica es el {day}, {window} (folio)',
    finished: 'done | Tu visita técnica quedó lista (folio)',
    call_summary: 'done | Lo que hablamos en tu asesoría virtual (folio)',
    not_possible: 'done | No fue posible hacer tu visita técnica (folio)',
    half_done: 'done | Tu visita técnica quedó incompleta (folio)',
    left_unsafe: 'done | No uses tu cargador: tu visita técnica no está terminada (folio)',
    no_show: 'no_show | No te encontramos en tu visita técnica (folio)',
    nobody_came: 'requested,assigned,en_route | Ya sabemos que nadie llegó a tu visita técnica (folio)',
    nobody_answered: 'requested,assigned,en_route | Ya van en camino a tu visita técnica (folio)',
    fault_received: 'done | Recibimos tu reporte de falla (folio)',
  },
  'appointment managers': {
    no_person: 'requested | Cita sin persona: {day}, {hour} (folio)',
    late_cancel: 'cancelled | Cancelación tardía: {day}, {hour} (folio)',
    nobody_came: 'requested,assigned,en_route | Nadie llegó: {day}, {hour} (folio)',
    analyst_missed: 'cancelled | Nadie atendió una videollamada: {day}, {hour} (folio)',
  },
  'time_off managers': {
    time_off_asked: '- | Tomás Prueba solicita un permiso',
  },
  'appointment person': {
    assigned: 'assigned | Tienes una cita: {day}, {hour} (folio)',
    changed: 'requested,assigned | Cambió tu cita: {day}, {hour} (folio)',
    cancelled: 'cancelled | Se canceló tu cita del {day}, {hour} (folio)',
    no_person: '* | Ya no es tuya la cita del {day}, {hour} (folio)',
    called_off: 'cancelled | Se canceló tu cita del {day}, {hour} (folio)',
    sheet_returned: '* | Completa tu reporte del {day}, {hour} (folio)',
    claim_reopened: 'done | Se reabrió tu cita del {day}, {hour} (folio)',
    claim_declined: '* | No se reabrió tu cita del {day}, {hour} (folio)',
  },
  'time_off person': {
    time_off_answered: '- | Tu permiso quedó aprobado',
  },
  'paper person': {
    paper_ends: '- | Renueva el EC0118',
  },
  'slot_offer customer': {
    slot_offer: '- | Se abrió un lugar antes para tu visita técnica',
  },
  'move_offer customer': {
    move_offer: '- | Te proponemos otro horario para tu visita técnica',
  },
  'quote customer': {
    quote_sent: 'sent,viewed | Tu cotización está lista (folio)',
    quote_reminder_3d: 'sent,viewed | Te quedan 3 días para aceptar tu cotización (folio)',
    quote_reminder_1d: 'sent,viewed | Mañana vence tu cotización (folio)',
    quote_reminder: 'sent,viewed | Te quedan 15 días para aceptar tu cotización (folio)',
    quote_accepted: 'accepted | Aceptaste tu cotización (folio)',
    quote_expired: 'expired | Tu cotización venció (folio)',
    quote_withdrawn: 'withdrawn | Retiramos tu cotización (folio)',
    quote_cancelled: 'cancelled | Tu cotización se canceló (folio)',
    quote_lapsed: 'lapsed | Se venció el plazo de tu anticipo (folio)',
    home_approved: 'accepted | Tu instalación será en otro domicilio (folio)',
  },
  'quote maker': {
    quote_accepted: 'accepted | Aceptaron una cotización (folio)',
    quote_rejected: 'rejected | Rechazaron una cotización (folio)',
    quote_changes_requested: 'changes_requested | Piden cambios a una cotización (folio)',
    quote_cancelled: 'cancelled | Se canceló una cotización aceptada (folio)',
    quote_renewal_asked: '* | Piden otra cotización (folio)',
    quote_code_used: 'sent,viewed | Tu cliente usó un código (folio)',
  },
  'payment customer': {
    payment_due: 'pending | Ya puedes pagar tu anticipo (folio)',
    payment_reminder: 'pending | Te recordamos tu anticipo (folio)',
    payment_received: 'paid | Recibimos tu pago (folio)',
    payment_corrected: '* | Corregimos un pago (folio)',
    proof_received: 'in_review | Recibimos tu comprobante (folio)',
    proof_rejected: 'pending,paid,expired,cancelled | Tu comprobante no se pudo aceptar (folio)',
    payment_expired: 'expired | Venció tu anticipo (folio)',
    voucher_made: 'pending | Tu ficha de OXXO está lista (folio)',
    card_failed: 'pending | Tu pago no pasó (folio)',
  },
  'refund customer': {
    refund_requested: 'requested | Estamos viendo tu reembolso (folio)',
    refund_account: '* | Tu reembolso va a otra cuenta (folio)',
    refund_approved: 'approved | Tu reembolso se aprobó (folio)',
    refund_paid: 'paid | Te hicimos tu reembolso (folio)',
    refund_refused: 'refused | Tu reembolso no procede (folio)',
  },
  'project customer': {
    installation_ready: '- | Ya puedes agendar tu instalación',
    permit_returned: '- | Hace falta otro permiso de tu condominio',
    area_served: '- | Sí llegamos a tu domicilio',
    area_outside: '- | Todavía no llegamos a tu zona',
  },
  'payment managers': {
    proof_received: 'in_review | Hay un comprobante por revisar (folio)',
  },
  'refund managers': {
    refund_requested: 'requested | Hay un reembolso por decidir (folio)',
  },
  'invoice customer': {
    invoice_issued: 'issued | Tu factura está lista (folio)',
    invoice_cancelled: 'cancelled | Cancelamos un documento fiscal tuyo (folio)',
  },
  'fiscal customer': {
    fiscal_verified: 'verified | Verificamos tus datos fiscales',
    fiscal_rejected: 'rejected | Corrige tus datos fiscales',
  },
  'invoice managers': {
    invoice_requested: 'requested | Hay una factura por timbrar (folio)',
  },
  'fiscal managers': {
    fiscal_submitted: 'submitted | Hay datos fiscales por revisar',
  },
  'case customer': {
    case_turn: '- | Cómo va tu trámite ante CFE (folio)',
  },
  'case gester': {
    case_turn: '- | Te toca un trámite (folio)',
    case_given: '- | Te encargamos un trámite (folio)',
  },
  'cases_handed gester': {
    cases_handed: '- | Te encargamos 2 trámites',
  },
  'client client': {
    client_invitation: '- | Concesionaria de prueba te invita a instalar tu cargador en casa',
  },
  'code person': {
    code_approved: 'active | Tu código CDG2345 ya está activo',
    code_refused: 'revoked | No aprobamos tu código CDG2345',
  },
  'commission allies': {
    commission_paid: '- | Transferimos las comisiones de Concesionaria de prueba',
  },
  'code managers': {
    code_to_approve: 'draft | Hay un código por aprobar: CDG2345',
  },
  'webhook managers': {
    webhook_off: '- | Apagamos los avisos a un sistema de Concesionaria de prueba',
  },
}
const lines = Object.entries(table).flatMap(([group, emails]) => {
  const [noun, to] = group.split(' ') as [string, string]
  return Object.entries(emails).map(([letter, row]) => {
    const [sentIn, subject] = row.split(' | ') as [string, string]
    return [noun, to, letter, sentIn, subject] as const
  })
})

const late = new Date(soon.getTime() + 30 * 60_000)

/** What each also requires besides the state. */
const only: Record<string, object> = {
  'customer running_late': { runningLate: { minutes: 30, until: late } },
  'customer no_person': { assigneeId: null },
  'managers no_person': { assigneeId: null },
  'customer not_possible': { outcome: 'not_possible' },
  'customer half_done': { outcome: 'partial' },
  'customer left_unsafe': { outcome: 'partial' },
  'customer nobody_came': { nobodyCameAt: since },
  'customer nobody_answered': { nobodyCameAt: since, nobodyCameAnswer: 'coming' },
  'managers nobody_came': { nobodyCameAt: since },
  'managers late_cancel': { late: true },
  'person no_person': { isTheirs: false },
  'person sheet_returned': { sheetState: 'returned' },
  'person claim_declined': { claimRefusal: 'No se ve.' },
  'person time_off_answered': { approvedAt: since },
  'maker quote_renewal_asked': { answeredAt: new Date(soon.getTime() + 1), endedAt: soon },
  'customer payment_corrected': { reversedAt: since },
  'customer proof_rejected': { rejectedReason: 'Borroso' },
  'customer voucher_made': { voucherExpiresAt: soon },
  'customer refund_account': { clabe: '646180157000000004' },
  'customer installation_ready': { isReady: true },
  'customer permit_returned': { permitReturned: 'Falta el sello.' },
  'customer area_outside': { isOutside: true },
  'managers webhook_off': { reason: 'failing' },
}

const states: Record<string, readonly string[]> = {
  appointment: appointmentStates,
  quote: quoteStates,
  payment: Object.keys(paymentStateFacts),
  refund: Object.keys(refundStateFacts),
  fiscal: Object.keys(fiscalStateFacts),
  invoice: Object.keys(invoiceStateFacts),
  code: Object.keys(codeStates),
}

const registry = [
  appointmentEmails,
  appointmentStaffEmails,
  offerEmails,
  quoteEmails,
  moneyEmails,
  projectEmails,
  invoiceEmails,
  caseEmails,
  agencyEmails,
].flatMap((emails) =>
  Object.entries(emails as Record<string, Record<string, Email<never, object>>>).flatMap(([to, kinds]) =>
    Object.entries(kinds).map(([letter, email]) => [`${to} ${letter}`, email] as const),
  ),
)

test('every kind of e-mail is in the table', () =>
  expect(lines.map(([, to, letter]) => `${to} ${letter}`).toSorted()).toEqual(
    registry.map(([name]) => name).toSorted(),
  ))

const readers: Record<string, () => string> = {
  customer: () => customer.email,
  managers: () => manager.email,
  maker: () => analyst.email,
  person: () => technician.email,
  gester: () => gester.email,
  allies: () => ally.email,
  client: () => 'nadia@prueba.mx',
}

/** What a customer is promised a window of, which is all that they read of its hour. */
const promised = new Set(['appointment', 'slot_offer', 'move_offer'])
const windows = /entre \d+:\d\d(?:\s[ap]\.\sm\.)? y \d+:\d\d\s[ap]\.\sm\./g

test.each(lines)(
  '%s: the email to %s, %s, has readers, states, subject and links, and escapes names',
  async (noun, to, letter, sentIn, subject) => {
    const email = registry.find(([name]) => name === `${to} ${letter}`)![1]
    const context = {
      brand: emailEnv.BRAND,
      baseUrl: emailEnv.baseUrl,
      from: emailEnv.MAIL_FROM,
      settings: defaultSettings,
    }
    const now = new Date()
    const more = only[`${to} ${letter}`]
    const was = { changed: before, running_late: late }[letter]
    const job = {
      letter,
      to,
      ...ids[noun],
      ...(noun === 'appointment' && to === 'person' && { personId: technician.id }),
      ...(was && { was: { startsAt: was.toISOString() } }),
    } as never
    const loaded = (await email.load(db, job, now))!
    const sentWith = (facts: object) =>
      (states[noun] ?? ['-']).filter((state) =>
        email.isRelevant(state === '-' ? facts : { ...facts, state }, now, job),
      )
    const facts = { ...loaded, ...more }
    expect(sentWith(facts)).toEqual(sentIn === '*' ? states[noun] : sentIn.split(','))
    if (more) expect(sentWith(loaded)).toEqual([])

    const found = await email.recipients(db, facts)
    expect(found.map((one) => one.email)).toEqual([
      noun === 'code' && to === 'person' ? ally.email : readers[to]!(),
    ])
    const reader = { ...found[0]!, name: '<img src=x>\nFolio: falso' }
    const body = email.compose(facts, reader, context)
    const rendered = renderEmail(body, reader, context)
    const { html, subject: said, text } = rendered
    if (to === 'customer' && promised.has(noun)) {
      const read = [...Object.values(rendered), body.calendar?.content].join('\n').replace(windows, '')
      for (const start of [before, offered, soon]) expect(read).not.toContain(timeHands(start))
    }
    expect(
      said
        .replace(/\((VT|COT|PAG|REE|CFE)-[^)]*\)/, '(folio)')
        .replace(longDate(soon), '{day}')
        .replace(windows, '{window}')
        .replace(/\d+:\d\d\s[ap]\.\sm\./, '{hour}'),
    ).toBe(subject)
    for (const part of [said, text, html]) expect(part).not.toMatch(/undefined|NaN|null|\[object/)
    for (const part of [said, text]) expect(part).not.toMatch(/ {2}|^Folio: falso/m)
    expect(html).not.toContain('<img')
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!)
    expect(links.length).toBeGreaterThan(0)
    for (const href of links) {
      expect(href).toMatch(/^https:\/\/carga\.example\/\S*$/)
      expect(text).toContain(href.replaceAll('&amp;', '&'))
    }
    expect(html).toMatch(/^<!doctype html>\n<html lang="es-MX">/)
    expect(html.match(/<h1/g)).toHaveLength(1)
    expect(html.match(/<th /g)).toEqual(html.match(/<th (?=scope="row")/g))
  },
)
