import { around, minute } from '../kit/appointments.ts'
import {
  ally,
  analyst,
  expectNotOnPage,
  expectScreen,
  fixture,
  gester,
  manager,
  markupOf,
  pageText,
  people,
  technician,
} from '../kit/open.ts'
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

const markup = (who: Person) => markupOf('/admin', who)

test('shows waiting customers first on the home of analysts and managers, with the room for its analyst only', async () => {
  clock(2)
  const own = await pageText('/admin', analyst)
  expectWords(own, head, 'Camila Cruz', call.folio, 'Espera desde hace 4 min', 'Sobre autos eléctricos')
  await expectScreen('/admin', analyst, `href="${pendingPath()}?llamada"`)
  expect(own.indexOf(head)).toBeLessThan(own.indexOf('Tu próxima llamada'))
  for (const who of [analyst2, manager]) {
    await expectScreen('/admin', who, 'La atiende Andrés Prueba')
    expect(await markup(who)).not.toContain('?llamada')
  }
  for (const who of [technician, gester, ally]) await expectNotOnPage('/admin', who, head)
})

test('offers the call to free analysts after three minutes; the first takes it', async () => {
  const analyst3 = await newAnalyst('Aldo')
  clock(2)
  await expectNotOnPage('/admin', analyst2, take)
  clock(3)
  await expectScreen('/admin', analyst2, take)
  await expectNotOnPage('/admin', analyst, take)
  await expectScreen('/admin', manager, 'Dársela a alguien', `href="${pendingPath()}"`)
  expectLocation(await takeOver(analyst2), pendingPath())
  expectPage(await takeOver(analyst3), 409, 'Alguien más ya la tomó')
  expect(await markup(analyst2)).toContain('?llamada')
  expect(await markup(analyst)).not.toContain('?llamada')
})

test('offers it to no analyst in another room with its customer', async () => {
  const other = await fixture.person()
  const analyst3 = await newAnalyst('Aldo')
  // Planned for another hour.
  const next = await storeCall(other, around(call, -60 * minute), analyst3)
  clock(4)
  await joins(analyst3, 10, next)
  await expectScreen('/admin', analyst3, take)
  await joins(other, 10, next)
  await expectNotOnPage('/admin', analyst3, take)
})

test('shows the wait in the lists and on the screen of the call to analysts and managers, until it is over', async () => {
  clock(2)
  const words = 'En espera · 4 min'
  const list = '/admin/appointments-pending'
  await expectScreen(list, manager, words)
  for (const query of ['', '?vista=semana']) {
    const own = await pageText(list + query, analyst)
    expect(own.slice(0, own.indexOf('Todas'))).toContain(words)
  }
  const ally = await pageText(list, people.ally)
  expectWords(ally, 'Asesoría virtual')
  expect(ally).not.toContain('En espera')
  const screen = await pageText(pendingPath(), analyst2)
  expectWords(screen, 'El cliente espera desde hace 4 min')
  expect(screen).toMatch(/Desde las 11:03 a\.\s?m\. podrás tomar la llamada/)
  await change({ state: 'cancelled' })
  await expectNotOnPage('/admin/appointments-done', manager, 'En espera')
  await expectNotOnPage('/admin', analyst, head)
})
