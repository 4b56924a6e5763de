import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import type { AppointmentEmailJob } from '../../src/server/notifications/jobs.ts'
import type { MailTransport, OutgoingEmail } from '../../src/server/notifications/transport.ts'
import { type Db, openDatabase } from '../../src/server/platform/database/client.ts'
import { deliver, emailEnv } from '../kit/delivered.ts'

type KindTo<To> = Extract<AppointmentEmailJob, { to: To }>['letter']
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
      { to: 'ana@example.mx', subject: 'Tu visita técnica quedó agendada (VT-2026-00001)' },
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
    ['booked', { inHours: -1 }],
    ['on_the_way', { state: 'done' }],
  ] as const)('%s is left out when %j', async (kind, set) => {
    await job(kind, await appointment(set))
    await job(kind, '01900000-0000-7000-8000-000000000009')
    expect(sent).toEqual([])
  })
})
