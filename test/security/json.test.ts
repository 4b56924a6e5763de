import { describe, expect, test } from 'vitest'
import { newEmail, password } from '../kit/accounts.ts'
import { openBare, world } from '../kit/open.ts'
import type { Visitor } from '../kit/visitor.ts'
import { cast, openCastOnce, type Who } from './cast.ts'
import { fingerprint } from './fingerprint.ts'
import { payloads } from './payloads.ts'

openBare()
openCastOnce()

const operations = [
  'sign-in',
  'sign-up',
  'sign-out',
  'send-reset',
  'verify-reset-code',
  'confirm-reset',
  'apply-action-code',
  'send-verification',
]
const json = { 'content-type': 'application/json', origin: 'http://carga.test' }
const send = (
  name: string,
  body: string,
  as: Visitor = world.visitor(),
  headers: object = json,
  method = 'POST',
) => world.send(`/v1/session/${name}`, as, { method, body, headers })
type Told = { ok: boolean; value?: unknown; error?: { code: string; title: string; description: string } }

/** An operation always answers its own shape, in Spanish, and nothing of what lies behind it. */
function isAnswer(text: string, status: number, what: string): Told {
  const told = JSON.parse(text) as Told
  expect([what, told.ok, status]).toEqual([
    what,
    status === 200,
    expect.toSatisfy((one: number) => one < 500),
  ])
  if (!told.ok)
    expect(Object.keys(told.error!).toSorted()).toEqual(
      expect.arrayContaining(['code', 'description', 'title']),
    )
  expect(text).not.toMatch(/node_modules|Drizzle|\bat \S+:\d+|select |zod/i)
  return told
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
  test('whatever the body is, the answer is one', async () => {
    const before = await fingerprint(world.db)
    for (const [what, body] of Object.entries(wholes)) {
      const { text, status } = await send(name, body)
      const told = isAnswer(text, status, what)
      if (name !== 'sign-out') expect([what, told.ok]).toEqual([what, false])
    }
    expect(({} as Record<string, unknown>).role).toBeUndefined()
    expect(await fingerprint(world.db)).toEqual(before)
  })

  test('whatever stands in it', async () => {
    const before = await fingerprint(world.db)
    for (const [what, payload] of Object.entries(payloads)) {
      // Ten tries a minute: each from an address of its own. A password too short for an account.
      const body = JSON.stringify({
        email: payload,
        password: payload.slice(0, 5),
        oobCode: payload,
        next: payload,
      })
      const { text, status, cookies } = await send(name, body)
      isAnswer(text, status, what)
      expect(cookies.join()).not.toContain('taken=1')
    }
    expect(await fingerprint(world.db)).toEqual(before)
  })

  test('only JSON, only from our own pages, only by POST', async () => {
    const body = JSON.stringify({ email: newEmail(), password, oobCode: 'x' })
    const before = await fingerprint(world.db)
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      '',
    ])
      if (name !== 'sign-out')
        expect((await send(name, body, world.visitor(), { ...json, 'content-type': type })).status).toBe(400)
    for (const origin of ['https://evil.example', 'null', 'http://carga.test.evil.example'])
      expect((await send(name, body, cast.customer, { ...json, origin })).status).toBe(403)
    for (const method of ['GET', 'HEAD'])
      expect((await world.send(`/v1/session/${name}`, cast.customer, { method })).status).toBe(501)
    expect(await fingerprint(world.db)).toEqual(before)
  })
})

test('operations of an object’s own do not exist', async () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'sign-in%00', 'SIGN-IN', 'x'])
    expect([404, 501]).toContain((await send(name, '{}')).status)
})

test('no answer lets a page of another site read it', async () => {
  for (const path of ['/v1/session', '/v1/projects', '/v1/session/sign-in'])
    for (const origin of ['https://evil.example', 'null'])
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await world.send(path, cast.customer, {
          method,
          headers: {
            origin,
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'content-type',
          },
        })
        for (const [name] of headers) expect(name).not.toMatch(/^access-control-allow/)
      }
})

test('what there is to read of a session tells nobody more than that it is', async () => {
  for (const who of Object.keys(cast) as Who[]) {
    const { text, status } = await world.visit('/v1/session', cast[who])
    expect([who, status]).toEqual([who, 200])
    expect(Object.keys(JSON.parse(text))).toEqual(['signedIn'])
  }
})

test('the copy of one’s data is one’s own, and a customer’s', async () => {
  for (const who of Object.keys(cast) as Who[]) {
    const { status, location, text } = await world.visit('/account/data', cast[who])
    const customers = ['customer', 'customer2', 'unnamed']
    if (customers.includes(who)) {
      expect([who, status]).toEqual([who, 200])
      const others = customers.filter((other) => other !== who)
      for (const other of others) expect(text).not.toContain((cast[other as Who] as { email: string }).email)
    } else
      expect([who, location ?? status]).toEqual([
        who,
        expect.toSatisfy((one) => one === '/signin' || one === 404),
      ])
  }
})
