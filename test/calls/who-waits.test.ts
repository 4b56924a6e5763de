import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { appointments } from '../../src/server/platform/database/schema/appointments.ts'
import { around, minute, storeVisit, type Visit } from '../kit/appointments.ts'
import { openEach, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { readable } from '../kit/reading.ts'
import { callAtEleven, clock, pendingPath, press, sat } from './desk.ts'

let call: Visit
let analyst2: Person
const head = 'Clientes en la sala'
openEach(async () => {
  ;({ call } = await callAtEleven())
  await world.db
    .update(appointments)
    .set({ customerWaitingSince: around(call, -2 * minute), customerCameAt: around(call, -2 * minute) })
    .where(eq(appointments.id, call.id))
  analyst2 = await world.person({ kind: 'analyst', name: 'Ana' })
})

const home = (who: Person) => world.visit('/admin', who)

test('the home of analysts and managers begins with who waits; whose call it is goes in', async () => {
  clock(call, 2)
  const own = await home(people.analyst)
  for (const words of [head, 'Camila Cruz', call.folio, 'Espera desde hace 4 min', 'Sobre autos eléctricos'])
    expect(readable(own)).toContain(words)
  expect(own.text).toContain(`href="${pendingPath(call)}?llamada"`)
  expect(readable(own).indexOf(head)).toBeLessThan(readable(own).indexOf('Tu próxima llamada'))
  for (const who of [analyst2, people.manager]) {
    expect(readable(await home(who))).toContain('La atiende Andrés Prueba')
    expect((await home(who)).text).not.toContain('?llamada')
  }
  for (const who of [people.technician, people.gester, people.ally])
    expect(readable(await home(who))).not.toContain(head)
  const day = readable(await world.visit('/admin/appointments-pending', people.analyst))
  expect(day.slice(0, day.indexOf('Todas'))).toContain('En espera · 4 min')
})

test('from three minutes on whoever is free may take it there, the first one wins', async () => {
  const analyst3 = await world.person({ kind: 'analyst', name: 'Aldo' })
  clock(call, 2)
  expect(readable(await home(analyst2))).not.toContain('Tomar la llamada')
  clock(call, 3)
  for (const who of [analyst2, analyst3]) expect(readable(await home(who))).toContain('Tomar la llamada')
  expect(readable(await home(people.analyst))).not.toContain('Tomar la llamada')
  const manager = await home(people.manager)
  expect(readable(manager)).toContain('Dársela a alguien')
  expect(manager.text).toContain(`href="${pendingPath(call)}"`)
  const take = (who: Person) => press(who, call, 'takeOver', { version: String(call.version) })
  expect((await take(analyst2)).location).toBe(pendingPath(call))
  const late = await take(analyst3)
  expect([late.status, readable(late).includes('Alguien más ya la tomó')]).toEqual([409, true])
  expect((await home(analyst2)).text).toContain('?llamada')
  expect((await home(people.analyst)).text).not.toContain('?llamada')
})

test('whoever has a call then, or is in one, is not asked', async () => {
  const other = await world.person()
  const next = await storeVisit(world, other, await world.home(other), around(call, 0), {
    service: 'videocall',
    minutes: 30,
    municipality: null,
    assigneeId: analyst2.id,
  })
  clock(call, 4)
  expect(readable(await home(analyst2))).not.toContain('Tomar la llamada')
  // Planned for another hour, but in the room with its customer now.
  const analyst3 = await world.person({ kind: 'analyst', name: 'Aldo' })
  await world.db
    .update(appointments)
    .set({ assigneeId: analyst3.id, startsAt: around(call, -60 * minute) })
    .where(eq(appointments.id, next.id))
  expect(readable(await home(analyst3))).toContain('Tomar la llamada')
  await sat(next, analyst3, 'analyst', -50, null)
  expect(readable(await home(analyst3))).toContain('Tomar la llamada')
  await sat(next, other, 'customer', -50, null)
  expect(readable(await home(analyst3))).not.toContain('Tomar la llamada')
})

test('the list says who waits and since when, to those who may go there only', async () => {
  clock(call, 2)
  const words = 'En espera · 4 min'
  const list = async (who: Person) => readable(await world.visit('/admin/appointments-pending', who))
  for (const who of [people.analyst, analyst2, people.manager]) expect(await list(who)).toContain(words)
  const week = readable(await world.visit('/admin/appointments-pending?vista=semana', people.analyst))
  expect(week.slice(0, week.indexOf('Todas'))).toContain(words)
  expect(await list(people.ally)).toMatch(/Asesoría virtual (lun|mar|mié|jue|vie|sáb) /)
  expect(await list(people.ally)).not.toContain('En espera')
  const screen = readable(await world.visit(pendingPath(call), analyst2))
  expect(screen).toContain('El cliente espera desde hace 4 min')
  expect(screen).toMatch(/Desde las 11:03 a\.\s?m\. podrás tomar la llamada/)
  await world.db.update(appointments).set({ state: 'cancelled' }).where(eq(appointments.id, call.id))
  expect(readable(await world.visit('/admin/appointments-done', people.manager))).not.toContain('En espera')
  expect(readable(await home(people.analyst))).not.toContain(head)
})
