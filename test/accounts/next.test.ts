import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { sessions } from '../../src/server/platform/database/schema/accounts.ts'
import { storeCode } from '../kit/agencies.ts'
import { openOnce, people, world } from '../kit/open.ts'
import { expectWords, readable } from '../kit/reading.ts'
import { memberOf, password } from './own.ts'

openOnce()

const wayBack = (next: string, more = '') => `/signin?next=${encodeURIComponent(next)}${more}`
const profile = { name: 'Nora', lastname: 'Prueba', phone: '5512345678' }

describe('a link deep into the product lives through', () => {
  test.each(['/payments', '/quote?version=a%26b', '/admin/appointments-pending?text=n%C3%BA', '/?cuenta='])(
    '%s, as a page, as data and as a form',
    async (path) => {
      expect((await world.visit(path)).onward).toBe(wayBack(path))
      expect((await world.data(path)).onward).toBe(wayBack(path))
      const form = path.startsWith('/?') ? `/?index&${path.slice(2)}` : path
      expect((await world.post(form, {})).onward).toBe(wayBack(path))
    },
  )

  test.each(['/', '/admin'])('%s, where everybody gets by themselves, needs no way back', async (path) => {
    expect((await world.visit(path)).onward).toBe('/signin')
  })

  test('the sign-in', async () => {
    const { email } = await memberOf(world)
    const as = world.visitor()
    const { onward } = await world.visit('/payments', as)
    const page = await world.visit(onward!, as)
    expect(page.text).toContain('name="next" value="/payments"')
    expect((await world.post('/signin', { email, password, next: '/payments' }, as)).location).toBe(
      '/payments',
    )
  })

  test('the sign-up and the profile', async () => {
    const as = world.visitor()
    const { text } = await world.visit(wayBack('/technics-visit'), as)
    expect(text).toContain('href="/signup?next=%2Ftechnics-visit"')
    const page = await world.visit('/signup?next=%2Ftechnics-visit', as)
    expect(page.text).toContain('name="next" value="/technics-visit"')
    const next = '/technics-visit'
    const made = await world.post('/signup', { email: 'nora@prueba.mx', password, next }, as)
    expect(made.onward).toBe('/completion?next=%2Ftechnics-visit')
    expect((await world.visit(made.onward!, as)).text).toContain('name="next" value="/technics-visit"')
    expect((await world.post('/completion', { ...profile, next }, as)).location).toBe(next)
  })

  test('a profile that was never completed', async () => {
    const somebody = await world.person({ name: null })
    expect((await world.visit('/payments', somebody)).onward).toBe('/completion?next=%2Fpayments')
    expect((await world.post('/completion', { ...profile, next: '/payments' }, somebody)).location).toBe(
      '/payments',
    )
  })

  test('a sign-in in another tab: /signin leads on, and to nobody else’s site', async () => {
    const customer = await world.person()
    expect((await world.visit(wayBack('/payments'), customer)).location).toBe('/payments')
    for (const evil of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      '/\t/evil.example',
      '/.//evil.example',
    ])
      for (const answer of [
        await world.visit(wayBack(evil), customer),
        await world.data(wayBack(evil), customer),
        await world.post('/completion', { ...profile, next: evil }, await world.person({ name: null })),
      ])
        expect([evil, answer.location]).toEqual([evil, '/'])
  })

  test('the guard: a link to somebody else’s screen leads home', async () => {
    for (const [who, person] of Object.entries(people)) {
      const path = who.startsWith('customer') ? '/admin/users' : '/payments'
      const { location } = await world.visit(wayBack(path), person)
      expect([who, location]).toEqual([who, path])
      expect([who, (await world.visit(path, person)).location]).toEqual([who, person.kind ? '/admin' : '/'])
    }
  })
})

describe('a session that ended elsewhere', () => {
  test('is said in words, and the way back stays', async () => {
    const customer = await world.person()
    await world.db.delete(sessions).where(eq(sessions.userId, customer.id))
    const { onward } = await world.visit('/payments', customer)
    expect(onward).toBe(wayBack('/payments', '&sesion=terminada'))
    expect((await world.data('/', customer)).onward).toBe('/signin?sesion=terminada')
    const page = readable(await world.visit(onward!, customer))
    expectWords(page, 'Tu sesión terminó', 'Entra otra vez y sigues donde estabas.')
  })

  test('is not said to who never had one, nor to who signed out', async () => {
    const { email } = await memberOf(world)
    const as = world.visitor()
    expect((await world.visit('/payments', as)).onward).not.toContain('terminada')
    await world.post('/signin', { email, password }, as)
    const out = await world.post('/signout', {}, as)
    expect(out.onward).toBe('/signin')
    expect((await world.visit('/payments', as)).onward).not.toContain('terminada')
  })
})

describe('an ally’s link', () => {
  test('is not lost on whoever is signed in, with a profile or without', async () => {
    const { ally, customer, analyst } = people
    const { code } = await storeCode(world, ally)
    const nameless = await world.person({ name: null })
    for (const path of ['/approach', '/signup', '/signin']) {
      const link = `${path}?codigo=${code}`
      expect((await world.visit(link, customer)).location).toBe(`/quote?codigo=${code}`)
      expect((await world.visit(link, nameless)).location).toBe(`/completion?codigo=${code}`)
    }
    expect((await world.visit(`/completion?codigo=${code}`, nameless)).text).toContain(`value="${code}"`)
    const done = await world.post(`/completion?codigo=${code}`, { ...profile, codigo: code }, nameless)
    expect(done.status).toBe(303)
    expect(readable(await world.visit('/', nameless))).toContain(code)
    // A screen's own code waits behind the profile.
    const other = await world.person({ name: null })
    expect((await world.visit(`/quote?codigo=${code}`, other)).onward).toBe(
      `/completion?next=${encodeURIComponent(`/quote?codigo=${code}`)}`,
    )
    expect((await world.visit(`/quote?codigo=${code}`, analyst)).location).toBe('/admin')
  })
})
