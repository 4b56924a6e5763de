import type { Email, EmailContext, Recipient } from '../../src/notifications/email.ts'
import { appointmentEmails } from '../../src/notifications/emails/appointment.ts'
import type { AppointmentEmailData } from '../../src/notifications/emails/appointment-data.ts'
import { appointmentStaffEmails } from '../../src/notifications/emails/appointment-staff.ts'
import { renderEmail } from '../../src/notifications/render-email.ts'
import type { AppointmentEmailJob } from '../../src/platform/jobs/emails.ts'
import { defaultSettings } from '../../src/settings/rules/settings-schema.ts'
import { time } from '../../src/shared/format.ts'
import { expectWords } from '../kit/reading.ts'

type KindTo<To> = Extract<AppointmentEmailJob, { to: To }>['letter']
const kinds: readonly KindTo<'customer'>[] = [
  ...(['booked', 'assigned', 'changed', 'cancelled', 'on_the_way', 'no_person', 'let_go'] as const),
  ...(['called_off', 'analyst_missed', 'reminder_24h', 'reminder_2h', 'fault_received'] as const),
  ...(['call_summary', 'not_possible', 'half_done', 'left_unsafe', 'no_show'] as const),
  ...(['nobody_came', 'nobody_answered'] as const),
]
const context: EmailContext = {
  brand: 'Carga & Casa',
  baseUrl: 'https://carga.example',
  from: 'Carga en Casa <citas@carga.example>',
  settings: defaultSettings,
}
const address = {
  postalCode: '06700',
  regionGroup: 'cdmx',
  municipality: 'cuauhtemoc',
  state: 'cdmx',
  area: 'served',
  colonia: 'Roma Norte',
  street: 'Durango',
  outerNumber: '45',
  innerNumber: '3',
  betweenStreets: null,
  references: null,
  receiverName: 'Luz',
  receiverPhone: '5512345678',
  dwelling: 'house',
  parking: 'own_covered',
  gateNotes: 'clave 2580',
  cfeServiceNumber: null,
} as const
const ana: Recipient = {
  id: '01900000-0000-7000-8000-000000000002',
  email: 'ana@example.mx',
  name: 'Ana',
  emailVerified: true,
  active: true,
}
const told = {
  id: '01900000-0000-7000-8000-000000000001',
  folio: 'VT-2026-00012',
  service: 'technical_visit',
  state: 'assigned',
  startsAt: new Date('2026-11-24T10:00-06:00'),
  minutes: 60,
  municipality: 'cuauhtemoc',
  address,
  performer: 'Teo Ruiz',
  keptUntil: new Date('2026-11-20T14:00-06:00'),
  was: { startsAt: null, municipality: null },
  isForCaller: false,
  confirmed: true,
  late: false,
  customer: ana,
} as AppointmentEmailData
const unproved: Recipient = { ...ana, emailVerified: false }

const render = <Facts>(email: Email<never, Facts>, facts: Facts, reader: Recipient) =>
  renderEmail(email.compose(facts, reader, context), reader, context)
const emailToCustomer = (kind: KindTo<'customer'>, facts: AppointmentEmailData, reader: Recipient) =>
  render(appointmentEmails.customer[kind], facts, reader)
const emailToManager = (kind: KindTo<'managers'>, facts: AppointmentEmailData) =>
  render(appointmentStaffEmails.managers[kind], facts, ana)
const emailToPerson = (kind: KindTo<'person'>, facts: AppointmentEmailData & { isTheirs: boolean }) =>
  render(appointmentStaffEmails.person[kind], { ...facts, personId: ana.id }, ana)

describe('emails about appointments', () => {
  test('booked states folio, time, address and contact', () => {
    const { text, html } = emailToCustomer('booked', { ...told, performer: null }, ana)
    expectWords(
      text,
      'Hola, Ana:',
      'Folio: VT-2026-00012',
      'Servicio: Visita técnica',
      'Día: martes 24 de noviembre de 2026',
      'Hora: entre 10:00 y 10:30 a. m.',
      'Domicilio: Durango 45, int. 3, Roma Norte, 06700 Cuauhtémoc',
      'Ver mi cita: https://carga.example/technics-visit',
      'ayuda@cargaencasa.mx o llama al 555 555 01 00 (lunes a viernes de',
    )
    expectWords(html, 'entre 10:00 y 10:30 a. m.', 'Carga &amp; Casa')
  })

  test('states the time zone of a call', () => {
    const call = { ...told, service: 'videocall', address: null, municipality: null } as const
    const { text } = emailToCustomer('booked', call, ana)
    expect(text).toContain('Hora: 10:00 a. m., hora del centro de México')
  })

  test('assigned and on the way name the technician', () => {
    for (const kind of ['assigned', 'on_the_way'] as const)
      expect(emailToCustomer(kind, told, ana).text).toContain('Técnico instalador: Teo Ruiz')
    expect(emailToCustomer('on_the_way', told, ana).text).toContain('Teo Ruiz va en camino')
  })

  test('on the way states the arrival, a contact and the portrait, the last two to a proved mailbox only', () => {
    const arrival = { from: new Date('2026-11-24T16:05:00Z'), to: new Date('2026-11-24T16:20:00Z') }
    const leaving = { ...told, arrival, portrait: new Uint8Array([1]) }
    const { html, text } = emailToCustomer('on_the_way', leaving, ana)
    expectWords(text, 'Llega: entre 10:05 y 10:20 a. m.', 'Oficina: ')
    expect(html).toContain('src="cid:retrato"')
    const withheld = emailToCustomer('on_the_way', leaving, unproved)
    expect(withheld.html).not.toContain('cid:')
    expect(withheld.text).not.toContain('Oficina')
    expect(emailToCustomer('way_undone', told, ana).text).toContain('Tu cita sigue en pie')
  })

  test('a visit without a person leads managers to the assignment', () => {
    const orphan = { ...told, performer: null }
    expect(emailToCustomer('no_person', orphan, ana).text).toContain('Buscamos a alguien más')
    const { text } = emailToManager('no_person', orphan)
    expectWords(text, `https://carga.example/admin/assignations/${told.id}`, 'Zona: Cuauhtémoc')
  })

  test('words a time alike in subject and body', () => {
    const { subject, text } = emailToCustomer('reminder_2h', { ...told, service: 'videocall' }, ana)
    // The plain text of an e-mail has ordinary spaces only.
    const plain = (text: string) => text.replaceAll('\u00a0', ' ')
    const hour = time(told.startsAt)
    expect(plain(subject)).toContain(plain(`es el martes 24 de noviembre de 2026, ${hour}, hora del centro`))
    expect(plain(text)).toContain(plain(`Hora: ${hour}`))
  })

  test('a returned report states the reason, and leads to it', () => {
    const back = { ...told, returnReason: 'No se lee el medidor.', isTheirs: true }
    const { text } = emailToPerson('sheet_returned', back)
    expectWords(
      text,
      'Motivo: No se lee el medidor.',
      `https://carga.example/admin/appointments-done/${told.id}`,
    )
  })

  test('a change states both times: a window to the customer, the minute to the technician', () => {
    const moved = { ...told, was: { startsAt: new Date('2026-11-23T16:00-06:00'), municipality: 'toluca' } }
    const toCustomer = emailToCustomer('changed', moved, ana)
    expect(toCustomer.subject).toBe('Tu visita técnica cambió de horario (VT-2026-00012)')
    const before = 'Antes: lunes 23 de noviembre de 2026,'
    expectWords(toCustomer.text, 'Hora: entre 10:00 y 10:30 a. m.', `${before} entre 4:00 y 4:30 p. m.`)
    const toPerson = emailToPerson('changed', { ...moved, isTheirs: true }).text
    expectWords(toPerson, 'Hora: 10:00 a. m.', `${before} 4:00 p. m.`, 'Zona anterior: Toluca')
  })

  test('a change tells a removed technician the former time only', () => {
    const moved = { ...told, was: { startsAt: new Date('2026-11-23T16:00-06:00'), municipality: null } }
    const { subject, text } = emailToPerson('changed', { ...moved, isTheirs: false })
    expect(subject).toContain('Ya no es tuya la cita del lunes 23 de noviembre de 2026, 4:00 p. m.')
    expect(text).not.toMatch(/24 de noviembre|Durango/)
  })

  test('a late cancellation tells managers zone, technician and reason, and a missed one where to solve it', () => {
    const cancelled = { ...told, closingReason: 'cliente_se_arrepiente' as const }
    expect(emailToManager('late_cancel', cancelled).text).toMatch(
      /Zona: Cuauhtémoc[\s\S]*Técnico instalador: Teo Ruiz[\s\S]*Motivo: El cliente ya no la quiere/,
    )
    expect(emailToManager('nobody_came', told).text).toContain(
      `https://carga.example/admin/appointments-pending/${told.id}`,
    )
  })

  test.each([
    ['cancelled', 'No podías a esa hora'],
    ['called_off', 'No hubo quien nos recibiera'],
  ] as const)('%s words the reason for the customer and for the technician', (kind, reason) => {
    const ended = { ...told, closingReason: 'cliente_no_disponible' as const, isTheirs: true }
    expect(emailToCustomer(kind, ended, ana).text).toContain(`Motivo: ${reason}`)
    expect(emailToPerson(kind, ended).text).toContain('Motivo: El cliente no está disponible')
  })

  test.each(['not_possible', 'half_done', 'left_unsafe', 'no_show'] as const)(
    '%s states the note to a proved mailbox, and where the next one is booked',
    (kind) => {
      const ended = {
        ...told,
        closingReason: 'sin_acceso' as const,
        closingNote: 'El portón estaba cerrado.',
      }
      expectWords(
        emailToCustomer(kind, ended, ana).text,
        'Nota: El portón estaba cerrado.',
        'Elegir otro horario: https://carga.example/agenda-technics-visit',
      )
      expect(emailToCustomer(kind, ended, unproved).text).not.toContain('portón')
      const call = emailToCustomer(kind, { ...ended, service: 'videocall' }, ana).text
      expect(call).toContain('https://carga.example/agenda-videocall')
      expect(call).not.toMatch(/domicilio/i)
    },
  )

  test('the summary of a call goes to a proved mailbox only', () => {
    const call = {
      ...told,
      service: 'videocall' as const,
      summary: 'El cable irá por el patio.',
      nextSteps: 'Agenda tu visita.',
    }
    const { text } = emailToCustomer('call_summary', call, ana)
    expectWords(text, 'De qué hablamos: El cable irá por el patio.', 'Qué sigue: Agenda tu visita.')
    expect(emailToCustomer('call_summary', call, unproved).text).not.toMatch(/patio|Agenda tu visita/)
  })

  test('a missed call links the customer to free times, and tells managers the analyst', () => {
    const call = { ...told, service: 'videocall' as const, folio: 'AV-2026-00003', municipality: null }
    const slots = [new Date('2026-11-25T09:30-06:00'), new Date('2026-11-25T23:30-06:00')]
    const { text, html } = emailToCustomer('analyst_missed', { ...call, slots }, ana)
    const agenda = 'https://carga.example/agenda-videocall?dia=2026-11-25&hora=2026-11-2'
    expect(text).toContain(`miércoles 25 de noviembre de 2026, 9:30 a. m.: ${agenda}5T15%3A30%3A00.000Z`)
    expect(text).toContain(`${agenda}6T05%3A30%3A00.000Z`)
    expect(html).toContain(`href="${agenda.replace('&', '&amp;')}5T15%3A30%3A00.000Z"`)
    expect(emailToCustomer('analyst_missed', call, ana).text).toContain('Te llamamos para disculparnos')
    const toManager = emailToManager('analyst_missed', call).text
    expect(toManager).toContain(`https://carga.example/admin/appointment-done-videocall/${told.id}`)
    expect(toManager).toContain('Analista: Teo Ruiz')
  })

  test.each(kinds)('%s states no name, address or phone to an unproved mailbox', (kind) => {
    const { text, html } = emailToCustomer(kind, told, unproved)
    for (const part of [text, html]) {
      expect(part).not.toMatch(/Ana|Durango|Roma|06700|Cuauht|\d{3} \d{3} \d\d \d\d|\d{10}|\$/)
      expect(part).toContain('VT-2026-00012')
      expect(part).toContain('ayuda@cargaencasa.mx')
    }
  })

  test('booked and on the way escape typed text, and keep it on its line', () => {
    const typed = { ...address, street: '"><script>alert(1)</script>', colonia: "O'Higgins\r\nFolio: falso" }
    const hostile = { ...told, address: typed, performer: '<b>Teo</b>\nFolio: falso' }
    for (const kind of ['booked', 'on_the_way'] as const) {
      const { subject, text, html } = emailToCustomer(kind, hostile, ana)
      expect(html).not.toMatch(/<script|<b>/)
      expect(text.match(/^Folio: /gm)).toHaveLength(1)
      expect(subject).not.toMatch(/[\r\n]/)
    }
  })
})
