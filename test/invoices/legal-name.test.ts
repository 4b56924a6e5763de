import fc from 'fast-check'
import { expect, test } from 'vitest'
import { legalNameOf, takenOff, withoutCapitalRegime } from '../../src/domain/invoices/legal-name.ts'

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
])('takes the régimen off %s', (typed, legalName, taken) => {
  expect(withoutCapitalRegime(legalNameOf(typed))).toEqual({ legalName, taken })
})

test.each(['CASA', 'LA CASA MESA', 'SA DE CV', 'UNIVERSIDAD NACIONAL', 'COMPRASAC', 'SA DE CV EJEMPLO'])(
  'keeps %s whole',
  (name) => expect(withoutCapitalRegime(name)).toEqual({ legalName: name, taken: null }),
)

test('says what was taken off', () => {
  expect(takenOff('SA DE CV')).toBe('El SAT pide el nombre sin SA DE CV')
})

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
