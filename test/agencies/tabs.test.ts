import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { agencies } from '../../src/server/platform/database/schema/projects.ts'
import { openBare, world } from '../kit/open.ts'
import { rowsIn } from '../kit/reading.ts'
import { dataPath } from '../kit/visitor.ts'
import { cast, openCastOnce, type Who } from '../security/cast.ts'

openBare()
openCastOnce()

const page = () => `/admin/agency/${cast.ally.agencyId}`
const lists = '/admin/alliate/clients'

// A status, or where somebody is led; "page" is the page of the agency without its tab.
const table = `
tab             anonymous unnamed     customer manager analyst technician gester ally ally2
/               /signin   /completion /        200     200     200        200    200  404
/codigos        /signin   /completion /        200     200     page       page   200  404
/clientes       /signin   /completion /        200     200     page       page   200  404
/comisiones     /signin   /completion /        200     page    page       page   200  404
/integracion    /signin   /completion /        200     page    page       page   page 404
/datos          /signin   /completion /        200     200     200        200    200  404
`
const [header = [], ...rows] = table
  .trim()
  .split('\n')
  .map((line) => line.split(/\s+/))
const cases = rows.flatMap(([tab = '', ...heard]) =>
  heard.map((hears, column) => [tab, header[column + 1] as Who, hears] as const),
)

test.each(cases)('the tab %s of an agency for %s: %s', async (tab, who, hears) => {
  const expected = hears === 'page' ? page() : /^\d+$/.test(hears) ? Number(hears) : hears
  const path = `${page()}${tab === '/' ? '' : tab}`
  for (const { location, status } of [await world.visit(path, cast[who]), await world.data(path, cast[who])])
    expect(location ?? status).toBe(expected)
})

test.each(['codigos', 'clientes', 'comisiones', 'integracion', 'datos'])(
  'a form of %s is answered to the manager alone, and the page it is a tab of answers none',
  async (tab) => {
    const hears = async (who: Who) => (await world.post(`${page()}/${tab}`, {}, cast[who])).status
    expect(await hears('manager')).toBe(400)
    for (const who of ['customer', 'analyst', 'technician', 'gester', 'ally'] as const)
      expect([who, await hears(who)]).toEqual([who, 403])
    expect(await hears('ally2')).toBe(404)
    expect((await world.post(page(), {}, cast.manager)).status).toBe(405)
  },
)

test('whoever signs in after opening a tab comes back to it', async () => {
  const { onward } = await world.visit(`${page()}/comisiones?mes=2026-10`)
  expect(new URL(onward ?? '', 'http://any').searchParams.get('next')).toBe(
    `${page()}/comisiones?mes=2026-10`,
  )
})

describe('addresses that named their part in the query', () => {
  const moved = (): [from: string, to: string, who: Who][] => [
    [`${page()}?seccion=resumen&periodo=2025`, `${page()}?periodo=2025`, 'manager'],
    ...['codigos', 'clientes', 'comisiones', 'integracion', 'datos'].map((tab): [string, string, Who] => [
      `${page()}?seccion=${tab}`,
      `${page()}/${tab}`,
      'manager',
    ]),
    [`${page()}?seccion=comisiones&mes=2026-10`, `${page()}/comisiones?mes=2026-10`, 'manager'],
    [`${page()}?text=a%26b&seccion=codigos`, `${page()}/codigos?text=a%26b`, 'analyst'],
    [`${lists}?registrar`, `${lists}/registrar`, 'ally'],
    [`${lists}?cliente=${cast.customer.id}`, `${lists}/${cast.customer.id}`, 'ally'],
  ]

  test('lead to its own for good, with the rest of the query', async () => {
    for (const [from, to, who] of moved()) {
      const answer = await world.visit(from, cast[who])
      expect([from, answer.status, answer.location]).toEqual([from, 301, to])
      expect([from, (await world.data(from, cast[who])).location]).toEqual([from, to])
    }
  })

  test('send a form on as it is, so that none is lost', async () => {
    for (const [from, to, who] of moved())
      for (const address of [from, dataPath(from)]) {
        const answer = await world.post(address, { intent: 'x' }, cast[who])
        expect([address, answer.location]).toEqual([address, to])
        if (address === from) expect([address, answer.status]).toEqual([address, 308])
      }
  })

  test('a change sent to one is made where it leads', async () => {
    const [row] = await world.db
      .insert(agencies)
      .values({ name: `Agencia ${randomUUID()}` })
      .returning()
    const form = { intent: 'switch', version: String(row!.version), active: 'no' }
    const first = await world.post(`/admin/agency/${row!.id}?seccion=datos`, form, cast.manager)
    expect((await world.post(first.location ?? '', form, cast.manager)).status).toBe(303)
    const [now] = await rowsIn(world, agencies, { id: row!.id })
    expect(now?.active).toBe(false)
  })

  test('are guarded before they lead anywhere, and lead to no other site', async () => {
    for (const [from] of moved()) {
      expect((await world.visit(from)).location).toBe('/signin')
      expect((await world.post(from, {}, cast.customer)).status).toBe(403)
    }
    for (const odd of ['//evil.example', '/\\evil.example', 'a\r\nSet-Cookie: taken=1', '../..']) {
      const typed = encodeURIComponent(odd)
      const { location } = await world.visit(`${lists}?cliente=${typed}`, cast.ally)
      expect(location).toBe(`${lists}/${typed}`)
      const page = await world.visit(`/admin/agency/${typed}?seccion=datos`, cast.manager)
      expect(page.location).toBe(`/admin/agency/${typed}/datos`)
    }
  })

  test('one that is no part is the page itself', async () => {
    for (const section of ['', 'nada', '__proto__', 'constructor'])
      expect((await world.visit(`${page()}?seccion=${section}`, cast.manager)).status).toBe(200)
  })
})
