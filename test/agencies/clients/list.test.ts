import { expect, test } from 'vitest'
import { joined } from '../../kit/agencies.ts'
import { hour, storeVisit } from '../../kit/appointments.ts'
import { openOnce, people, world } from '../../kit/open.ts'
import { readable } from '../../kit/reading.ts'

openOnce()

test('lists and exports current clients only, and a cancelled visit as cancelled', async () => {
  const nadia = await world.person({ name: 'Nadia' })
  await joined(world, nadia, people.ally)
  const ended = { endedAt: new Date(), endedReason: 'Se equivocó' }
  await joined(world, await world.person({ name: 'Fuera' }), people.ally, ended)
  const home = await world.home(nadia, {}, people.ally.agencyId!)
  const at = (hours: number) => new Date(Date.now() + hours * hour)
  await storeVisit(world, nadia, home, at(-40), { state: 'cancelled', folio: 'VT-PRUEBA-antes' })
  await storeVisit(world, nadia, home, at(40), { assigneeId: people.technician.id })
  const list = '/admin/alliate/clients'
  const page = readable(await world.visit(list, people.ally))
  expect(page).toMatch(/Nadia.*Cancelada/)
  expect(page).not.toContain('Fuera')
  const { text } = await world.visit(`${list}.csv`, people.ally)
  const [, row, ...rest] = text.replace('\ufeff', '').split('\r\n')
  expect(row).toMatch(/^Nadia,Visita técnica,Técnico,.*Visita técnica,.*,Visita técnica \(cancelada\),/)
  expect(rest).toEqual([''])
})
