import { db, fixture } from '../kit/open.ts'
import { expectStatus } from '../kit/reading.ts'
import { dataPath, type Form, type PostOptions } from '../kit/visitor.ts'
import { every } from './attempts.ts'
import { everyone, openEveryoneFixture, type Who } from './everyone.ts'
import { fingerprint } from './fingerprint.ts'

openEveryoneFixture()

const crossSite = { headers: { 'sec-fetch-site': 'cross-site' } }
/** Requests that another site's page can make a browser send with any form, with the visitor's cookies. */
const foreign: readonly [from: string, options: PostOptions][] = [
  ['another site', { origin: 'https://evil.example' }],
  ['no origin at all', { origin: null }],
  ['a page of the same site', { headers: { 'sec-fetch-site': 'same-site' } }],
]
const odder: typeof foreign = [
  ['a page that is cross-site', crossSite],
  ['another scheme', { origin: 'https://carga.test' }],
  ['another port', { origin: 'http://carga.test:8080' }],
  ['a host that begins like ours', { origin: 'http://carga.test.evil.example' }],
  ['a host that ends like ours', { origin: 'http://evilcarga.test' }],
  ['a host below ours', { origin: 'http://sub.carga.test' }],
  ['a frame without an origin', { origin: 'null' }],
  ['two origins', { origin: 'http://carga.test, https://evil.example' }],
  ['a cross-site page that hides its origin', { origin: null, ...crossSite }],
]

async function isRefused(path: string, form: Form, who: Who, [from, options]: (typeof foreign)[number]) {
  for (const address of [path, dataPath(path)]) {
    const { status, text } = await fixture.post(address, form, everyone[who], options)
    expect(status, `${from} ${address}`).toBe(403)
    expect(text).toBe('La solicitud viene de otro sitio y no se aceptó.')
  }
}

test.each(every)('$file: $name is not done for another site', async ({ action }) => {
  const { path, form } = await action.attempt(everyone)
  const who = (Object.keys(action.may ?? {})[0] ?? 'customer') as Who
  const before = await fingerprint(db)
  for (const way of foreign) await isRefused(path, form, who, way)
  expect(await fingerprint(db)).toEqual(before)
})

test.each(odder)('a change from %s is refused', (from, options) =>
  isRefused('/address', { intent: 'archive', version: '1' }, 'customer', [from, options]),
)

const body = new URLSearchParams({ intent: 'archive', version: '1' }).toString()

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('a form of another site is refused by %s', async (method) => {
  for (const path of ['/address', '/address.data', '/signout', '/nowhere', '/live', '/healthz'])
    for (const origin of ['https://evil.example', 'null']) {
      const headers = { origin, 'content-type': 'application/x-www-form-urlencoded' }
      expectStatus(await fixture.send(path, everyone.customer, { method, body, headers }), 403)
    }
})

test('a GET changes nothing, whatever it says', async () => {
  const before = await fingerprint(db)
  for (const path of ['/address', '/address.data', '/signout', '/completion', '/admin'])
    for (const query of [body, `_method=POST&${body}`])
      for (const method of ['GET', 'HEAD', 'OPTIONS']) {
        const headers = { 'x-http-method-override': 'POST', 'x-method-override': 'DELETE' }
        const { status } = await fixture.send(`${path}?${query}`, everyone.customer, { method, headers })
        expect(status).toBeLessThan(500)
      }
  expect(await fingerprint(db)).toEqual(before)
  expect((await fixture.visit('/address', everyone.customer)).status).toBeLessThan(400)
})

const origin = 'https://evil.example'

test.each([
  'text/plain',
  'application/json',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
])('a body of another site that says it is %s is refused', async (type) => {
  const headers = { origin, 'content-type': type }
  expectStatus(await fixture.send('/address', everyone.customer, { method: 'POST', body, headers }), 403)
})

test('a request that is no form changes nothing, also from our own pages', async () => {
  const before = await fingerprint(db)
  for (const type of ['text/plain', 'application/json', 'text/html', 'multipart/form-data', ''])
    for (const sent of [body, '{"intent":"archive","version":1}', '<a/>', '--x\r\n', '\0']) {
      const headers = { origin: 'http://carga.test', ...(type && { 'content-type': type }) }
      const init = { method: 'POST', body: sent, headers }
      expect((await fixture.send('/address', everyone.customer, init)).status, type).toBe(400)
    }
  expect(await fingerprint(db)).toEqual(before)
})
