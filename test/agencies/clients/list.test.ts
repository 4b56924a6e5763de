import { beforeAll, expect, test } from 'vitest'
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
  const { technician } = people
  const nadia = await world.person({ name: 'Nadia', lastname: 'Visible' })
  await joined(world, nadia, people.ally)
  const home = await world.home(nadia, {}, people.ally.agencyId!)
  await storeVisit(world, nadia, home, new Date(Date.now() - 40 * hour), {
    state: 'cancelled',
    folio: 'VT-PRUEBA-antes',
  })
  await storeVisit(world, nadia, home, new Date(Date.now() + 40 * hour), { assigneeId: technician.id })
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

test('lists current clients only; last names find nobody, and filters combine', async () => {
  expect(await found('')).toEqual(['Nadia', 'Óscar'])
  for (const [query, names] of [
    ['?text=visible', []],
    ['?stage=visit', ['Nadia']],
    [`?code=${code.id}`, ['Óscar']],
    [`?ally=${colleague.id}&stage=visit`, []],
  ] as const)
    expect([query, await found(query)]).toEqual([query, names])
  expect(await words('?text=nadie')).toContain('No hay clientes con estos filtros.')
})

test('shows and exports a cancelled visit as cancelled', async () => {
  expect(await words('?text=nadia')).toContain('Cancelada')
  const { text } = await world.visit(`${list}.csv?text=nadia`, people.ally)
  const [, row, ...rest] = text.replace('\ufeff', '').split('\r\n')
  expect(row).toMatch(/^Nadia,Visita técnica,Técnico,.*Visita técnica,.*,Visita técnica \(cancelada\),/)
  expect(rest).toEqual([''])
})
