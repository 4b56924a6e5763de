import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Meter } from '@opentelemetry/api'
import { parseEnv } from '../../src/app/env.ts'
import { roadMinutes } from '../../src/dispatch/arrival.ts'
import { openCards } from '../../src/integrations/stripe/checkout-result.ts'
import { post } from '../../src/integrations/webhooks/send.ts'
import { stampedFiles } from '../../src/invoices/stamp.ts'
import { openMailTransport } from '../../src/notifications/transport.ts'
import { ask, type ExternalSystem, externalSystems } from '../../src/platform/external.ts'
import { openDrive } from '../../src/platform/storage/drive.ts'
import { openTelemetry } from '../../src/platform/telemetry/open.ts'
import { makeMeters } from '../../src/platform/telemetry/spans.ts'
import { pdf } from '../documents/samples.ts'
import { type Fixture, openBase, openFixture } from '../kit/fixture.ts'
import { fiscalDataOf, sendFiscal } from '../kit/invoices.ts'
import { mailServer } from '../kit/mail-server.ts'
import { enter } from '../kit/open.ts'
import { expectPage } from '../kit/reading.ts'

const faults = ['silent', 'slow', 'refusing', 'failing'] as const
type Fault = (typeof faults)[number]

/** A server that is out of order in one way; it answers both HTTP and SMTP. Returns its port. */
async function outOfOrder(fault: Fault): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    if (fault === 'silent') return
    if (fault === 'failing') {
      // A mail client says nothing before its greeting, a browser does.
      const greeting = setTimeout(() => socket.end('421 4.3.0 out of order\r\n'), 100)
      socket.once('data', () => {
        clearTimeout(greeting)
        socket.end('HTTP/1.1 500 Out Of Order\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}')
      })
      return
    }
    // Neither a greeting nor a head of an answer ever ends, and the socket is never idle.
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nx-slow: '))
    const more = setInterval(() => (socket.bytesRead > 0 || ++waited > 20) && socket.write('2'), 20)
    let waited = 0
    socket.on('close', () => clearInterval(more))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sockets = new Set<import('node:net').Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  const close = () => {
    for (const socket of sockets) socket.destroy()
    return new Promise((closed) => server.close(closed))
  }
  if (fault === 'refusing') await close()
  else onTestFinished(() => void close())
  return port
}

const bucketAt = (port: number) => ({
  S3_BUCKET: 'fotos',
  S3_ENDPOINT: `http://127.0.0.1:${port}`,
  S3_ACCESS_KEY_ID: 'prueba',
  S3_SECRET_ACCESS_KEY: 'prueba-prueba',
})
const email = {
  to: 'ana@example.mx',
  subject: 'Hola',
  text: 'Hola',
  html: 'Hola',
  messageId: '<a@carga.example>',
}
const here = { latitude: 19.4, longitude: -99.1 }
const there = { latitude: 19.5, longitude: -99.2 }

/** One use of each system, at a port of this machine. */
const uses: Record<Exclude<ExternalSystem, 'names'>, (port: number) => Promise<unknown>> = {
  bucket: (port) => openDrive(parseEnv(bucketAt(port)).storage).put('a', Buffer.from('a'), 'text/plain'),
  mail: (port) =>
    openMailTransport({
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'a@carga.example',
      dataDir: '/nowhere',
    }).send(email),
  stripe: async (port) => {
    const stripe = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }
    const env = { BASE_URL: 'http://carga.test', ...stripe, STRIPE_API_URL: `http://127.0.0.1:${port}` }
    return (await openCards(parseEnv(env))!.stripe()).balance.retrieve()
  },
  invoices: (port) => stampedFiles({ key: 'sk_test_1', url: `http://127.0.0.1:${port}` }, 'una'),
  whatsapp: (port) => ask('whatsapp', { url: `http://127.0.0.1:${port}`, method: 'POST', body: '{}' }),
  identity: (port) => ask('identity', { url: `http://127.0.0.1:${port}` }),
  calendars: (port) => ask('calendars', { url: `http://127.0.0.1:${port}` }),
  webhooks: (port) => posted('webhooks', port),
  push: (port) => posted('push', port),
  routing: (port) => roadMinutes(`http://127.0.0.1:${port}`, here, there, new Date()),
  telemetry: async (port) => {
    const otlp = { endpoint: `http://127.0.0.1:${port}`, headers: {}, share: 1 }
    const open = openTelemetry({ service: 'prueba', metrics: null, otlp }, 'web')
    open.meter.createCounter('one').add(1)
    await open.close()
  },
}
const posted = (system: 'webhooks' | 'push', port: number) =>
  post(system, { url: `http://127.0.0.1:${port}`, headers: {}, body: '{}' }, { allowPrivate: true })

let counted: { system: string; kind: string }[] = []
beforeAll(() => {
  const counter = { add: (by: number, what: (typeof counted)[number]) => void (by && counted.push(what)) }
  makeMeters({ createHistogram: () => ({}), createCounter: () => counter } as unknown as Meter)
})
const limits = structuredClone(externalSystems)
beforeEach(() => {
  counted = []
  for (const system of Object.values(externalSystems))
    Object.assign(system, { connect: 1_000, answer: 1_500 })
})
afterAll(() => void Object.assign(externalSystems, limits))

test('the limit of an e-mail does not count its wait for the ones before it', async () => {
  const { received, url } = await mailServer(() => sleep(900).then(() => null))
  const one = { SMTP_URL: url, SMTP_AT_ONCE: 1, MAIL_FROM: 'a@carga.example', dataDir: '/nowhere' }
  const { send } = openMailTransport(one)
  await Promise.all([1, 2].map((n) => send({ ...email, messageId: `<${n}@carga.example>` })))
  expect(received).toHaveLength(2)
  expect(counted).toEqual([])
})

describe.each(Object.entries(uses))('%s', (system, use) => {
  test.each(faults)('that is %s fails within its limits, and is counted', async (fault) => {
    const port = await outOfOrder(fault)
    const started = performance.now()
    await use(port).catch(() => undefined)
    // Its tries of 1.5 s each, a second between two of them, and room for a busy machine.
    const { tries } = limits[system as ExternalSystem]
    expect(performance.now() - started).toBeLessThan(tries * 2_500 + 10_000)
    expect(counted.map((one) => one.system)).toContain(system)
    const kinds = { silent: ['timeout'], slow: ['timeout'], refusing: ['unreachable', 'broken'] }
    const wanted = fault === 'failing' ? ['status', 'broken'] : kinds[fault]
    // Its library tries again until the time is over.
    if (system === 'telemetry') wanted.push('timeout')
    for (const { kind } of counted) expect(wanted).toContain(kind)
  })
})

test('the bucket has 2 s to connect and 10 s to answer, twice', () =>
  expect(limits.bucket).toMatchObject({ connect: 2_000, answer: 10_000, tries: 2 }))

describe('a form with a file, while the bucket is', () => {
  let fixture: Fixture
  let built: typeof externalSystems
  beforeAll(async () => {
    const base = await openBase()
    built = base.app.externalSystems
    await base.close()
    fixture = await openFixture()
    enter(fixture)
  })
  afterAll(() => fixture.close())

  test.each(faults)('%s, answers 503 with what was typed; no transaction waits', async (fault) => {
    Object.assign(built.bucket, { connect: 1_000, answer: 1_500 })
    onTestFinished(() => void Object.assign(built.bucket, limits.bucket))
    const customer = await fixture.person({ name: 'Eva' })
    const place = fixture.under(bucketAt(await outOfOrder(fault)))
    let open = 0
    const looking = setInterval(async () => {
      const { rows } = await fixture.db.$client.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity
         where datname = current_database() and state like 'idle in transaction%' and now() - xact_start > interval '250 ms'`,
      )
      open += rows[0]!.count
    }, 100)
    const page = await sendFiscal(place, customer, {}, pdf())
    clearInterval(looking)
    expectPage(
      page,
      503,
      'Ahora no podemos guardar archivos. No se guardó nada; tus datos siguen aquí.',
      'value=" gode-561231-gr8 "',
      'value="Facturas@Prueba.MX"',
      'constancia.pdf',
    )
    expect(open).toBe(0)
    expect(await fiscalDataOf(fixture, customer)).toBeUndefined()
  })
})
