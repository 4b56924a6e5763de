import { demoReport } from '../../seeds/reports.ts'
import type { Db } from '../../src/platform/database/client.ts'
import { activeCatalogue } from '../../src/quotes/catalogue.ts'
import {
  type CatalogueItem,
  type ChargedLine,
  isCharged,
  type OptionId,
  optionIds,
} from '../../src/quotes/rules/content.ts'
import { proposeOptions, type QuoteProposal } from '../../src/quotes/rules/proposal.ts'
import { totalsOf } from '../../src/quotes/rules/totals.ts'
import type { Answers } from '../../src/reports/rules/report.ts'
import { completeAnswers } from '../kit/complete-sheet.ts'
import { freshDatabase } from '../kit/fresh-database.ts'

let db: Db
let catalogue: readonly CatalogueItem[]
beforeAll(async () => {
  db = await freshDatabase()
  catalogue = await activeCatalogue(db)
})
afterAll(() => db.$client.end())

const proposed = (answers: Answers, items = catalogue): QuoteProposal => proposeOptions(answers, items)!
const option = (id: OptionId, answers: Answers) =>
  proposed(answers).options.find((one) => one.id === id) ?? expect.fail(id)
/** A line in one row: what, how much, at what price, in thousandths and ten-thousandths. */
const rowOf = ({ description, quantity, unit, unitPrice }: ChargedLine) =>
  `${quantity / 1000} ${unit} · ${description} · ${unitPrice / 10_000}`
const rows = (id: OptionId, answers: Answers) => option(id, answers).lines.filter(isCharged).map(rowOf)

const demo = { ...demoReport, chargerDistance: 12 }

const essential = [
  '1 pieza · Cargador de hasta 7.7 kW, con garantía del fabricante · 9482.76',
  '24 m · Cable de cobre THW calibre 8 AWG · 36',
  '12 m · Cable de cobre THW calibre 10 AWG, para tierra · 22',
  '12 m · Tubería visible con abrazaderas · 95',
  '1 pieza · Interruptor termomagnético de 2 polos, 40 A · 420',
  '1 servicio · Instalación y conexión del cargador · 6400',
  '12 m · Tendido de tubería y cable · 95',
  '1 servicio · Pruebas, puesta en marcha y capacitación · 650',
  '1 servicio · Traslado de la cuadrilla · 350',
]
const surge = '1 pieza · Supresor de picos para la línea del cargador · 1450'

test('the demo report is quoted with these lines', () => {
  expect(rows('essential', demo)).toEqual(essential)
  expect(rows('recommended', demo)).toEqual(essential.toSpliced(5, 0, surge))
  expect(rows('complete', demo)).toEqual([
    ...essential.slice(0, 5),
    surge,
    '1 pieza · Desconectador junto al cargador · 980',
    '1 pieza · Soporte para el cable del cargador · 280',
    ...essential.slice(5, 8),
    '1 servicio · Mantenimiento preventivo al año · 1200',
    essential[8],
  ])
})

test('the demo report is quoted with these add-ons, metres, ids and totals', () => {
  expect(optionIds.map((id) => option(id, demo).addOns.map(({ description }) => description))).toEqual([
    [
      'Supresor de picos para la línea del cargador',
      'Pedestal para el cargador, con su base',
      'Mantenimiento preventivo al año',
    ],
    ['Pedestal para el cargador, con su base', 'Mantenimiento preventivo al año'],
    ['Pedestal para el cargador, con su base'],
  ])
  // Two hots and an earth wire, the conduit and its laying.
  for (const id of optionIds)
    expect(option(id, demo).metres).toEqual({ included: 120, furtherPrice: 284_0000 })
  const totals = optionIds.map((id) => totalsOf(option(id, demo).lines).total)
  expect(totals).toEqual([24_024_48, 25_706_48, 28_560_08])
  const ids = proposed(demo).options.flatMap(({ addOns, lines }) => [...lines, ...addOns].map(({ id }) => id))
  expect(new Set(ids).size).toBe(ids.length)
})

const added = (changes: Answers) => {
  const before = new Set(rows('essential', completeAnswers.visit))
  return rows('essential', { ...completeAnswers.visit, ...changes }).filter((row) => !before.has(row))
}

test.each<[string, Answers, string[]]>([
  ['an earth that is bad', { groundOk: false }, ['1 pieza · Varilla de tierra física con registro · 1350']],
  ['a full panel', { sparePoles: 1 }, ['1 pieza · Centro de carga de 8 espacios · 1450']],
  [
    'a second meter, far from its pole',
    { meterChoice: 'second', poleDistance: 35.1 },
    [
      '1 servicio · Obra para un segundo medidor · 3879.31',
      '1 trámite · Trámite de segundo medidor ante CFE · 1500',
      '1 trámite · Solicitud de factibilidad ante CFE · 900',
    ],
  ],
  [
    'a larger contract, at 35 m from its pole',
    { loadIncrease: true, poleDistance: 35 },
    ['1 trámite · Trámite de aumento de carga ante CFE · 1200'],
  ],
  [
    'an inspection and a permit',
    { needsUvie: true, needsPermit: true },
    [
      '1 dictamen · Dictamen de una unidad de inspección (UVIE) · 3500',
      '1 trámite · Gestión del permiso del condominio · 600',
    ],
  ],
  ['six and a half hours', { hours: 6.5 }, ['2.5 hora · Hora adicional de la cuadrilla · 380']],
  [
    'a way below ground',
    { route: 'underground' },
    ['22.5 m · Tubería subterránea, con zanja y relleno · 260'],
  ],
  ['a way inside walls', { route: 'embedded' }, ['22.5 m · Tubería empotrada, con ranura y resane · 220']],
  [
    'three phases and 22 kW',
    { chargerSupply: 'three', chargerAmps: 60, chargerKilowatts: 22, conductor: '3' },
    [
      '1 pieza · Cargador de hasta 22 kW, con garantía del fabricante · 17200',
      '90 m · Cable de cobre THW calibre 3 AWG · 110',
      '22.5 m · Cable de cobre THW calibre 8 AWG, para tierra · 36',
      '1 pieza · Interruptor termomagnético de 3 polos, 80 A · 1480',
      '1 pieza · Desconectador junto al cargador · 980',
    ],
  ],
  [
    'one phase',
    { chargerSupply: 'single', chargerAmps: 16, chargerKilowatts: 1.9, conductor: '10' },
    [
      '45 m · Cable de cobre THW calibre 10 AWG · 22',
      '1 pieza · Interruptor termomagnético de 1 polo, 20 A · 180',
    ],
  ],
])('a report with %s adds its lines', (_, changes, lines) => {
  expect(added(changes)).toEqual(lines)
})

test.each<[string, Answers, string]>([
  ['32 A at 60 m on 6 AWG', { chargerDistance: 60, conductor: '6' }, '60 m · Cable de cobre THW calibre 8'],
  [
    '16 A of 127 V at 60 m on 6 AWG',
    { chargerSupply: 'single', chargerAmps: 16, chargerKilowatts: 2, chargerDistance: 60, conductor: '6' },
    '60 m · Cable de cobre THW calibre 6',
  ],
  [
    '50 A on 6 AWG at 75 °C',
    { chargerAmps: 40, conductor: '6', terminals75: true },
    '22.5 m · Cable de cobre THW calibre 8',
  ],
])('a report with %s has an earth wire that grew with its phases', (_, changes, words) => {
  const quoted = rows('essential', { ...completeAnswers.visit, ...changes })
  expect(quoted.find((row) => row.includes('para tierra'))).toContain(words)
})

test('a report with a charger of the customer charges none', () => {
  const own = rows('complete', { ...completeAnswers.visit, chargerSupplier: 'own' })
  expect(own.filter((row) => row.includes('Cargador de'))).toEqual([])
})

test('omits and names what the catalogue lacks', () => {
  const without = catalogue.filter(({ code }) => code !== 'PRU-1')
  const { missing, options } = proposed(demo, without)
  expect(missing).toEqual(['PRU-1'])
  expect(options[0]?.lines).toHaveLength(8)
})

test('quotes nothing for a report without a circuit', () => {
  expect(proposeOptions({ ...demo, chargerDistance: null }, catalogue)).toBeNull()
  expect(proposeOptions({ ...demo, chargerAmps: 81 }, catalogue)).toBeNull()
})
