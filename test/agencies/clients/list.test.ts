import { beforeAll, expect, test } from 'vitest'
import { clients } from '../../../src/server/platform/database/schema/agencies.ts'
import { joined, storeCode, storeTie } from '../../kit/agencies.ts'
import { hour, storeVisit } from '../../kit/appointments.ts'
import { openOnce, people, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { readable } from '../../kit/reading.ts'

openOnce()
let colleague: Person
let code: Awaited<ReturnType<typeof storeCode>>
beforeAll(async () => {
  colleague = await world.person({ kind: 'alliate', name: 'Amparo', agencyId: people.ally.agencyId! })
  code = await storeCode(world, colleague)
  const nadia = await world.person({ name: 'Nadia', lastname: 'Visible' })
  await joined(world, nadia, people.ally)
  const home = await world.home(nadia, {}, people.ally.agencyId!)
  await storeVisit(world, nadia, home, new Date(Date.now() - 40 * hour), {
    state: 'cancelled',
    folio: 'VT-PRUEBA-antes',
  })
  await storeVisit(world, nadia, home, new Date(Date.now() + 40 * hour), {
    state: 'assigned',
    assigneeId: people.technician.id,
  })
  await storeTie(world, await world.person({ name: 'Óscar' }), code)
  await joined(world, await world.person({ name: 'Fuera' }), people.ally, {
    endedAt: new Date(),
    endedReason: 'Se equivocó',
  })
})

const list = '/admin/alliate/clients'
const words = async (query: string, who = people.ally) => readable(await world.visit(list + query, who))
/** Who stands in the list under some filters. */
const found = async (query: string, who = people.ally) => {
  const { text } = await world.visit(list + query, who)
  return ['Nadia', 'Óscar', 'Fuera'].filter((name) => text.includes(`>${name}<`))
}

test('a filter, a search and an address without sense narrow the list as they say', async () => {
  expect(await found('')).toEqual(['Nadia', 'Óscar'])
  expect(await found('', colleague)).toEqual(['Nadia', 'Óscar'])
  for (const [query, names] of [
    ['?text=oscar', ['Óscar']],
    ['?text=NÁD', ['Nadia']],
    ['?text=visible', []],
    ['?text=%25', []],
    ['?stage=visit', ['Nadia']],
    ['?stage=intake', ['Óscar']],
    ['?stage=cfe', []],
    [`?code=${code.id}`, ['Óscar']],
    [`?ally=${people.ally.id}`, ['Nadia']],
    [`?ally=${colleague.id}&stage=visit`, []],
    ['?stage=nada&code=x&ally=1&after=2', ['Nadia', 'Óscar']],
  ] as const)
    expect([query, await found(query)]).toEqual([query, names])
  expect(await words('?text=nadie')).toContain('No hay clientes con estos filtros.')
})

test('a visit that came to nothing does not pass for one that took place', async () => {
  expect(await words('?text=nadia')).toContain('Cancelada')
  const { text } = await world.visit(`${list}.csv?text=nadia`, people.ally)
  const [head, row, ...rest] = text.replace('\ufeff', '').split('\r\n')
  expect(head).toContain('Nombre,Etapa,Le toca a,Desde')
  expect(row).toMatch(/^Nadia,Visita técnica,Técnico,.*Visita técnica,.*,Visita técnica \(cancelada\),/)
  expect(rest).toEqual([''])
  for (const who of [people.manager, people.analyst, people.customer])
    expect((await world.visit(`${list}.csv`, who)).status).not.toBe(200)
})

test('pages of fifty meet each client once, newest first; the file has all of them', async () => {
  const stored = Array.from({ length: 60 }, (_, n) => ({
    agencyId: people.ally.agencyId!,
    allyId: people.ally.id,
    source: 'counter' as const,
    name: `Serie${n}`,
    phone: `55440000${String(n).padStart(2, '0')}`,
    waitingOn: 'customer' as const,
    // Some at the very same moment: the place after one of them is exact all the same.
    createdAt: new Date(Date.UTC(2026, 0, 1 + Math.floor(n / 7))),
    inviteExpiresAt: new Date(Date.now() + 1e9),
  }))
  await world.db.insert(clients).values(stored)
  const namesIn = (text: string) => [...text.matchAll(/Serie\d+(?=<)/g)].map(([name]) => name)
  const first = await world.visit(`${list}?text=serie`, people.ally)
  expect([namesIn(first.text).length, readable(first).includes('60 clientes')]).toEqual([50, true])
  const after = /\?text=serie&amp;after=[\w-]+/.exec(first.text)![0].replace('&amp;', '&')
  const second = await world.visit(list + after, people.ally)
  const all = [...namesIn(first.text), ...namesIn(second.text)]
  expect([all.length, new Set(all).size]).toEqual([60, 60])
  const file = await world.visit(`${list}.csv?text=serie`, people.ally)
  expect([...file.text.matchAll(/^Serie\d+/gm)].map(([name]) => name)).toEqual(all)
})
