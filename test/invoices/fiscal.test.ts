import fc from 'fast-check'
import { legalNameOf, takenOff, withoutCapitalRegime } from '../../src/invoices/rules/legal-name.ts'
import {
  cfdiUseCodes,
  cfdiUseFits,
  cfdiUseLabel,
  cfdiUses,
  checkDigitOf,
  faultOfRfc,
  foreignRfc,
  genericTerms,
  isGeneric,
  kindOfRfc,
  normaliseRfc,
  publicRfc,
  regimeCodes,
  regimeFits,
  regimeLabel,
  regimes,
  warningOfRfc,
} from '../../src/invoices/rules/taxpayer.ts'

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

/** Those of the SAT's own test certificates, and of some who print theirs on every ticket. */
const real = [
  'GODE561231GR8',
  'EKU9003173C9',
  'CACX7605101P8',
  'MISC491214B86',
  'OÑO120726RX3',
  'XIQB891116QE4',
  'JUFA7608212V6',
  'CFE370814QI0',
]

test.each(real)('accepts %s with its check digit', (rfc) => {
  expect([faultOfRfc(rfc), warningOfRfc(rfc)]).toEqual([null, null])
  expect(kindOfRfc(rfc)).toBe(rfc.length === 12 ? 'moral' : 'fisica')
})

test.each([
  [' gode-561231-gr8 ', 'GODE561231GR8'],
  ['oño 120726 rx3', 'OÑO120726RX3'],
  ['OÑO120726RX3'.normalize('NFD'), 'OÑO120726RX3'],
  ['GODE561231–GR8\u200b', 'GODE561231GR8'],
])('normalises "%s" to %s', (typed, rfc) => expect(normaliseRfc(typed)).toBe(rfc))

describe('refuses', () => {
  test.each([
    ['', 'Escribe tu RFC.'],
    ['GODE561231', 'El RFC tiene 13 caracteres, o 12 si es de una empresa.'],
    ['GODE561231GR88', 'El RFC tiene 13 caracteres, o 12 si es de una empresa.'],
    ['GOD3561231GR8', 'Revisa tu RFC: son letras, una fecha y 3 caracteres, como GODE561231GR8.'],
    ['GODE561231GRB', 'Revisa tu RFC: son letras, una fecha y 3 caracteres, como GODE561231GR8.'],
    ['GODE561331GR8', 'La fecha dentro de tu RFC no existe.'],
    ['GODE560400GR8', 'La fecha dentro de tu RFC no existe.'],
  ])('%s', (rfc, said) => expect(faultOfRfc(rfc)).toBe(said))

  test('29 February outside leap years', () => {
    for (const year of ['00', '56']) expect(faultOfRfc(`GODE${year}0229GR8`)).toBeNull()
    for (const year of ['01', '99']) expect(faultOfRfc(`GODE${year}0229GR8`)).not.toBeNull()
  })
})

const letters = [...'ABCDEFGHIJKLMNÑOPQRSTUVWXYZ&']
const day = fc.date({ min: new Date('1940-01-01'), max: new Date('2026-08-06'), noInvalidDate: true })
const anyRfc = fc
  .tuple(
    fc.array(fc.constantFrom(...letters), { minLength: 3, maxLength: 4 }),
    day,
    fc.stringMatching(/^[A-Z0-9]{2}$/),
  )
  .map(([initials, date, homoclave]) => {
    const written = date.toISOString().slice(2, 10).replaceAll('-', '')
    const rfc = `${initials.join('')}${written}${homoclave}0`
    return rfc.slice(0, -1) + checkDigitOf(rfc)
  })

test('reads an RFC in any case, with any gaps and hyphens', () =>
  fc.assert(
    fc.property(anyRfc, fc.constantFrom('', ' ', '-', '  ', ' - '), fc.boolean(), (rfc, between, small) => {
      const typed = [...(small ? rfc.toLowerCase() : rfc)].join(between)
      expect(normaliseRfc(typed)).toBe(rfc)
      expect(normaliseRfc(normaliseRfc(typed))).toBe(rfc)
      expect([faultOfRfc(rfc), warningOfRfc(rfc)]).toEqual([null, null])
    }),
  ))

test('warns of a wrong check digit, and accepts it', () =>
  fc.assert(
    fc.property(anyRfc, fc.constantFrom(...'0123456789A'), (rfc, last) => {
      const other = rfc.slice(0, -1) + last
      expect(faultOfRfc(other)).toBeNull()
      expect(warningOfRfc(other) === null).toBe(other === rfc)
    }),
  ))

test('accepts the generic RFCs', () => {
  for (const rfc of [publicRfc, foreignRfc]) {
    const judged = [faultOfRfc(rfc), warningOfRfc(rfc), isGeneric(rfc), kindOfRfc(rfc)]
    expect(judged).toEqual([null, null, true, 'fisica'])
  }
  expect(isGeneric('GODE561231GR8')).toBe(false)
})

test.each([
  ['  grupo   ejemplo sa de cv ', 'GRUPO EJEMPLO', 'SA DE CV'],
  ['Grupo Ejemplo, S.A. de C.V.', 'GRUPO EJEMPLO', 'S.A. DE C.V.'],
  ['GRUPO EJEMPLO S A DE C V', 'GRUPO EJEMPLO', 'S A DE C V'],
  ['Ñandú Eléctrico SAPI de CV', 'ÑANDÚ ELÉCTRICO', 'SAPI DE CV'],
  ['Uno S de RL de CV', 'UNO', 'S DE RL DE CV'],
  ['Uno S de RL MI', 'UNO', 'S DE RL MI'],
  ['Bufete Dos SC', 'BUFETE DOS', 'SC'],
  ['Colonos Tres A.C.', 'COLONOS TRES', 'A.C.'],
  ['Seis, Sociedad Anónima de Capital Variable', 'SEIS', 'SOCIEDAD ANÓNIMA DE CAPITAL VARIABLE'],
  ['Ocho SC de RL de CV', 'OCHO', 'SC DE RL DE CV'],
  ['Nueve S en C por A', 'NUEVE', 'S EN C POR A'],
  ['Diez SPR de RL', 'DIEZ', 'SPR DE RL'],
  ['Once SA de CV SOFOM ENR', 'ONCE', 'SA DE CV SOFOM ENR'],
  ['Doce, S.A. de C.V., S.O.F.O.M., E.R.', 'DOCE', 'S.A. DE C.V. S.O.F.O.M., E.R.'],
  ['Trece Sociedad de Producción Rural de R.L.', 'TRECE', 'SOCIEDAD DE PRODUCCIÓN RURAL DE R.L.'],
  ['Catorce IBP', 'CATORCE', 'IBP'],
  ['Quince Sociedad Cooperativa de RL', 'QUINCE', 'SOCIEDAD COOPERATIVA DE RL'],
])('takes the régimen off %s', (typed, legalName, taken) =>
  expect(withoutCapitalRegime(legalNameOf(typed))).toEqual({ legalName, taken }),
)

test.each(['CASA', 'LA CASA MESA', 'SA DE CV', 'UNIVERSIDAD NACIONAL', 'COMPRASAC', 'SA DE CV EJEMPLO'])(
  'keeps %s whole',
  (name) => expect(withoutCapitalRegime(name)).toEqual({ legalName: name, taken: null }),
)

test('makes curly quotes straight', () => expect(legalNameOf('“Pepe” d’Oro')).toBe(`"PEPE" D'ORO`))

test('says what was taken off', () => expect(takenOff('SA DE CV')).toBe('El SAT pide el nombre sin SA DE CV'))

test('takes everything off at once, and loses nothing', () => {
  const word = fc.constantFrom(...'GRUPO EJEMPLO Y SA CV DE S.A. SC Ñ SAPI RL S'.split(' '))
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), (words) => {
      const name = words.join(' ')
      const { legalName, taken } = withoutCapitalRegime(name)
      expect(taken === null ? legalName : `${legalName} ${taken}`).toBe(name)
      expect(legalName).not.toBe('')
      expect(withoutCapitalRegime(legalName)).toEqual({ legalName, taken: null })
    }),
  )
})
