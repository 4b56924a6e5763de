import { openBare, post, world } from '../kit/open.ts'
import { expectAnswered } from '../kit/reading.ts'
import { dataPath } from '../kit/visitor.ts'
import { cast, openCastOnce, type Who } from '../security/cast.ts'

openBare()
openCastOnce()

const page = () => `/admin/agency/${cast.ally.agencyId}`
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
  for (const request of [world.visit, world.data]) {
    const answers = []
    for (const who of roles) {
      const { location, status } = await request(page() + tab, cast[who])
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
    expect((await world.data(from)).location).toBe('/signin')
    await expectAnswered(post(from, {}, cast.customer), 403)
    await expectAnswered(world.visit(from, cast[who]), 301, to)
    expect((await world.data(from, cast[who])).location).toBe(to)
    await expectAnswered(post(from, { intent: 'x' }, cast[who]), 308, to)
    expect((await post(dataPath(from), { intent: 'x' }, cast[who])).location).toBe(to)
  }
  await expectAnswered(world.data(`${page()}?seccion=__proto__`, cast.manager), 200)
})
