import { newEmail, password } from '../kit/accounts.ts'
import { db, fixture, openBare } from '../kit/open.ts'
import { expectStatus } from '../kit/reading.ts'
import type { Answer, Visitor } from '../kit/visitor.ts'
import { everyone, openEveryoneOnce, type Who } from './everyone.ts'
import { fingerprint } from './fingerprint.ts'
import { payloads } from './payloads.ts'

openBare()
openEveryoneOnce()

const operations = `sign-in sign-up sign-out send-reset verify-reset-code confirm-reset apply-action-code
  send-verification sign-in-by-passkey`.split(/\s+/)
const json = { 'content-type': 'application/json', origin: 'http://carga.test' }
const send = (name: string, body: string, as: Visitor = fixture.visitor(), headers: object = json) =>
  fixture.send(`/v1/session/${name}`, as, { method: 'POST', body, headers })

/** Expects an operation's own shape, in Spanish, and nothing of what lies behind it; answers whether it was done. */
function isDone({ status, text }: Answer, what: string): boolean {
  const told = JSON.parse(text)
  expect(told.ok, what).toBe(status === 200)
  expect(status, what).toBeLessThan(500)
  const word = expect.any(String)
  if (!told.ok) expect(told.error).toMatchObject({ code: word, title: word, description: word })
  expect(text).not.toMatch(/node_modules|Drizzle|\bat \S+:\d+|select |zod/i)
  return told.ok
}

const wholes = {
  nothing: '',
  null: 'null',
  'a number': '1e999',
  'a list': '[[[]]]',
  'a word': '"sign-in"',
  'half an object': '{"email":',
  'a deep list': `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  'a deep object': `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  'a prototype': '{"__proto__":{"ok":true,"role":"staff"},"constructor":{"prototype":{"ok":true}}}',
  'a key twice': '{"email":"a@b.mx","email":{"$ne":null},"password":["x"]}',
  'lone surrogates': '{"email":"\\ud800@b.mx","password":"\\u0000"}',
  'lists for words': '{"email":["a@b.mx"],"password":{"length":12},"oobCode":[1]}',
  'numbers for words': '{"email":1,"password":12345678901,"oobCode":true}',
}

describe.each(operations)('%s', (name) => {
  test('answers any body and any text in it in its own shape, and changes nothing', async () => {
    const before = await fingerprint(db)
    for (const [what, body] of Object.entries(wholes))
      if (isDone(await send(name, body), what)) expect(name, what).toBe('sign-out')
    for (const [what, payload] of Object.entries(payloads)) {
      // Ten tries a minute: each from an address of its own. A password too short for an account.
      const password = payload.slice(0, 5)
      const body = JSON.stringify({ email: payload, password, oobCode: payload, next: payload })
      const answer = await send(name, body)
      isDone(answer, what)
      expect(answer.cookies.join()).not.toContain('taken=1')
    }
    expect(({} as Record<string, unknown>).role).toBeUndefined()
    expect(await fingerprint(db)).toEqual(before)
  })

  test('takes only JSON, only from our own pages, only by POST', async () => {
    const body = JSON.stringify({ email: newEmail(), password, oobCode: 'x' })
    const before = await fingerprint(db)
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']
    for (const type of name === 'sign-out' ? [] : types)
      expectStatus(await send(name, body, fixture.visitor(), { ...json, 'content-type': type }), 400)
    for (const origin of ['https://evil.example', 'null', 'http://carga.test.evil.example'])
      expectStatus(await send(name, body, everyone.customer, { ...json, origin }), 403)
    for (const method of ['GET', 'HEAD'])
      expectStatus(await fixture.send(`/v1/session/${name}`, everyone.customer, { method }), 501)
    expect(await fingerprint(db)).toEqual(before)
  })
})

test('no operation is found by what objects have by themselves', async () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'sign-in%00', 'SIGN-IN', 'x'])
    expect([404, 501]).toContain((await send(name, '{}')).status)
})

test('no answer lets a page of another site read it', async () => {
  for (const path of ['/v1/session', '/v1/projects', '/v1/session/sign-in'])
    for (const origin of ['https://evil.example', 'null'])
      for (const method of ['GET', 'OPTIONS']) {
        const asked = { origin, 'access-control-request-method': 'POST' }
        const { headers } = await fixture.send(path, everyone.customer, { method, headers: asked })
        for (const [name] of headers) expect(name).not.toMatch(/^access-control-allow/)
      }
})

test('tells everybody of a session no more than that it is', async () => {
  for (const who of Object.keys(everyone) as Who[]) {
    const { status, text } = await fixture.visit('/v1/session', everyone[who])
    expect(status, who).toBe(200)
    expect(Object.keys(JSON.parse(text))).toEqual(['signedIn'])
  }
})

test('gives customers a copy of their own data only', async () => {
  const customers = ['customer', 'customer2', 'unnamed'] as const
  for (const who of customers) {
    const { status, text } = await fixture.visit('/account/data', everyone[who])
    expect(status, who).toBe(200)
    for (const other of customers) if (other !== who) expect(text).not.toContain(everyone[other].email)
  }
})
