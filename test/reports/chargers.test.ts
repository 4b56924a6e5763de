import { chargers, sheets } from '../../src/platform/database/schema/appointments.ts'
import { chargerState } from '../../src/reports/rules/charger.ts'
import { chargersPath } from '../../src/settings/rules/pages.ts'
import { localDay } from '../../src/shared/format.ts'
import {
  customer,
  db,
  expectScreen,
  manager,
  openEach,
  pageText,
  post,
  rowsWhere,
  technician,
} from '../kit/open.ts'
import { expectPage, expectStatus } from '../kit/reading.ts'
import { storeInstallation } from './installed.ts'

openEach()

const typed = { brand: 'Wallbox', model: 'Pulsar Max', serial: 'WB-0001', cost: '9,800.50' }
const receive = (more = {}) =>
  post(
    chargersPath,
    { intent: 'charger-receive', ...typed, receivedOn: localDay(new Date()), ...more },
    manager,
  )
const move = async (to: string) =>
  post(
    chargersPath,
    { intent: 'charger-move', chargerId: (await rowsWhere(chargers, {}))[0]!.id, to },
    manager,
  )
const page = () => pageText(chargersPath, manager)

test.each([
  [{}, 'store'],
  [{ holder: 'Tomás' }, 'technician'],
  [{ returnedOn: '2026-11-30' }, 'returned'],
  [{ holder: 'Tomás', appointmentId: 'a' }, 'installed'],
  [{ returnedOn: '2026-11-30', appointmentId: 'a' }, 'installed'],
  [{ isReceived: false, appointmentId: 'a' }, 'unknown'],
])('a charger with %j is %s', (more, state) =>
  expect(
    chargerState({ isReceived: true, appointmentId: null, holder: null, returnedOn: null, ...more }),
  ).toBe(state),
)

test('the manager receives a charger once and moves it; the record of an installation installs it', async () => {
  expectStatus(await receive(), 303)
  expect(await rowsWhere(chargers, {})).toMatchObject([{ serial: 'WB-0001', cost: 980_050 }])
  expectPage(await receive({ brand: 'WALLBOX', serial: 'wb-0001' }), 409, 'ya tiene entrada', 'wb-0001')
  expectPage(await receive({ serial: ' ', cost: 'x', receivedOn: '2999-01-01' }), 400, 'número de serie')
  expect(await page()).toContain('En bodega')
  expectStatus(await move(technician.id), 303)
  expect(await page()).toContain('Con el técnico')
  expectStatus(await move(manager.id), 409)
  expectStatus(await move('returned'), 303)
  expect(await page()).toContain('Devuelto')

  const { visit } = await storeInstallation(customer, technician)
  expect(await page()).toContain('Serie sin entrada')
  await db.update(sheets).set({ chargerBrand: 'wallbox', chargerSerial: 'wb-0001' })
  await expectScreen(chargersPath, manager, 'Instalado', visit.folio)
  expect(await page()).not.toContain('Serie sin entrada')
  expectStatus(await move('store'), 409)
})

test('says nothing of serials of before the first charger was received', async () => {
  await storeInstallation(customer, technician)
  expect(await page()).toContain('Todavía no hay cargadores')
})
