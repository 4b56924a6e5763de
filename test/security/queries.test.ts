import { db, fixture, openBare } from '../kit/open.ts'
import { asked } from './asked.ts'
import { everyone, openEveryoneOnce, type Who } from './everyone.ts'
import { fingerprint } from './fingerprint.ts'
import { payloads } from './payloads.ts'

openBare()
openEveryoneOnce()
beforeAll(() => fixture.home(everyone.customer))

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

test.each(readers)('%s answers %s any query harmlessly', async (screen, who, names) => {
  const before = await fingerprint(db)
  const known = [...new Set([...names, ...asked])]
  for (const [n, [what, payload]] of Object.entries(payloads).entries()) {
    const value = encodeURIComponent(payload.toWellFormed().slice(0, 3_000))
    const all = `${screen}?${known.map((name) => `${name}=${value}`).join('&')}`
    const twice = `${screen}?${names[0]}[]=${value}&${names[0]}=a&${names[0]}=${value}`
    // A page and its data are read from the address by the same code: they take turns, and so do the two ways to write it.
    const ask = n % 2 === 0 ? fixture.visit : fixture.data
    const answer = await ask(n % 4 < 2 ? all : twice, everyone[who])
    expect(answer.status, what).toBeLessThan(500)
    if (answer.headers.get('content-type')?.startsWith('text/html'))
      expect(answer.text, what).not.toMatch(/<script>window|<img src=x|href="javascript:/)
    expect(answer.cookies.join()).not.toContain('taken=1')
  }
  for (const query of ['%', '%ff%fe', 'a=%ED%A0%80', '&&==', `${names[0]}=%00`, `${names[0]}=%E0%A4%A`])
    expect((await fixture.visit(`${screen}?${query}`, everyone[who])).status).toBeLessThan(500)
  expect(await fingerprint(db)).toEqual(before)
})

/** Ids of rows that stand in addresses. */
const rows: readonly [screen: string, who: Who][] = [
  ['/admin/assignations/', 'manager'],
  ['/admin/appointments-pending/', 'analyst'],
  ['/admin/appointments-done/', 'gester'],
  ['/admin/users/', 'manager'],
  ['/admin/agency/', 'manager'],
]

test.each(rows)('%s{id} is not found by any other word', async (screen, who) => {
  for (const [n, [what, payload]] of Object.entries(payloads).entries()) {
    if (!payload.trim()) continue
    const address = screen + encodeURIComponent(payload.toWellFormed().slice(0, 2_000))
    const ask = n % 2 === 0 ? fixture.visit : fixture.data
    expect((await ask(address, everyone[who])).status, what).toBe(404)
  }
})
