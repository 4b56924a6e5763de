import { beforeAll, expect, test } from 'vitest'
import { openBare, world } from '../kit/open.ts'
import { asked } from './asked.ts'
import { type Cast, openCast, type Who } from './cast.ts'
import { fingerprint } from './fingerprint.ts'
import { payloads } from './payloads.ts'

openBare()
let cast: Cast
beforeAll(async () => {
  cast = await openCast(world)
  await world.home(cast.customer)
})

const listed = ['month', 'year', 'day', 'view', 'service', 'state', 'zone', 'person', 'text', 'after']

/** Screens that read their address, who opens them, and the parameters that they know. */
const readers: readonly [screen: string, who: Who, names: readonly string[]][] = [
  ['/signin', 'anonymous', ['next']],
  ['/signup', 'anonymous', ['invitacion']],
  ['/approach', 'anonymous', ['cp', 'codigo', 'metros', 'mio', 'medidor', 'cargador']],
  ['/recover-password', 'anonymous', ['mode', 'oobCode', 'enviado']],
  ['/admin/account', 'manager', ['configuracion', 'desde', 'partida', 'parte']],
  ['/admin/account/configuracion/traslados', 'manager', ['desde']],
  ['/session/provider/done', 'anonymous', ['attempt', 'error']],
  ['/completion', 'unnamed', ['invitacion']],
  ['/', 'customer', ['invitacion']],
  ['/address', 'customer', ['codigo']],
  ['/agenda-technics-visit', 'customer', ['dia', 'hora', 'mes']],
  ['/admin', 'analyst', ['invitacion']],
  ['/admin/buscar', 'manager', ['q']],
  ['/admin/assignations', 'manager', listed],
  ['/admin/appointments-pending', 'analyst', listed],
  ['/admin/appointments-done', 'technician', listed],
  ['/admin/users', 'manager', ['text', 'role', 'kind', 'active', 'agency', 'after']],
  ['/admin/agencies', 'manager', ['text', 'active', 'after']],
]

test.each(readers)('%s', async (screen, who, names) => {
  const before = await fingerprint(world.db)
  const known = [...new Set([...names, ...asked])]
  for (const [n, [what, payload]] of Object.entries(payloads).entries()) {
    const value = encodeURIComponent(payload.toWellFormed().slice(0, 3_000))
    const all = `${screen}?${known.map((name) => `${name}=${value}`).join('&')}`
    const twice = `${screen}?${names[0]}[]=${value}&${names[0]}=a&${names[0]}=${value}`
    const started = performance.now()
    // What reads an address is the same for a page and its data: each of the two ways to write it is asked for one of them.
    const [page, data] = n % 2 === 0 ? [all, twice] : [twice, all]
    for (const answer of [await world.visit(page, cast[who]), await world.data(data, cast[who])]) {
      expect([what, answer.status]).toEqual([what, expect.toSatisfy((status: number) => status < 500)])
      const isPage = answer.headers.get('content-type')?.startsWith('text/html') ?? false
      expect(
        isPage && /<script>window|<img src=x|href="javascript:/.test(answer.text),
        `${what}: markup`,
      ).toBe(false)
      expect(answer.cookies.join()).not.toContain('taken=1')
    }
    // No query waits because somebody told it to.
    expect(performance.now() - started).toBeLessThan(4_000)
  }
  for (const query of ['%', '%ff%fe', 'a=%ED%A0%80', '&&==', `${names[0]}=%00`, `${names[0]}=%E0%A4%A`])
    expect((await world.visit(`${screen}?${query}`, cast[who])).status).toBeLessThan(500)
  expect(await fingerprint(world.db)).toEqual(before)
})

/** Ids of rows that stand in addresses. */
const rows: readonly [screen: string, who: Who][] = [
  ['/admin/assignations/', 'manager'],
  ['/admin/appointments-pending/', 'analyst'],
  ['/admin/appointments-done/', 'gester'],
  ['/admin/users/', 'manager'],
  ['/admin/agency/', 'manager'],
]

test.each(rows)('%s{id}', async (screen, who) => {
  for (const [n, [what, payload]] of Object.entries(payloads).entries()) {
    if (!payload.trim()) continue
    const address = screen + encodeURIComponent(payload.toWellFormed().slice(0, 2_000))
    const ask = n % 2 === 0 ? world.visit : world.data
    expect([what, (await ask(address, cast[who])).status]).toEqual([what, 404])
  }
})
