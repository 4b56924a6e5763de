import { warnings } from '../../src/projects/rules/address.ts'
import { parsePostalList, placeOfLine } from '../../src/projects/rules/postal-codes.ts'
import { addressInput } from '../../src/projects/rules/schema.ts'

const house = {
  postalCode: '03100',
  colonia: ' Del  Valle ',
  street: 'Av. Insurgentes\u0000 Sur',
  outerNumber: 'S/N',
  dwelling: 'house',
  parking: 'own_covered',
}

/** What the form answers: the locality when it is right, otherwise the messages by field. */
function answer(typed: object) {
  const parsed = addressInput.safeParse({ ...house, ...typed })
  if (!parsed.success)
    return Object.fromEntries(parsed.error.issues.map((i) => [i.path.join('.'), i.message]))
  const { area, regionGroup, municipality, state } = parsed.data
  return { area, regionGroup, municipality, state }
}

const benitoJuarez = { area: 'served', regionGroup: 'cdmx', municipality: 'benito-juarez', state: 'cdmx' }
const isBenitoJuarez = 'El código postal 03100 es de Benito Juárez. Cambia uno de los dos.'
const inEdomex = { postalCode: '54000', regionGroup: 'edomex', state: 'edomex' }
const ofEdomex = { regionGroup: 'edomex', state: 'edomex' }

const tried: [what: string, typed: object, expected: object][] = [
  ['a postal code alone', {}, benitoJuarez],
  ['with the municipality’s label', { municipality: 'Benito Juárez' }, benitoJuarez],
  ['another borough', { municipality: 'coyoacan' }, { municipality: isBenitoJuarez }],
  [
    'the other group',
    { regionGroup: 'edomex' },
    { regionGroup: expect.stringContaining('Ciudad de México') },
  ],
  ['another state', { state: 'jalisco' }, { state: expect.stringContaining('Ciudad de México') }],
  ['an invented state', { state: 'texas' }, { state: 'Elige un estado de la lista.' }],
  ['Toluca', { postalCode: '50 100' }, { area: 'served', municipality: 'toluca', ...ofEdomex }],
  [
    'Edomex outside',
    { ...inEdomex, municipality: 'Tlalnepantla' },
    { area: 'outside', municipality: 'Tlalnepantla', ...ofEdomex },
  ],
  ['Edomex outside, no municipality', inEdomex, { municipality: 'Escribe el municipio.' }],
  [
    'Edomex outside, claimed to be Toluca',
    { ...inEdomex, municipality: 'toluca' },
    { municipality: 'El código postal 54000 no es de Toluca. Cambia uno de los dos.' },
  ],
  [
    'the same, and insisted on',
    { ...inEdomex, municipality: 'toluca', confirmInArea: 'on' },
    { area: 'to_verify', municipality: 'toluca', ...ofEdomex },
  ],
  [
    'insisted on without one of the four',
    { ...inEdomex, municipality: 'coyoacan', confirmInArea: 'on' },
    { municipality: 'Elige Toluca, Lerma, Huixquilucan o Naucalpan.' },
  ],
  [
    'another state for a code of Edomex',
    { ...inEdomex, municipality: 'Tlalnepantla', state: 'cdmx' },
    { state: 'Ese código postal es del Estado de México.' },
  ],
  [
    'far away, whatever is insisted on',
    {
      postalCode: '64000',
      municipality: 'Monterrey',
      state: 'nuevo-leon',
      regionGroup: 'cdmx',
      confirmInArea: 'on',
    },
    { area: 'outside', regionGroup: null, municipality: 'Monterrey', state: 'nuevo-leon' },
  ],
  [
    'far away, no state: its code says it',
    { postalCode: '64000', municipality: 'Monterrey' },
    { area: 'outside', regionGroup: null, municipality: 'Monterrey', state: 'nuevo-leon' },
  ],
  ['no place at all', { postalCode: '00000', municipality: 'Monterrey' }, { state: 'Elige el estado.' }],
  [
    'a slip in the code',
    { postalCode: '64000', municipality: 'benito-juarez', state: 'cdmx' },
    { state: 'El código postal 64000 no es de Ciudad de México. Cambia uno de los dos.' },
  ],
]

test.each(tried)('%s', (_, typed, expected) => expect(answer(typed)).toEqual(expected))

test('an address tidies text, and keeps omitted fields as null', () => {
  expect(addressInput.parse({ ...house, receiverPhone: '+52 55 1234 5678', references: ' ' })).toEqual({
    ...benitoJuarez,
    postalCode: '03100',
    colonia: 'Del Valle',
    street: 'Av. Insurgentes Sur',
    outerNumber: 'S/N',
    innerNumber: null,
    betweenStreets: null,
    references: null,
    receiverName: null,
    receiverPhone: '5512345678',
    dwelling: 'house',
    parking: 'own_covered',
    gateNotes: null,
    cfeServiceNumber: null,
  })
})

test('an address says what each field of an empty form needs', () => {
  const { error } = addressInput.safeParse({})
  expect(Object.fromEntries(error!.issues.map((i) => [i.path[0], i.message]))).toEqual({
    postalCode: 'Escribe el código postal.',
    colonia: 'Escribe la colonia.',
    street: 'Escribe la calle.',
    outerNumber: 'Escribe el número exterior, o S/N si no tiene.',
    dwelling: 'Elige el tipo de vivienda.',
    parking: 'Elige el tipo de estacionamiento.',
  })
})

test('an address limits lengths and choices', () => {
  expect(answer({ references: 'ñ'.repeat(300) })).toEqual(benitoJuarez)
  expect(answer({ references: 'ñ'.repeat(301) })).toEqual({ references: 'Usa como máximo 300 caracteres.' })
  expect(answer({ postalCode: '310' })).toEqual({ postalCode: 'El código postal tiene 5 dígitos.' })
  expect(answer({ dwelling: '__proto__' })).toEqual({ dwelling: 'Elige el tipo de vivienda.' })
})

test('an address only warns of a malformed CFE number', () => {
  const kept = addressInput.parse({ ...house, cfeServiceNumber: '0123 4567 8901' })
  expect(kept.cfeServiceNumber).toBe('012345678901')
  expect(warnings(kept)).toEqual({})
  expect(warnings(addressInput.parse({ ...house, cfeServiceNumber: '123' }))).toHaveProperty(
    'cfeServiceNumber',
  )
  expect(warnings(addressInput.parse(house))).toEqual({})
})

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
