import { catalogueItems } from '../../src/platform/database/schema/payments.ts'
import { events } from '../../src/platform/database/schema/projects.ts'
import { expectScreen, manager, markupOf, openEach, post, rowsWhere, rowWhere } from '../kit/open.ts'
import { expectLocation, expectPage, expectStatus, expectWords } from '../kit/reading.ts'
import { at, wordsOf } from '../kit/settings.ts'

openEach()

const cable = {
  code: 'CAB-8',
  description: 'Cable de cobre THW calibre 8 AWG',
  kind: 'material',
  unit: 'm',
  unitPrice: '39.5',
  iva: '16',
  satProduct: '26121600',
  satUnit: 'MTR',
  active: 'on',
  version: '1',
}
const pole = {
  ...cable,
  code: 'pos-2',
  description: 'Poste de concreto',
  unitPrice: '$1,250.1234',
  iva: '0',
  satUnit: 'h87',
}
const here = at('catalogo')
const edit = (form: Record<string, string>) =>
  post(`${here}/CAB-8`, { intent: 'settings.catalogue.edit', ...cable, ...form }, manager)
const add = (form: Record<string, string>) =>
  post(`${here}/nueva`, { intent: 'settings.catalogue.add', ...pole, ...form }, manager)
const stored = (code: string) => rowWhere(catalogueItems, { code })
const history = () => rowsWhere(events, { entity: 'settings' })

test('shows the catalogue to the manager, changes a price, and records it', async () => {
  await expectScreen(here, manager, 'Cable de cobre THW calibre 8 AWG', '$9,482.76')
  await expectScreen(`${here}/CAB-8`, manager, 'value="36.00"')
  expectLocation(await edit({}), here)
  expect(await stored('CAB-8')).toMatchObject({ unitPrice: 39_5000, version: 2 })
  expectWords(wordsOf(await markupOf(here, manager)), 'CAB-8, precio: $36.00 → $39.50')
})

test('asks again for a price a hundredfold, and accepts the same price with that answer', async () => {
  const first = await edit({ unitPrice: '3,600.00' })
  expectPage(first, 409, 'Sí, guardar')
  expectWords(wordsOf(first.text), 'Cambia de $36.00 a $3,600.00')
  expectStatus(await edit({ unitPrice: '3,900.00', sure: '36000000' }), 409)
  expect(await stored('CAB-8')).toMatchObject({ unitPrice: 36_0000, version: 1 })
  expectStatus(await edit({ unitPrice: '3,600.00', sure: '36000000' }), 303)
  expect(await stored('CAB-8')).toMatchObject({ unitPrice: 3600_0000 })
})

test.each([
  ['54.00', 303],
  ['54.01', 409],
  ['18.00', 303],
  ['17.99', 409],
])('answers %s for a price of $36.00 with %i: over 50 %% is asked once', async (unitPrice, status) =>
  expectStatus(await edit({ unitPrice }), status),
)

test('saves the same form sent twice once, and refuses a stale one', async () => {
  for (let n = 0; n < 2; n++) expectStatus(await edit({}), 303)
  expect(await history()).toHaveLength(1)
  expectPage(await edit({ unitPrice: '41.77' }), 409, 'value="41.77"')
  expect(await stored('CAB-8')).toMatchObject({ unitPrice: 39_5000, version: 2 })
})

test('adds an item once, with its keys in capitals', async () => {
  expectStatus(await add({}), 303)
  const item = { description: 'Poste de concreto', unitPrice: 1250_1234, iva: 0, satUnit: 'H87' }
  expect(await stored('POS-2')).toMatchObject({ ...item, position: 42 })
  expectPage(await add({ description: 'Otro poste' }), 409, 'Ya hay una partida con esa clave.')
  expect(await stored('POS-2')).toMatchObject(item)
})

test.each([
  ['unitPrice', '12.34567', 'Escribe el precio como 1,250.50'],
  ['unitPrice', '1000000', 'Escribe el precio como 1,250.50'],
  ['satProduct', '123', 'Escribe los 8 dígitos'],
  ['satUnit', 'X', 'Escribe la clave de unidad'],
  ['kind', 'discount', 'Elige de qué tipo es.'],
  ['iva', '8', 'Elige el IVA.'],
  ['description', ' ', 'Escribe qué es.'],
])('refuses the %s %o under its field', async (field, typed, message) => {
  expectPage(await edit({ [field]: typed }), 400, message)
  expect(await stored('CAB-8')).toMatchObject({ version: 1 })
})

// That no other role may: test/security/actions/house.ts; reads: test/settings/settings.test.ts.
test('refuses an unknown code', async () => {
  expectStatus(await edit({ code: 'NADA' }), 404)
  expect(await history()).toEqual([])
})
