import { expect, test } from 'vitest'
import { parsePostalList, placeOfLine } from '../../src/domain/projects/postal-codes.ts'

const file = [
  'El Catálogo Nacional de Códigos Postales, es elaborado por Correos de México',
  'd_codigo|d_asenta|d_tipo_asenta|D_mnpio|d_estado|d_ciudad',
  '03100|Del Valle Centro|Colonia|Benito Juárez|Ciudad de México|Ciudad de México',
  '53100|Ciudad Satélite|Fraccionamiento|Naucalpan de Juárez|México|Naucalpan de Juárez',
  '',
  'abcde|Nada|Colonia|Nada|Nada|',
].join('\r\n')

test('reads the official file', () => {
  expect(parsePostalList(file)).toEqual([
    {
      postalCode: '03100',
      colonia: 'Del Valle Centro',
      municipality: 'Benito Juárez',
      state: 'Ciudad de México',
    },
    { postalCode: '53100', colonia: 'Ciudad Satélite', municipality: 'Naucalpan de Juárez', state: 'México' },
  ])
})

test('refuses another file', () => {
  expect(() => parsePostalList('a,b,c\n1,2,3')).toThrow('columns are missing')
})

test.each([
  ['Benito Juárez', 'Ciudad de México', { area: 'served', municipality: 'benito-juarez' }],
  ['Gustavo A. Madero', 'Distrito Federal', { area: 'served', municipality: 'gustavo-a-madero' }],
  ['Naucalpan de Juárez', 'México', { area: 'served', municipality: 'naucalpan' }],
  ['Benito Juárez', 'Quintana Roo', { area: 'elsewhere' }],
  ['Metepec', 'México', { area: 'edomex' }],
])('finds the area of %s, %s', (municipality, state, place) => {
  expect(placeOfLine({ municipality, state })).toEqual(place)
})
