import { eq } from 'drizzle-orm'
import { sessions } from '../../src/platform/database/schema/accounts.ts'
import { newEmail, signIn } from '../kit/accounts.ts'
import { storeCode } from '../kit/agencies.ts'
import {
  ally,
  analyst,
  customer,
  db,
  expectLed,
  expectScreen,
  fixture,
  newPerson,
  openOnce,
  pageText,
  type people,
  post,
} from '../kit/open.ts'
import { expectLocation, expectStatus, expectWords } from '../kit/reading.ts'
import { memberOf, password } from './own.ts'

openOnce()

const wayBack = (next: string, more = '') => `/signin?next=${encodeURIComponent(next)}${more}`
const profile = { name: 'Nora', lastname: 'Prueba', phone: '5512345678' }
const complete = (next: string, as = customer) => post('/completion', { ...profile, next }, as)
const onwardOf = async (path: string, as?: typeof people.customer) => (await fixture.data(path, as)).onward

test.each(['/payments', '/quote?version=a%26b', '/?cuenta='])(
  'the path asked for while signed out is kept: %s, as a page, as data and as a form',
  async (path) => {
    expect((await fixture.visit(path)).onward).toBe(wayBack(path))
    expect(await onwardOf(path)).toBe(wayBack(path))
    const form = path.startsWith('/?') ? `/?index&${path.slice(2)}` : path
    expect((await post(form, {})).onward).toBe(wayBack(path))
  },
)

test.each(['/', '/admin'])(
  'the path asked for while signed out is not kept for %s, where signing in leads anyway',
  async (path) => expect(await onwardOf(path)).toBe('/signin'),
)

test('the path asked for while signed out is kept through the sign-in', async () => {
  const { email } = await memberOf()
  const as = fixture.visitor()
  await expectScreen((await fixture.data('/payments', as)).onward!, as, 'name="next" value="/payments"')
  expectLocation(await post('/signin', { email, password, next: '/payments' }, as), '/payments')
})

test('the path asked for while signed out is kept through the sign-up and the profile', async () => {
  const as = fixture.visitor()
  const next = '/technics-visit'
  const field = `name="next" value="${next}"`
  await expectScreen(wayBack(next), as, 'href="/signup?next=%2Ftechnics-visit"')
  await expectScreen('/signup?next=%2Ftechnics-visit', as, field)
  const { onward } = await post('/signup', { email: newEmail(), password, next }, as)
  expect(onward).toBe('/completion?next=%2Ftechnics-visit')
  await expectScreen(onward!, as, field)
  expectLocation(await post('/completion', { ...profile, next }, as), next)
})

test('the path asked for while signed out is kept through a profile that was never completed', async () => {
  const person = await newPerson({ name: null })
  expect(await onwardOf('/payments', person)).toBe('/completion?next=%2Fpayments')
  expectLocation(await complete('/payments', person), '/payments')
})

// Its table: test/accounts/account.test.ts.
test('the path asked for while signed out is kept through /signin while signed in, and never to another site', async () => {
  const customer = await newPerson()
  await expectLed(wayBack('/payments'), customer, '/payments')
  await expectLed(wayBack('//evil.example'), customer, '/')
  expectLocation(await complete('//evil.example', await newPerson({ name: null })), '/')
})

test('says that a session ended elsewhere, keeping the way back, and not after signing out', async () => {
  const customer = await memberOf()
  await db.delete(sessions).where(eq(sessions.userId, customer.id))
  const onward = await onwardOf('/payments', customer)
  expect(onward).toBe(wayBack('/payments', '&sesion=terminada'))
  expect(await onwardOf('/', customer)).toBe('/signin?sesion=terminada')
  const page = await pageText(onward!, customer)
  expectWords(page, 'Tu sesión terminó', 'Entra otra vez y sigues donde estabas.')

  await signIn(customer.email, password, customer)
  expect((await post('/signout', {}, customer)).onward).toBe('/signin')
  expect(await onwardOf('/payments', customer)).not.toContain('terminada')
})

test('keeps the code of an ally’s link for signed-in customers, with a profile or without', async () => {
  const { code } = await storeCode(ally)
  const nameless = await newPerson({ name: null })
  for (const path of ['/approach', '/signup', '/signin']) {
    const link = `${path}?codigo=${code}`
    await expectLed(link, customer, `/quote?codigo=${code}`)
    await expectLed(link, nameless, `/completion?codigo=${code}`)
  }
  const quote = `/quote?codigo=${code}`
  expect(await onwardOf(quote, nameless)).toBe(`/completion?next=${encodeURIComponent(quote)}`)
  await expectLed(quote, analyst, '/admin')
  const completion = `/completion?codigo=${code}`
  await expectScreen(completion, nameless, `value="${code}"`)
  expectStatus(await post(completion, { ...profile, codigo: code }, nameless), 303)
  await expectScreen('/', nameless, code)
})
