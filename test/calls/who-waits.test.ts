import { beforeEach, expect, test } from 'vitest'
import { around, minute } from '../kit/appointments.ts'
import { pageText, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectLocation, expectPage, expectWords } from '../kit/reading.ts'
import {
  call,
  change,
  client,
  clock,
  joins,
  newAnalyst,
  openDesk,
  pendingPath,
  storeCall,
  takeOver,
} from './desk.ts'

const head = 'Clientes en la sala'
const take = 'Tomar la llamada'
let analyst2: Person

openDesk()
beforeEach(async () => {
  await joins(client, -2)
  analyst2 = await newAnalyst()
})

const home = (who: Person) => pageText('/admin', who)
const markup = async (who: Person) => (await world.visit('/admin', who)).text

test('shows waiting customers first on the home of analysts and managers, with the room for its analyst only', async () => {
  clock(2)
  const own = await home(people.analyst)
  expectWords(own, head, 'Camila Cruz', call.folio, 'Espera desde hace 4 min', 'Sobre autos eléctricos')
  expect(await markup(people.analyst)).toContain(`href="${pendingPath()}?llamada"`)
  expect(own.indexOf(head)).toBeLessThan(own.indexOf('Tu próxima llamada'))
  for (const who of [analyst2, people.manager]) {
    expect(await home(who)).toContain('La atiende Andrés Prueba')
    expect(await markup(who)).not.toContain('?llamada')
  }
  for (const who of [people.technician, people.gester, people.ally])
    expect(await home(who)).not.toContain(head)
})

test('offers the call to free analysts after three minutes; the first takes it', async () => {
  const analyst3 = await newAnalyst('Aldo')
  clock(2)
  expect(await home(analyst2)).not.toContain(take)
  clock(3)
  for (const who of [analyst2, analyst3]) expect(await home(who)).toContain(take)
  expect(await home(people.analyst)).not.toContain(take)
  expect(await home(people.manager)).toContain('Dársela a alguien')
  expect(await markup(people.manager)).toContain(`href="${pendingPath()}"`)
  expectLocation(await takeOver(analyst2), pendingPath())
  expectPage(await takeOver(analyst3), 409, 'Alguien más ya la tomó')
  expect(await markup(analyst2)).toContain('?llamada')
  expect(await markup(people.analyst)).not.toContain('?llamada')
})

test('offers it to no analyst with a call at that time, or in a room with a customer', async () => {
  const other = await world.person()
  const next = await storeCall(other, call.startsAt, analyst2)
  clock(4)
  expect(await home(analyst2)).not.toContain(take)
  // Planned for another hour, but in the room with its customer now.
  const analyst3 = await newAnalyst('Aldo')
  await change({ assigneeId: analyst3.id, startsAt: around(call, -60 * minute) }, next)
  await joins(analyst3, -50, next)
  expect(await home(analyst3)).toContain(take)
  await joins(other, -50, next)
  expect(await home(analyst3)).not.toContain(take)
})

test('shows the wait in the lists and on the screen of the call to analysts and managers, until it is over', async () => {
  clock(2)
  const words = 'En espera · 4 min'
  const list = (who: Person, query = '') => pageText(`/admin/appointments-pending${query}`, who)
  for (const who of [analyst2, people.manager]) expect(await list(who)).toContain(words)
  for (const query of ['', '?vista=semana']) {
    const own = await list(people.analyst, query)
    expect(own.slice(0, own.indexOf('Todas'))).toContain(words)
  }
  const ally = await list(people.ally)
  expect(ally).toMatch(/Asesoría virtual (lun|mar|mié|jue|vie|sáb) /)
  expect(ally).not.toContain('En espera')
  const screen = await pageText(pendingPath(), analyst2)
  expect(screen).toContain('El cliente espera desde hace 4 min')
  expect(screen).toMatch(/Desde las 11:03 a\.\s?m\. podrás tomar la llamada/)
  await change({ state: 'cancelled' })
  expect(await pageText('/admin/appointments-done', people.manager)).not.toContain('En espera')
  expect(await home(people.analyst)).not.toContain(head)
})
