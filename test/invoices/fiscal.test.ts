import { expect, test } from 'vitest'
import {
  cfdiUseCodes,
  cfdiUseFits,
  cfdiUseLabel,
  cfdiUses,
  genericTerms,
  regimeCodes,
  regimeFits,
  regimeLabel,
  regimes,
} from '../../src/domain/invoices/taxpayer.ts'

/** The catalogue once more, as the SAT prints it: who may be in which régimen. */
const kinds: Record<string, string> = {
  '601': 'M',
  '603': 'M',
  '605': 'F',
  '606': 'F',
  '607': 'F',
  '608': 'F',
  '610': 'FM',
  '611': 'F',
  '612': 'F',
  '614': 'F',
  '615': 'F',
  '616': 'F',
  '620': 'M',
  '621': 'F',
  '622': 'M',
  '623': 'M',
  '624': 'M',
  '625': 'F',
  '626': 'FM',
}
const business = '601 603 606 612 620 621 622 623 624 625 626'
const personal = '605 606 607 608 611 612 614 615 625'
const all = Object.keys(kinds).join(' ')
const asked: Record<string, string> = {
  G01: business,
  G02: `${business} 616`,
  G03: business,
  S01: all,
  CP01: all,
  CN01: '605',
  ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((nth) => [`I0${nth}`, business])),
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((nth) => [`D${nth < 10 ? '0' : ''}${nth}`, personal]),
  ),
}

test('has 19 régimenes and 24 uses, each with its name', () => {
  expect(regimeCodes).toEqual(Object.keys(kinds))
  expect([...cfdiUseCodes].toSorted()).toEqual(Object.keys(asked).toSorted())
  for (const { name } of [...Object.values(regimes), ...Object.values(cfdiUses)])
    expect(name.length).toBeGreaterThan(4)
  expect([regimeLabel('612'), cfdiUseLabel('G03')]).toEqual([
    '612 · Personas Físicas con Actividades Empresariales y Profesionales',
    'G03 · Gastos en general',
  ])
})

test('allows each use for each régimen and kind as the SAT does', () => {
  for (const regime of regimeCodes)
    for (const kind of ['fisica', 'moral'] as const) {
      const may = kinds[regime]!.includes(kind === 'fisica' ? 'F' : 'M')
      expect([regime, kind, regimeFits(regime, kind)]).toEqual([regime, kind, may])
      for (const use of cfdiUseCodes) {
        const isPersons = use.startsWith('D') || use === 'CN01'
        const fits = may && asked[use]!.split(' ').includes(regime) && (kind === 'fisica' || !isPersons)
        expect([regime, use, kind, cfdiUseFits(use, regime, kind)]).toEqual([regime, use, kind, fits])
      }
    }
})

test('fixes régimen and use of the generic RFCs', () => {
  expect(genericTerms('XAXX010101000')).toEqual({
    regime: '616',
    use: 'S01',
    legalName: 'PUBLICO EN GENERAL',
  })
  expect(genericTerms('XEXX010101000')).toEqual({ regime: '616', use: 'S01', legalName: null })
  expect(genericTerms('GODE561231GR8')).toBeNull()
  expect(cfdiUseFits('S01', '616', 'fisica')).toBe(true)
})
