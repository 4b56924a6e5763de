import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { defaultSettings } from '../../src/domain/settings/settings-schema.ts'
import { time } from '../../src/domain/shared/format.ts'
import type { Email, EmailContext, Recipient } from '../../src/server/notifications/email.ts'
import {
  type AppointmentEmailData,
  appointmentEmails,
} from '../../src/server/notifications/emails/appointment.ts'
import { appointmentStaffEmails } from '../../src/server/notifications/emails/appointment-staff.ts'
import type { AppointmentEmailJob } from '../../src/server/notifications/jobs.ts'
import { renderEmail } from '../../src/server/notifications/send.ts'
import {
  keptEmail,
  type MailTransport,
  newestEmails,
  type OutgoingEmail,
  openMailTransport,
  readableOutbox,
} from '../../src/server/notifications/transport.ts'
import { type Db, openDatabase } from '../../src/server/platform/database/client.ts'
import { deliver, emailEnv } from '../kit/delivered.ts'
import { mailServer, readEmail } from '../kit/mail-server.ts'

type KindTo<To> = Extract<AppointmentEmailJob, { to: To }>['letter']
const kinds: readonly KindTo<'customer'>[] = [
  ...(['booked', 'assigned', 'changed', 'cancelled', 'on_the_way', 'no_person', 'let_go'] as const),
  ...(['called_off', 'analyst_missed', 'reminder_24h', 'reminder_2h', 'fault_received'] as const),
  ...(['not_possible', 'half_done', 'no_show', 'nobody_came'] as const),
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
const told: AppointmentEmailData = {
  id: '01900000-0000-7000-8000-000000000001',
  folio: 'VT-2026-00012',
  service: 'technical_visit',
  state: 'assigned',
  startsAt: new Date('2026-11-24T10:00-06:00'),
  minutes: 60,
  sequence: 0,
  updatedAt: new Date('2026-11-20T10:00-06:00'),
  municipality: 'cuauhtemoc',
  address,
  performer: 'Teo Ruiz',
  closingReason: null,
  closingNote: null,
  returnReason: null,
  claimRefusal: null,
  keptUntil: new Date('2026-11-20T14:00-06:00'),
  was: { startsAt: null, municipality: null },
  assigneeId: null,
  bookedAt: new Date('2026-11-20T10:00-06:00'),
  isForCaller: false,
  confirmed: true,
  outcome: null,
  late: false,
  nobodyCameAt: null,
  sheetState: null,
  customer: ana,
}
const unproved: Recipient = { ...ana, emailVerified: false }

const render = <Facts>(email: Email<never, Facts>, facts: Facts, reader: Recipient) =>
  renderEmail(email.compose(facts, reader, context), reader, context)
const emailToCustomer = (kind: KindTo<'customer'>, facts: AppointmentEmailData, reader: Recipient) =>
  render(appointmentEmails.customer[kind], facts, reader)
const emailToManager = (kind: KindTo<'managers'>, facts: AppointmentEmailData) =>
  render(appointmentStaffEmails.managers[kind], facts, ana)
const emailToPerson = (kind: KindTo<'person'>, facts: AppointmentEmailData & { isTheirs: boolean }) =>
  render(appointmentStaffEmails.person[kind], { ...facts, personId: ana.id }, ana)

describe('what the letters say', () => {
  test('booked', () => {
    const { subject, text, html } = emailToCustomer('booked', { ...told, performer: null }, ana)
    expect(subject).toBe('Tu visita técnica quedó apartada (VT-2026-00012)')
    for (const fact of [
      'Hola, Ana:',
      'Folio: VT-2026-00012',
      'Servicio: Visita técnica',
      'Día: martes 24 de noviembre de 2026',
      'Hora: Llega entre 10:00 y 10:30 a. m.',
      'Domicilio: Durango 45, int. 3, Roma Norte, 06700 Cuauhtémoc',
      'Ver mi cita: https://carga.example/technics-visit',
      'ayuda@cargaencasa.mx o llama al 555 555 01 00',
    ])
      expect(text).toContain(fact)
    expect(html).toContain('href="https://carga.example/technics-visit"')
    expect(html).toContain('Llega entre 10:00 y 10:30 a. m.')
    expect(html).toContain('Carga &amp; Casa')
  })

  test('assigned and on the way name who comes', () => {
    for (const kind of ['assigned', 'on_the_way'] as const)
      expect(emailToCustomer(kind, told, ana).text).toContain('Técnico instalador: Teo Ruiz')
    expect(emailToCustomer('on_the_way', told, ana).text).toContain('Teo Ruiz va en camino')
  })

  test('nobody can go: the customer is told, and a manager gets the place to solve it', () => {
    const orphan = { ...told, performer: null }
    expect(emailToCustomer('no_person', orphan, ana).text).toContain('Buscamos a alguien más')
    const { subject, text } = emailToManager('no_person', orphan)
    expect(subject).toBe('Cita sin persona: martes 24 de noviembre de 2026, 10:00 a. m. (VT-2026-00012)')
    expect(text).toContain(`https://carga.example/admin/assignations/${told.id}`)
    expect(text).toContain('Zona: Cuauhtémoc')
  })

  test('a time is spelled alike in the subject and in the body', () => {
    const { subject, text } = emailToCustomer('reminder_2h', { ...told, service: 'videocall' }, ana)
    // The plain text of an e-mail has ordinary spaces only.
    const plain = (text: string) => text.replaceAll('\u00a0', ' ')
    const hour = time(told.startsAt)
    expect(plain(subject)).toContain(plain(`es el martes 24 de noviembre de 2026, a las ${hour}`))
    expect(plain(text)).toContain(plain(`Hora: ${hour}`))
  })

  test('what was finished and what follows; an installation with its hand-over document', () => {
    const visit = emailToCustomer('finished', told, ana)
    expect(visit.subject).toBe('Tu visita técnica quedó lista (VT-2026-00012)')
    expect(visit.text).toContain('revisamos lo que encontró tu técnico')
    const { text } = emailToCustomer('finished', { ...told, service: 'installation' }, ana)
    expect(text).toContain(`https://carga.example/handover/${told.id}.pdf`)
    expect(text).toContain('tu garantía')
  })

  test('a report that came back says why, and leads to it', () => {
    const back = { ...told, returnReason: 'No se lee el medidor.', isTheirs: true }
    const { subject, text } = emailToPerson('sheet_returned', back)
    expect(subject).toContain('Completa tu reporte del martes 24 de noviembre de 2026')
    expect(text).toContain('Motivo: No se lee el medidor.')
    expect(text).toContain(`https://carga.example/admin/appointments-done/${told.id}`)
  })

  test('changed: what it was and what it is; a window for the customer, the minute for the person', () => {
    const moved = { ...told, was: { startsAt: new Date('2026-11-23T16:00-06:00'), municipality: 'toluca' } }
    const toCustomer = emailToCustomer('changed', moved, ana)
    expect(toCustomer.subject).toBe('Tu visita técnica cambió de horario (VT-2026-00012)')
    expect(toCustomer.text).toContain('Hora: Llega entre 10:00 y 10:30 a. m.')
    expect(toCustomer.text).toContain('Antes: lunes 23 de noviembre de 2026, 4:00 p. m.')
    const toPerson = emailToPerson('changed', { ...moved, isTheirs: true }).text
    expect(toPerson).toContain('Hora: 10:00 a. m.')
    expect(toPerson).toContain('Antes: lunes 23 de noviembre de 2026, 4:00 p. m.')
    expect(toPerson).toContain('Zona anterior: Toluca')
  })

  test('changed, to who was taken off by it: the time they had, and nothing of the one it has now', () => {
    const moved = { ...told, was: { startsAt: new Date('2026-11-23T16:00-06:00'), municipality: null } }
    const { subject, text } = emailToPerson('changed', { ...moved, isTheirs: false })
    expect(subject).toContain('Ya no llevas la cita del lunes 23 de noviembre de 2026, 4:00 p. m.')
    expect(text).not.toMatch(/24 de noviembre|Durango/)
  })

  test('a late cancel and nobody there: managers hear when, where, who and why', () => {
    const cancelled = { ...told, closingReason: 'cliente_se_arrepiente' as const }
    expect(emailToManager('late_cancel', cancelled).text).toMatch(
      /Zona: Cuauhtémoc[\s\S]*Técnico instalador: Teo Ruiz[\s\S]*Motivo: El cliente ya no la quiere/,
    )
    const { subject, text } = emailToManager('nobody_came', told)
    expect(subject).toContain('Nadie llegó: martes 24 de noviembre de 2026, 10:00 a. m.')
    expect(text).toContain(`https://carga.example/admin/appointments-pending/${told.id}`)
  })

  test.each(['cancelled', 'called_off'] as const)(
    '%s: the customer reads the reason as theirs, who was coming as it was written down',
    (kind) => {
      const ended = { ...told, closingReason: 'cliente_no_disponible' as const, isTheirs: true }
      expect(emailToCustomer(kind, ended, ana).text).toContain('Motivo: No podías atendernos')
      expect(emailToPerson(kind, ended).text).toContain('Motivo: El cliente no está disponible')
    },
  )

  test.each([
    ['not_possible', 'No fue posible hacer tu visita técnica'],
    ['half_done', 'Tu visita técnica quedó a medias'],
    ['no_show', 'No pudimos encontrarte en tu visita técnica'],
  ] as const)('%s: why, what was noted, and where the next one is booked', (kind, title) => {
    const ended = { ...told, closingReason: 'sin_acceso' as const, closingNote: 'El portón estaba cerrado.' }
    const { subject, text } = emailToCustomer(kind, ended, ana)
    expect(subject).toBe(`${title} (VT-2026-00012)`)
    expect(text).toContain('Nota: El portón estaba cerrado.')
    expect(text).toContain('Elegir otro horario: https://carga.example/agenda-technics-visit')
    expect(emailToCustomer(kind, ended, unproved).text).not.toContain('portón')
    const call = emailToCustomer(kind, { ...ended, service: 'videocall' }, ana).text
    expect(call).toContain('https://carga.example/agenda-videocall')
    expect(call).not.toMatch(/domicilio/i)
  })

  test('nobody came: its customer hears that it is known and who calls', () => {
    expect(emailToCustomer('nobody_came', told, ana).text).toContain('te llama para acordar contigo')
  })

  test('nobody came to a call: an apology, and each free time a link into the agenda; managers hear whose it was', () => {
    const call = { ...told, service: 'videocall' as const, folio: 'AV-2026-00003', municipality: null }
    const slots = [new Date('2026-11-25T09:30-06:00'), new Date('2026-11-25T23:30-06:00')]
    const { subject, text, html } = emailToCustomer('analyst_missed', { ...call, slots }, ana)
    expect(subject).toBe('Te pedimos una disculpa: nadie llegó a tu asesoría (AV-2026-00003)')
    const agenda = 'https://carga.example/agenda-videocall?dia=2026-11-25&hora=2026-11-2'
    expect(text).toContain(`miércoles 25 de noviembre de 2026, 9:30 a. m.: ${agenda}5T15%3A30%3A00.000Z`)
    expect(text).toContain(`${agenda}6T05%3A30%3A00.000Z`)
    expect(html).toContain(`href="${agenda.replace('&', '&amp;')}5T15%3A30%3A00.000Z"`)
    expect(emailToCustomer('analyst_missed', call, ana).text).toContain('Te llamamos para disculparnos')
    const toManager = emailToManager('analyst_missed', call).text
    expect(toManager).toContain(`https://carga.example/admin/appointment-done-videocall/${told.id}`)
    expect(toManager).toContain('Analista: Teo Ruiz')
  })

  test.each(kinds)('%s: an unverified e-mail learns no name, address or phone', (kind) => {
    const { text, html } = emailToCustomer(kind, told, unproved)
    for (const part of [text, html]) {
      expect(part).not.toMatch(/Ana|Durango|Roma|06700|Cuauht|\d{3} \d{3} \d\d \d\d|\d{10}|\$/)
      expect(part).toContain('VT-2026-00012')
      expect(part).toContain('ayuda@cargaencasa.mx')
    }
  })

  test.each(kinds)('%s: what people typed is text, in HTML and on its line', (kind) => {
    const typed = { ...address, street: '"><script>alert(1)</script>', colonia: "O'Higgins\r\nFolio: falso" }
    const performer = '<b>Teo</b>\nFolio: falso'
    const reader = { ...ana, name: '<img src=x>\nFolio: falso' }
    const { subject, text, html } = emailToCustomer(kind, { ...told, address: typed, performer }, reader)
    expect(html).not.toMatch(/<script|<b>|<img/)
    expect(text.match(/^Folio: /gm)).toHaveLength(1)
    expect(subject).not.toMatch(/[\r\n]/)
  })

  test.each(kinds)('%s: HTML for every reader', (kind) => {
    const { html } = emailToCustomer(kind, told, ana)
    expect(html).toMatch(/^<!doctype html>\n<html lang="es-MX">/)
    expect(html.match(/<h1/g)).toHaveLength(1)
    expect(html.match(/<th scope="row"/g)?.length).toBeGreaterThanOrEqual(4)
    expect(html).not.toMatch(/undefined|null|NaN|\[object/)
  })
})

const letter: OutgoingEmail = {
  to: 'ana@example.mx',
  subject: 'Tu visita técnica quedó apartada: ¿mañana? (VT-2026-00012)',
  text: 'Hola, Ana:\n\nTu visita técnica quedó apartada. 1 + 1 = 2\n.\nFin de la línea más larga que setenta y seis caracteres, para que se parta.',
  html: '<p>Hola, Ñandú</p>',
  messageId: '<job-1.ana@carga.example>',
}
const from = 'Carga en Casa <citas@carga.example>'

async function temporary() {
  const folder = await mkdtemp(path.join(tmpdir(), 'carga-mail-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const toOutbox = (dataDir: string) => openMailTransport({ SMTP_URL: undefined, MAIL_FROM: from, dataDir })
const header = (source: string, name: string) =>
  source.slice(0, source.indexOf('\r\n\r\n')).match(new RegExp(`^${name}: .*$`, 'gim')) ?? []

describe('the outbox', () => {
  test('keeps a letter as a message that only its owner can read', async () => {
    const dataDir = await temporary()
    await toOutbox(dataDir).send(letter)
    const [kept] = await newestEmails(path.join(dataDir, 'outbox'))
    expect(kept).toMatchObject({ to: letter.to, subject: letter.subject, text: letter.text })
    expect(Math.abs(kept!.at.getTime() - Date.now())).toBeLessThan(5_000)
    const file = path.join(dataDir, 'outbox', kept!.file)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const source = await readFile(file, 'utf8')
    expect(source).not.toMatch(/[^\r]\n/)
    expect(header(source, 'Message-ID')).toEqual([`Message-ID: ${letter.messageId}`])
    expect(header(source, 'From')).toEqual([`From: ${from}`])
    expect(header(source, 'Auto-Submitted')).toHaveLength(1)
    expect(source).toContain('Content-Type: text/html; charset=utf-8')
  })

  test('subjects of any length and alphabet come back as they were', async () => {
    const dataDir = await temporary()
    const subjects = [
      'ñ'.repeat(120),
      'Plain ascii only '.repeat(9).trim(),
      'áé '.repeat(60).trim(),
      '=?x?= 🔌 a_b',
      'Ánimo',
    ]
    for (const subject of subjects) await toOutbox(dataDir).send({ ...letter, subject })
    const kept = await newestEmails(path.join(dataDir, 'outbox'))
    expect(kept.map((one) => one.subject).sort()).toEqual([...subjects].sort())
  })

  test('shows the newest 50, and nothing outside its folder', async () => {
    const dataDir = await temporary()
    expect(await newestEmails(path.join(dataDir, 'outbox'))).toEqual([])
    const folder = path.join(dataDir, 'outbox')
    for (let n = 0; n < 52; n++) await toOutbox(dataDir).send({ ...letter, messageId: `<job-${n}@x.mx>` })
    await writeFile(path.join(folder, 'notes.eml'), 'not ours')
    const kept = await newestEmails(folder)
    expect(kept).toHaveLength(50)
    expect(kept[0]!.at.getTime()).toBeGreaterThanOrEqual(kept[49]!.at.getTime())
    for (const file of ['../secret', 'notes.eml', '', '../outbox/notes.eml', `${kept[0]!.file}/..`])
      expect(await keptEmail(folder, file)).toBeNull()
    expect(await keptEmail(folder, kept[0]!.file)).toEqual(kept[0])
  })

  test('is a page only for the local demo without a mail server', () => {
    const local = {
      SMTP_URL: undefined,
      demo: true,
      host: '127.0.0.1',
      baseUrl: 'http://localhost:3000',
      dataDir: '/d',
    }
    expect(readableOutbox(local)).toBe('/d/outbox')
    expect(readableOutbox({ ...local, SMTP_URL: 'smtp://x' })).toBeNull()
    expect(readableOutbox({ ...local, demo: false })).toBeNull()
    expect(readableOutbox({ ...local, host: '0.0.0.0' })).toBeNull()
    expect(readableOutbox({ ...local, baseUrl: 'https://demo.example' })).toBeNull()
  })

  test('a folder that cannot be written is an error, not silence', async () => {
    const dataDir = await temporary()
    await writeFile(path.join(dataDir, 'outbox'), 'in the way')
    await expect(toOutbox(dataDir).send(letter)).rejects.toThrow()
  })
})

describe('nothing gets into a header', () => {
  test('a line break in a subject is a space', async () => {
    const dataDir = await temporary()
    await toOutbox(dataDir).send({ ...letter, subject: 'Hola\r\nBcc: eva@example.mx\r\n\r\nadiós' })
    const [file] = await readdir(path.join(dataDir, 'outbox'))
    const source = await readFile(path.join(dataDir, 'outbox', file!), 'utf8')
    expect(header(source, 'Bcc')).toEqual([])
    expect((await readEmail(source)).subject).toBe('Hola Bcc: eva@example.mx adiós')
  })

  test.each([
    'ana@example.mx\r\nBcc: eva@example.mx',
    'ana@example.mx, eva@example.mx',
    'Ana <ana@example.mx>',
    'ana@example.mx\u0085Bcc:eva',
    'ana',
    '',
  ])('%j is not one address', async (to) => {
    const dataDir = await temporary()
    await expect(toOutbox(dataDir).send({ ...letter, to })).rejects.toThrow('exactly one')
    await expect(readdir(path.join(dataDir, 'outbox'))).rejects.toThrow('ENOENT')
  })

  test.each(['<a@b>\r\nBcc: eva@example.mx', '<../../x@b>', 'a@b', '<@b>'])(
    '%j is no Message-ID',
    async (messageId) => {
      await expect(toOutbox(await temporary()).send({ ...letter, messageId })).rejects.toThrow('Message-ID')
    },
  )
})

describe('over SMTP', () => {
  test('a letter arrives whole, for one person', async () => {
    const { received, transport } = await mailServer()
    await transport.send(letter)
    expect(received).toMatchObject([{ to: ['ana@example.mx'], from: 'citas@carga.example' }])
    expect(await readEmail(received[0]!.source)).toEqual({
      to: letter.to,
      subject: letter.subject,
      text: letter.text,
    })
  })

  test('after a lost answer, the second letter is recognisable as the first', async () => {
    let tries = 0
    const { received, transport } = await mailServer(() =>
      tries++ ? null : new Error('the answer was lost'),
    )
    await expect(transport.send(letter)).rejects.toThrow()
    await transport.send(letter)
    const ids = received.map(({ source }) => header(source, 'Message-ID')[0])
    expect(ids).toEqual([`Message-ID: ${letter.messageId}`, `Message-ID: ${letter.messageId}`])
  })

  test('a refusal is an error that does not name the recipient', async () => {
    const { transport } = await mailServer()
    const error = await transport.send({ ...letter, to: 'nadie@example.mx' }).catch((caught: Error) => caught)
    expect(error).toMatchObject({ message: 'the mail server refuses the mailbox: EENVELOPE 550' })
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('nadie')
  })

  test('so is a server that is not there', async () => {
    const transport = openMailTransport({
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: from,
      dataDir: '/nowhere',
    })
    await expect(transport.send(letter)).rejects.toThrow('ESOCKET')
  })
})

describe('a job sends what is true when it runs', () => {
  let db: Db
  let sent: OutgoingEmail[]
  const transport: MailTransport = { send: async (one) => void sent.push(one) }

  beforeAll(async () => {
    const server = inject('postgres')
    const admin = openDatabase({ ...server, database: 'postgres' }, 1)
    await admin.$client.query('create database mail template template_carga')
    await admin.$client.end()
    db = openDatabase({ ...server, database: 'mail' }, 2)
  })
  afterAll(() => db?.$client.end())
  beforeEach(async () => {
    sent = []
    await db.$client.query('truncate users, projects cascade')
  })

  async function person(email: string, kind: string | null = null, active = true) {
    const { rows } = await db.$client.query<{ id: string }>(
      `insert into users (email, email_verified, name, lastname, role, kind, active)
       values ($1, true, split_part($1, '@', 1), 'Ruiz', $2, $3, $4) returning id`,
      [email, kind ? 'staff' : 'customer', kind, active],
    )
    return rows[0]!.id
  }

  async function appointment(
    set: { state?: string; inHours?: number; assignee?: string; confirmed?: boolean } = {},
  ) {
    const customer = await person('ana@example.mx')
    const { rows } = await db.$client.query<{ id: string }>(
      `with project as (insert into projects (customer_id) values ($1) returning id)
       insert into appointments (folio, service, state, customer_id, project_id, assignee_id, confirmed_at, starts_at, minutes, municipality, address, request_key, request_digest)
       select 'VT-2026-00001', 'technical_visit', $2, $1, id, $3, $4, now() + make_interval(hours => $5), 60, 'cuauhtemoc', $6, uuidv7(), '' from project
       returning id`,
      [
        customer,
        set.state ?? 'requested',
        set.assignee ?? null,
        set.confirmed ? new Date() : null,
        set.inHours ?? 48,
        JSON.stringify(address),
      ],
    )
    return rows[0]!.id
  }
  const send = (data: AppointmentEmailJob) => deliver(db, emailEnv, transport, data, 'job-1')
  const job = (letter: KindTo<'customer'>, appointmentId: string) =>
    send({ letter, appointmentId, to: 'customer' })

  test('booked, with the person hidden while provisional', async () => {
    const assignee = await person('teo@example.mx', 'tecnician')
    await job('booked', await appointment({ assignee }))
    expect(sent).toMatchObject([
      { to: 'ana@example.mx', subject: 'Tu visita técnica quedó apartada (VT-2026-00001)' },
    ])
    expect(sent[0]!.text).toContain('Durango 45')
    expect(sent[0]!.text).not.toContain('teo')
  })

  test('a second try sends the same letter again', async () => {
    const id = await appointment()
    await job('booked', id)
    await job('booked', id)
    expect(sent[1]).toEqual(sent[0])
    expect(sent[0]!.messageId).toMatch(/^<job-1\.[0-9a-f-]{36}@carga\.example>$/)
  })

  test('assigned and on the way', async () => {
    const assignee = await person('teo@example.mx', 'tecnician')
    const id = await appointment({ assignee, confirmed: true, state: 'assigned' })
    await job('assigned', id)
    await db.$client.query(`update appointments set state = 'en_route' where id = $1`, [id])
    await job('assigned', id)
    await job('on_the_way', id)
    expect(sent.map((one) => one.subject)).toEqual([
      'Ya sabemos quién te atiende en tu visita técnica (VT-2026-00001)',
      'Vamos en camino a tu visita técnica (VT-2026-00001)',
    ])
    expect(sent[1]!.text).toContain('Técnico instalador: teo Ruiz')
  })

  test('nobody can go: the customer and every active manager', async () => {
    await person('gina@example.mx', 'manager')
    await person('gael@example.mx', 'manager')
    await person('gone@example.mx', 'manager', false)
    const id = await appointment()
    await job('no_person', id)
    await send({ letter: 'no_person', appointmentId: id, to: 'managers' })
    expect(sent.map((one) => one.to)).toEqual(['ana@example.mx', 'gina@example.mx', 'gael@example.mx'])
    expect(new Set(sent.map((one) => one.messageId)).size).toBe(3)
    await expect(send({ letter: 'booked', appointmentId: id, to: 'managers' } as never)).rejects.toThrow(
      'no e-mail booked goes to managers',
    )
  })

  test.each([
    ['booked', { state: 'cancelled' }],
    ['booked', { inHours: -1 }],
    ['assigned', { state: 'requested' }],
    ['on_the_way', { state: 'done' }],
    ['no_person', { state: 'cancelled' }],
    ['let_go', { state: 'requested' }],
  ] as const)('%s is left out when %j', async (kind, set) => {
    await job(kind, await appointment(set))
    await job(kind, '01900000-0000-7000-8000-000000000009')
    expect(sent).toEqual([])
  })

  test('somebody was found after all', async () => {
    const assignee = await person('teo@example.mx', 'tecnician')
    await job('no_person', await appointment({ assignee }))
    expect(sent).toEqual([])
  })
})
