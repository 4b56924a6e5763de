import { fixture, openBare, post } from '../kit/open.ts'
import { expectAnswered } from '../kit/reading.ts'
import { dataPath } from '../kit/visitor.ts'
import { everyone, openEveryoneOnce, type Who } from '../security/everyone.ts'

openBare()
openEveryoneOnce()

const page = () => `/admin/agency/${everyone.ally.agencyId}`
const lists = '/admin/alliate/clients'

// A status or a redirect, in the order of `roles`; "page" is the page of the agency without its tab.
const roles = 'anonymous unnamed customer manager analyst technician gester ally ally2'.split(' ') as Who[]
test.each([
  ['', '/signin /completion / 200 200 200 200 200 404'],
  ['/codigos', '/signin /completion / 200 200 page page 200 404'],
  ['/clientes', '/signin /completion / 200 200 page page 200 404'],
  ['/comisiones', '/signin /completion / 200 page page page 200 404'],
  ['/integracion', '/signin /completion / 200 page page page page 404'],
  ['/datos', '/signin /completion / 200 200 200 200 200 404'],
])('the tab %j of an agency answers each role: %s', async (tab, expected) => {
  for (const request of [fixture.visit, fixture.data]) {
    const answers = []
    for (const who of roles) {
      const { location, status } = await request(page() + tab, everyone[who])
      answers.push(location === page() ? 'page' : (location ?? status))
    }
    expect(answers.join(' ')).toBe(expected)
  }
})

test('guards former addresses, then redirects them and their forms to the new ones, and to no other site', async () => {
  const evil = encodeURIComponent('//evil.example')
  const moved: [from: string, to: string, who: Who][] = [
    [`${page()}?seccion=resumen&periodo=2025`, `${page()}?periodo=2025`, 'manager'],
    [`${page()}?text=a%26b&seccion=codigos`, `${page()}/codigos?text=a%26b`, 'analyst'],
    [`${lists}?registrar`, `${lists}/registrar`, 'ally'],
    [`${lists}?cliente=${evil}`, `${lists}/${evil}`, 'ally'],
  ]
  for (const [from, to, who] of moved) {
    expect((await fixture.data(from)).location).toBe('/signin')
    await expectAnswered(post(from, {}, everyone.customer), 403)
    await expectAnswered(fixture.visit(from, everyone[who]), 301, to)
    expect((await fixture.data(from, everyone[who])).location).toBe(to)
    await expectAnswered(post(from, { intent: 'x' }, everyone[who]), 308, to)
    expect((await post(dataPath(from), { intent: 'x' }, everyone[who])).location).toBe(to)
  }
  await expectAnswered(fixture.data(`${page()}?seccion=__proto__`, everyone.manager), 200)
})
