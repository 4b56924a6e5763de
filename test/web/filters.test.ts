import { expect, test } from 'vitest'
import { everyModule, openWorld } from '../world.ts'

/** The nouns that filters narrow a list by, whose article is "la". */
const feminine = new Set(['Zona', 'Persona', 'Cuenta', 'Concesionaria', 'Etapa'])

test('a filter that lets everything pass agrees with its noun', async () => {
  const world = await openWorld(everyModule)
  try {
    const { manager, ally, gester } = await world.people()
    const lists = {
      '/admin/assignations': manager,
      '/admin/appointments-pending': manager,
      '/admin/appointments-done': manager,
      '/admin/cotizations': manager,
      '/admin/users': manager,
      '/admin/agencies': manager,
      '/admin/clients': manager,
      '/admin/payments': manager,
      '/admin/gesties': gester,
      '/admin/alliate/clients': ally,
      '/admin/alliate/codes': ally,
    }
    const found = new Map<string, string>()
    for (const [path, person] of Object.entries(lists)) {
      const { text } = await world.visit(path, person)
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
    expect(found.size).toBeGreaterThan(20)
  } finally {
    await world.close()
  }
})
