import { expect, test } from 'vitest'
import { catalogueItems } from '../../src/server/platform/database/schema/payments.ts'
import { events } from '../../src/server/platform/database/schema/projects.ts'
import { openEach, people, world } from '../kit/open.ts'
import { expectPage, rowIn, rowsIn } from '../kit/reading.ts'
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
  code: 'pos-2',
  description: 'Poste de concreto',
  kind: 'material',
  unit: 'pieza',
  unitPrice: '$1,250.1234',
  iva: '0',
  satProduct: '30111500',
  satUnit: 'h87',
  active: 'on',
}
const here = at('catalogo')
const edit = (form: Record<string, string>, as = people.manager) =>
  world.post(`${here}/CAB-8`, { intent: 'settings.catalogue.edit', ...cable, ...form }, as)
const add = (form: Record<string, string>) =>
  world.post(`${here}/nueva`, { intent: 'settings.catalogue.add', ...pole, ...form }, people.manager)
const stored = async (code: string) => await rowIn(world, catalogueItems, { code })
const history = () => rowsIn(world, events, { entity: 'settings' })

test('the manager reads the catalogue and changes a price, and the history says so', async () => {
  const { text } = await world.visit(here, people.manager)
  expect(wordsOf(text)).toContain('Cable de cobre THW calibre 8 AWG')
  expect(text).toContain('$9,482.76')
  const form = await world.visit(`${here}/CAB-8`, people.manager)
  expect(form.text).toContain('value="36.00"')
  const { location, status } = await edit({})
  expect([status, location]).toEqual([303, here])
  expect(await stored('CAB-8')).toMatchObject({ unitPrice: 39_5000, version: 2 })
  const after = wordsOf((await world.visit(here, people.manager)).text)
  expect(after).toContain('CAB-8, precio: $36.00 → $39.50')
})

test('a price a hundredfold is said first, and changed by a second press of the same price', async () => {
  const first = await edit({ unitPrice: '3,600.00' })
  expect([first.status, wordsOf(first.text).includes('Cambia de $36.00 a $3,600.00')]).toEqual([409, true])
  expect(first.text).toContain('Sí, guardar')
  expect((await edit({ unitPrice: '3,900.00', sure: '36000000' })).status).toBe(409)
  expect(await stored('CAB-8')).toMatchObject({ unitPrice: 36_0000, version: 1 })
  expect((await edit({ unitPrice: '3,600.00', sure: '36000000' })).status).toBe(303)
  expect(await stored('CAB-8')).toMatchObject({ unitPrice: 3600_0000 })
})

test.each([
  ['54.00', 303],
  ['54.01', 409],
  ['18.00', 303],
  ['17.99', 409],
])('a price of $36.00 changed to %s answers %i: over 50 %% is asked once', async (unitPrice, status) =>
  expect((await edit({ unitPrice })).status).toBe(status),
)

test('the same form sent twice is one change; another one on what was overtaken changes nothing', async () => {
  expect((await edit({})).status).toBe(303)
  expect((await edit({})).status).toBe(303)
  expect(await history()).toHaveLength(1)
  const late = await edit({ unitPrice: '41.77' })
  expect([late.status, late.text.includes('value="41.77"')]).toEqual([409, true])
  expect(await stored('CAB-8')).toMatchObject({ unitPrice: 39_5000, version: 2 })
})

test('an item is added once, with its keys in capitals', async () => {
  expect((await add({})).status).toBe(303)
  expect(await stored('POS-2')).toMatchObject({ unitPrice: 1250_1234, iva: 0, satUnit: 'H87', position: 42 })
  const again = await add({ description: 'Otro poste' })
  expect([again.status, again.text.includes('Ya hay una partida con esa clave.')]).toEqual([409, true])
  expect(await stored('POS-2')).toMatchObject({ description: 'Poste de concreto' })
})

test.each([
  ['unitPrice', '12.34567', 'Escribe el precio como 1,250.50'],
  ['unitPrice', '1000000', 'Escribe el precio como 1,250.50'],
  ['satProduct', '123', 'Escribe los 8 dígitos'],
  ['satUnit', 'X', 'Escribe la clave de unidad'],
  ['kind', 'discount', 'Elige de qué tipo es.'],
  ['iva', '8', 'Elige el IVA.'],
  ['description', ' ', 'Escribe qué es.'],
])('a wrong %s is told under its field', async (field, typed, message) => {
  const answer = await edit({ [field]: typed })
  expectPage(answer, 400, message)
  expect(await stored('CAB-8')).toMatchObject({ version: 1 })
})

test('nobody else reads it, and there is none of another code', async () => {
  const { manager: _, customer: __, ...staff } = people
  for (const person of Object.values(staff))
    expect((await world.data(here, person)).text).not.toContain('CAB-8')
  expect((await edit({ code: 'NADA' })).status).toBe(404)
  expect(await history()).toEqual([])
})
