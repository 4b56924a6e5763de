import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  checkDigitOf,
  faultOfRfc,
  foreignRfc,
  isGeneric,
  kindOfRfc,
  normaliseRfc,
  publicRfc,
  warningOfRfc,
} from '../../src/domain/invoices/taxpayer.ts'

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

test('reads an RFC in any case, with any gaps and hyphens', () => {
  const gap = fc.constantFrom('', ' ', '-', '  ', ' - ')
  fc.assert(
    fc.property(anyRfc, gap, fc.boolean(), (rfc, between, small) => {
      const typed = [...(small ? rfc.toLowerCase() : rfc)].join(between)
      expect(normaliseRfc(typed)).toBe(rfc)
      expect(normaliseRfc(normaliseRfc(typed))).toBe(rfc)
      expect([faultOfRfc(rfc), warningOfRfc(rfc)]).toEqual([null, null])
    }),
  )
})

test('warns of a wrong check digit, and accepts it', () => {
  fc.assert(
    fc.property(anyRfc, fc.constantFrom(...'0123456789A'), (rfc, last) => {
      const other = rfc.slice(0, -1) + last
      expect(faultOfRfc(other)).toBeNull()
      expect(warningOfRfc(other) === null).toBe(other === rfc)
    }),
  )
})

test('accepts the generic RFCs', () => {
  for (const rfc of [publicRfc, foreignRfc]) {
    const judged = [faultOfRfc(rfc), warningOfRfc(rfc), isGeneric(rfc), kindOfRfc(rfc)]
    expect(judged).toEqual([null, null, true, 'fisica'])
  }
  expect(isGeneric('GODE561231GR8')).toBe(false)
})
