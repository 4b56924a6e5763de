import { createHmac, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect } from 'vitest'
import { operations } from '../../src/accounts/email-operations.ts'
import { everyModule } from '../kit/fixture.ts'
import { fixture } from '../kit/open.ts'
import { dealership, keyFor } from '../kit/public-api.ts'
import { everyone } from './everyone.ts'

const whatsappSecret = 'a-secret-of-tests'
/** What a fixture needs to have every place that takes a body. */
export const everyDoor = {
  ...everyModule,
  WHATSAPP_TOKEN: 'a-token-of-tests',
  WHATSAPP_PHONE_ID: '1234567890',
  WHATSAPP_VERIFY_TOKEN: 'a-word-of-tests',
  WHATSAPP_APP_SECRET: whatsappSecret,
}

const publicForms = [
  '/signin',
  '/signup',
  '/recover-password',
  '/approach',
  '/completion',
  '/signout',
  '/nowhere',
]
const started = ['/session/provider/start', '/visita/x', '/garantia/x', '/stripe/webhook', '/api/v1/clients']
const ofCustomers = ['/cuenta', '/address', '/payments', '/agenda-technics-visit', '/fiscal']
const id = '0198c5a0-7c1e-7d7e-9c55-0a1b2c3d4e5f'
const ofPhones = [
  `/onsite/${id}/answers`,
  `/onsite/${id}/moves`,
  '/onsite/time-off',
  `/onsite/${id}/position`,
]
const doors = [
  ...Object.keys(operations).map((name) => `/v1/session/${name}`),
  ...publicForms.flatMap((path) => [path, `${path}.data`]),
  ...started,
  ...ofCustomers,
  ...ofPhones,
  '/whatsapp/webhook',
  '/api/v1/clients?key',
]

const types = [
  'application/json',
  'application/json; charset=utf-16',
  'application/json, text/html',
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=latin1',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=x',
  'multipart/form-data; boundary="x',
  'text/plain',
  'a/b;;;=',
  '',
]

const names = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'email',
  'password',
  'intent',
  'formKey',
]
const name = fc.oneof(fc.constantFrom(...names), fc.string({ unit: 'binary', maxLength: 8 }))
const deep = fc
  .tuple(fc.constantFrom('[', '{"a":', '{"__proto__":'), fc.integer({ min: 1, max: 30_000 }))
  .map(([open, depth]) => open.repeat(depth) + 1 + (open === '[' ? ']' : '}').repeat(depth))
const word = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\0', '\ud800', 'a'.repeat(70_000), '%', '%ff'),
)
const json = fc.oneof(
  fc.json(),
  deep,
  // As a form that was sent again is recognised: before anything else looks at the rest of it.
  fc.tuple(name, deep).map(([key, value]) => `{"formKey":"${randomUUID()}",${JSON.stringify(key)}:${value}}`),
  fc.dictionary(name, fc.anything()).map((value) => JSON.stringify(value, (_, one) => plain(one)) ?? ''),
)
const plain = (value: unknown) => (typeof value === 'bigint' ? String(value) : value)
const fields = fc
  .array(fc.tuple(name, word), { maxLength: 12 })
  .map((pairs) => pairs.map(([key, value]) => `${key}=${value}`).join('&'))
const parts = fc
  .array(fc.tuple(name, word, fc.constantFrom('', '; filename="a.jpg"', '; filename="')))
  .map((all) =>
    all.map(
      ([key, value, file]) =>
        `--x\r\ncontent-disposition: form-data; name="${key}"${file}\r\n\r\n${value}\r\n`,
    ),
  )
  .map((all) => `${all.join('')}--x--`)
const bytes = fc.uint8Array({ maxLength: 2_000 }).map((all) => Uint8Array.from(all))
const text = fc.oneof(json, fields, parts).map((body) => new TextEncoder().encode(body))
const torn = text.map((body) => body.slice(0, body.length >> 1))
const request = fc.record({
  door: fc.constantFrom(...doors),
  type: fc.constantFrom(...types),
  body: fc.oneof({ weight: 4, arbitrary: text }, torn, bytes),
})

/** Sends many odd bodies, the same in each run, to all that takes one; none may make the server fail. */
export async function sendOddBodies(count: number) {
  const agency = await dealership(fixture.db, everyone.manager, 'VERDE26')
  let { key } = agency
  for (const [n, { body, door, type }] of fc.sample(request, { numRuns: count, seed: 1 }).entries()) {
    // A key may ask so often a minute.
    if (n % 1_000 === 999) key = await keyFor(fixture.db, everyone.manager, agency.id)
    const signature = createHmac('sha256', whatsappSecret).update(body).digest('hex')
    const as = ofPhones.includes(door)
      ? everyone.technician
      : ofCustomers.includes(door)
        ? everyone.customer
        : fixture.visitor()
    const headers = {
      ...(type && { 'content-type': type }),
      ...(door.endsWith('?key') && { authorization: `Bearer ${key}` }),
      origin: 'http://carga.test',
      accept: n % 2 ? 'text/html' : '*/*',
      'x-person': everyone.technician.id,
      'x-hub-signature-256': `sha256=${signature}`,
    }
    const { status } = await fixture.send(door, as, { method: 'POST', body, headers })
    if (status >= 500 && status !== 501)
      expect.fail(`${status} for ${door} ${type}: ${new TextDecoder().decode(body.slice(0, 300))} (${n})`)
  }
}
