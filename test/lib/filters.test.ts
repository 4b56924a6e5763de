import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anId, listQuery, oneOf, pageLinks, readFilters, searched } from '../../src/web/lib/lists.tsx'
import { everyModule, openWorld, type World } from '../kit/world.ts'

/** The nouns that filters narrow a list by, whose article is "la". */
const feminine = new Set(['Zona', 'Persona', 'Cuenta', 'Concesionaria', 'Etapa'])

const lists = {
  '/admin/assignations': 'manager',
  '/admin/appointments-pending': 'manager',
  '/admin/appointments-done': 'manager',
  '/admin/cotizations': 'manager',
  '/admin/users': 'manager',
  '/admin/agencies': 'manager',
  '/admin/clients': 'manager',
  '/admin/payments/libro': 'manager',
  '/admin/gesties': 'gester',
  '/admin/alliate/clients': 'ally',
  '/admin/alliate/codes': 'ally',
} as const

describe('the filters of every list', () => {
  let world: World
  let people: Awaited<ReturnType<World['people']>>
  beforeAll(async () => {
    world = await openWorld(everyModule)
    people = await world.people()
  })
  afterAll(() => world.close())

  test('agree with their noun where they let everything pass', async () => {
    const found = new Map<string, string>()
    for (const [path, who] of Object.entries(lists)) {
      const { text } = await world.visit(path, people[who])
      for (const select of text.matchAll(
        /<select[^>]* id="([^"]+)"[^>]*><option value=""[^>]*>(Tod[oa]s)</g,
      )) {
        const [, id, all] = select
        const label = new RegExp(`<label[^>]*for="${id}"[^>]*>([^<]+)`).exec(text)?.[1]
        found.set(`${path} ${label}`, all!)
      }
    }
    const wrong = [...found].filter(
      ([at, all]) => all !== (feminine.has(at.split(' ')[1]!) ? 'Todas' : 'Todos'),
    )
    expect(wrong).toEqual([])
    expect(found.size).toBeGreaterThan(25)
  })

  test.each(Object.entries(lists))('of %s leave out what makes no sense', async (path, who) => {
    const names =
      'month year day view service state zone person stage turn agency analyst method concept kind gester over role active code ally'
    const query = new URLSearchParams([
      ...names.split(' ').map((name) => [name, '__proto__']),
      ['text', '\u0000 \u200b'],
      ['after', 'x'.repeat(61)],
    ])
    const { status, text } = await world.visit(`${path}?${query}`, people[who])
    expect(status).toBe(200)
    expect(text).not.toContain('Filtros (')
    expect(text).not.toContain('rel="prev"')
  })
})

describe('an address', () => {
  const id = '0197f9a0-0000-7000-8000-000000000001'
  const schema = { state: oneOf(['open', 'done']), agency: anId, text: searched(10) }
  const read = (query: string) => readFilters(schema, new URL(`https://localhost/list?${query}`))

  test('holds filters and a place', () => {
    expect(read(`state=done&agency=${id}&text=%20dos%20%20casas&after=${id}&other=1`)).toEqual({
      filters: { state: 'done', agency: id, text: 'dos casas' },
      after: id,
    })
  })

  test.each(['state=', 'state=toString', 'agency=1', 'text=', 'text=12345678901', 'after=x'])(
    '%s holds none',
    (query) => {
      expect(read(query)).toEqual({ filters: {}, after: undefined })
    },
  )

  test('carries filters to the other pages', () => {
    expect(listQuery({})).toBe('')
    expect(pageLinks({}, undefined, null)).toEqual({ first: null, next: null })
    expect(pageLinks({}, id, null)).toEqual({ first: '?', next: null })
    expect(pageLinks({ text: 'ñ' }, id, 'b')).toEqual({ first: '?text=%C3%B1', next: '?text=%C3%B1&after=b' })
  })
})
