import { byHand, readAdding } from '../../src/quotes/rules/adding.ts'
import type { CatalogueItem } from '../../src/quotes/rules/content.ts'

const item = (code: string, description: string, unit = 'pieza', kind = 'material'): CatalogueItem => ({
  code,
  description,
  unit,
  kind: kind as 'material',
  unitPrice: 36_0000,
  iva: 16,
  satProduct: '26121600',
  satUnit: 'H87',
})
const gauges = [10, 8, 6, 1, 12].map((gauge) =>
  item(`CAB-${gauge}`, `Cable de cobre THW calibre ${gauge} AWG`, 'm'),
)
const breakers = [1, 2].flatMap((poles) => [
  item(`INT-${poles}P-30`, `Interruptor termomagnético de ${poles} polos, de 15 a 30 A`),
  item(`INT-${poles}P-60`, `Interruptor termomagnético de ${poles} polos, de 40 a 60 A`),
])
const catalogue = [
  item('CAR-7', 'Cargador de hasta 7.7 kW, con garantía del fabricante', 'pieza', 'equipment'),
  ...gauges,
  ...breakers,
  item('TUB-EMP', 'Tubería empotrada, con ranura y resane', 'm'),
  item('SOP-CAB', 'Soporte para el cable del cargador'),
  item('PER-CON', 'Gestión del permiso del condominio', 'trámite', 'permit'),
]

test.each([
  ['8 awg 39', 'Cable de cobre THW calibre 8 AWG', '39'],
  ['39 cable 8', 'Cable de cobre THW calibre 8 AWG', '39'],
  ['Cables 8 8', 'Cable de cobre THW calibre 8 AWG', '8'],
  ['cable 1 22.5m', 'Cable de cobre THW calibre 1 AWG', '22.5'],
  ['CAB-12 1,250', 'Cable de cobre THW calibre 12 AWG', '1250'],
  ['cable de cobre thw calibre 10 awg', 'Cable de cobre THW calibre 10 AWG', '1'],
  ['pastilla 2 polos 50', 'Interruptor termomagnético de 2 polos, 50 A', '1'],
  ['INTERRUPTOR 1P 20 3', 'Interruptor termomagnético de 1 polos, 20 A', '3'],
  ['tubería EMPOTRADA 12 metros', 'Tubería empotrada, con ranura y resane', '12'],
  ['tuberia 9.5', 'Tubería empotrada, con ranura y resane', '9.5'],
  ['cargador', 'Cargador de hasta 7.7 kW, con garantía del fabricante', '1'],
  ['cargador 7.7 2', 'Cargador de hasta 7.7 kW, con garantía del fabricante', '2'],
  ['permiso', 'Gestión del permiso del condominio', '1'],
])('adds "%s" as %s, %s of it', (typed, description, quantity) =>
  expect(readAdding(typed, catalogue)).toMatchObject({ line: { description, quantity }, note: '' }),
)

test.each([
  ['descuento 5 %', 'Descuento', '5 %'],
  ['5% de descuento', 'Descuento', '5 %'],
  ['descuento $500', 'Descuento', '$500.00'],
  ['descuento de temporada 12.5 %', 'Descuento de temporada', '12.5 %'],
])('adds "%s" as a discount', (typed, description, discount) =>
  expect(readAdding(typed, catalogue).line).toMatchObject({ kind: 'discount', description, discount }),
)

test.each([
  ['cable 39', 'CAB-10 CAB-8 CAB-6 CAB-1 CAB-12'],
  ['pastilla 50', 'INT-1P-60 INT-2P-60'],
])('offers what "%s" may be', (typed, codes) => {
  const { candidates, line, note } = readAdding(typed, catalogue)
  expect([line, candidates.map(({ code }) => code).join(' ')]).toEqual([null, codes])
  expect(note).toContain('Elige cuál')
})

test('adds the item that was chosen among candidates, with the quantity typed', () => {
  expect(readAdding('cable 39', catalogue, 'CAB-6').line).toMatchObject({ code: 'CAB-6', quantity: '39' })
  expect(readAdding('cable 39', catalogue, 'CAB-99').line).toBeNull()
})

test.each([
  ['', 'Escribe qué agregar.'],
  ['descuento 5', 'Escribe cuánto se descuenta'],
  ['39', 'No encontramos «39» en el catálogo.'],
  ['cable 8 39 40', 'No encontramos'],
  ['resane de muro 2', 'No encontramos «resane de muro 2» en el catálogo.'],
])('says why "%s" adds nothing', (typed, note) =>
  expect(readAdding(typed, catalogue)).toMatchObject({ line: null, note: expect.stringContaining(note) }),
)

test('adds what the catalogue lacks by hand, as it is typed', () => {
  expect(readAdding('resane de muro 2', catalogue).candidates).toMatchObject([{ code: byHand }])
  expect(readAdding('resane de muro 2', catalogue, byHand).line).toMatchObject({
    code: '',
    description: 'resane de muro',
    quantity: '2',
  })
})
