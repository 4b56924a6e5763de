import { beforeAll, expect, test } from 'vitest'
import { password, storiesIn } from '../kit/accounts.ts'
import { openBare, world } from '../kit/open.ts'
import type { Form } from '../kit/visitor.ts'

openBare()
let { userOf, sessionsOf, signUp } = {} as ReturnType<typeof storiesIn>
beforeAll(async () => {
  ;({ userOf, sessionsOf, signUp } = storiesIn(world))
})

const form: Form = { name: 'Eva', lastname: 'Ajena', phone: '5512345678' }

test.each([
  ['another site', { origin: 'https://evil.example' }],
  ['another scheme', { origin: 'https://carga.test' }],
  ['another port', { origin: 'http://carga.test:8080' }],
  ['a name that begins like ours', { origin: 'http://carga.test.evil.example' }],
  ['a sandboxed frame', { origin: 'null' }],
  ['nowhere, with a cookie', { origin: null }],
  ['a page that says it is cross-site', { headers: { 'sec-fetch-site': 'cross-site' } }],
])('a change from %s is refused and changes nothing', async (_from, options) => {
  const person = await world.person({ name: null })
  for (const path of ['/completion', '/completion.data', '/signout', '/anything'])
    expect((await world.post(path, form, person, options)).status).toBe(403)
  expect(await userOf(person.email)).toMatchObject({ name: null })
  expect(await sessionsOf(person.email)).toHaveLength(1)
})

test('a program without cookies may leave the origin out', async () => {
  const { email } = await signUp()
  const answer = await world.post('/signin', { email, password }, world.visitor(), { origin: null })
  expect(answer.location).toBe('/')
})
