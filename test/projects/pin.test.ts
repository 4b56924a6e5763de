import { type Pin, pinAfter, pinAt, pinOf, pinText, readPin } from '../../src/projects/rules/pin.ts'
import { addressInput } from '../../src/projects/rules/schema.ts'
import { whyFarFrom } from '../../src/scheduling/rules/roster.ts'
import { mapLink } from '../../src/shared/format.ts'
import { addressForm } from '../kit/people.ts'

const pin: Pin = { latitude: 19.4326, longitude: -99.1332 }
const maps = 'https://www.google.com/maps'

test.each([
  ['coordinates', '19.4326, -99.1332'],
  ['in brackets, as copied', '(19.4326, -99.1332)'],
  ['with degrees', '19.4326°, -99.1332°'],
  ['finer than a tenth of a metre', '19.43260004, -99.13319996'],
  ['what was shown', `${maps}/@19.4326,-99.1332,17z`],
  [
    'a place, before what was shown',
    `${maps}/place/X/@19.5,-99.2,17z/data=!3m1!4b1!4m6!3m5!8m2!3d19.4326!4d-99.1332!16s`,
  ],
  ['a search', `${maps}?q=19.4326,-99.1332`],
  ['a search, escaped', `${maps}/search/?api=1&query=19.4326%2C-99.1332`],
  ['a message of a phone', `https://maps.google.com/maps?q=loc:19.4326,-99.1332&z=17`],
  ['a middle', 'https://maps.google.com/?ll=19.4326,-99.1332&z=12'],
])('reads a pasted pin: %s', (_, pasted) => {
  expect(readPin(pasted)).toEqual(pin)
})

test.each([
  ['a short link', 'https://maps.app.goo.gl/abc123', 'Ese enlace corto no dice dónde está.'],
  ['another one', 'goo.gl/maps/abc', 'Ese enlace corto no dice dónde está.'],
  ['a place by its name', `${maps}/place/Zócalo`, 'Ese enlace no dice dónde está.'],
  ['words', 'por el parque', 'Pega un enlace de Google Maps'],
  ['three numbers', '19.4326, -99.1332, 17', 'Pega un enlace de Google Maps'],
  ['without its sign', '19.4326, 99.1332', 'Ese punto queda fuera de México.'],
])('refuses a pasted pin: %s', (_, pasted, words) => {
  expect(readPin(pasted)).toMatch(words)
})

test('an empty pin is none', () => {
  expect(readPin('')).toBeNull()
})

test('refuses a pin far from its municipality, where its centre is known', () => {
  expect(whyFarFrom('coyoacan', pin)).toBeNull()
  expect(whyFarFrom('coyoacan', { latitude: 19.0414, longitude: -98.2063 })).toBe(
    'Ese punto queda a 106\u00a0km de Coyoacán. Revisa la ubicación y el código postal.',
  )
  expect(whyFarFrom('Tepic', pin)).toBeNull()
})

const answer = (typed: object) => {
  const { data, error } = addressInput.safeParse({ ...addressForm, ...typed })
  if (error) return Object.fromEntries(error.issues.map(({ message, path }) => [path.join(), message]))
  return [data.latitude, data.longitude]
}

test('the form of an address keeps a pin, none, or leaves it out', () => {
  expect(answer({ pin: ' 19.35, -99.1622 ' })).toEqual([19.35, -99.1622])
  expect(answer({ pin: ' ' })).toEqual([null, null])
  expect(answer({})).toEqual([undefined, undefined])
})

test('the form of an address shows errors of the pin with those of other fields', () => {
  expect(answer({ pin: 'aquí' })).toEqual({ pin: expect.stringContaining('Pega un enlace') })
  expect(answer({ pin: '19.0414, -98.2063' })).toEqual({ pin: expect.stringContaining('de Coyoacán') })
  expect(answer({ pin: 'aquí', municipality: 'Tepic' })).toEqual({
    pin: expect.stringContaining('Pega un enlace'),
    municipality: expect.stringContaining('Coyoacán'),
  })
  expect(answer({ pin: '1'.repeat(2001) })).toEqual({ pin: 'Usa como máximo 2000 caracteres.' })
})

const home = { ...addressForm, innerNumber: null, municipality: 'coyoacan' }
const pinned = { ...home, ...pin }
const other = { latitude: 19.36, longitude: -99.16 }
const none = { latitude: null, longitude: null }
test.each([
  ['a first one', null, { ...home, ...pin }, pin],
  ['a first one without', null, home, none],
  ['the same home, not asked', pinned, home, pin],
  ['the same home in capitals, not asked', pinned, { ...home, street: 'CALLE EJEMPLO' }, pin],
  ['the same home of a colonia called otherwise', pinned, { ...home, colonia: 'Centro' }, pin],
  ['the same home, moved on the map', pinned, { ...home, ...other }, other],
  ['the same home, taken off the map', pinned, { ...home, ...none }, none],
  ['another street, not asked', pinned, { ...home, street: 'Nueva' }, none],
  ['another street, the pin of before sent again', pinned, { ...pinned, street: 'Nueva' }, none],
  ['another number', pinned, { ...pinned, outerNumber: '14' }, none],
  ['another house inside', pinned, { ...pinned, innerNumber: '3' }, none],
  ['another postal code', pinned, { ...pinned, postalCode: '04100' }, none],
  ['another municipality', pinned, { ...pinned, municipality: 'tlalpan' }, none],
  ['another home with a pin of its own', pinned, { ...home, street: 'Nueva', ...other }, other],
])('the pin of a saved home: %s', (_, before, after, expected) => {
  expect(pinAfter(before, after)).toEqual({ ...none, ...expected })
})

test('the pin of a home is that of an appointment booked at the same address', () => {
  expect(pinAt(home, pinned)).toEqual(pin)
  expect(pinAt({ ...home, street: 'La de antes' }, pinned)).toBeNull()
  expect([pinAt(null, pinned), pinAt(home, null), pinAt(home, { ...home, ...none })]).toEqual([
    null,
    null,
    null,
  ])
})

test('is read as it was copied, and links to the map at its place', () => {
  expect(readPin(pinText(pin))).toEqual(pin)
  expect(pinOf({ latitude: null, longitude: null })).toBeNull()
  expect(mapLink('Londres 247', pin)).toBe(
    'https://www.google.com/maps/search/?api=1&query=19.4326%2C-99.1332',
  )
  expect(mapLink('Londres 247', null)).toBe('https://www.google.com/maps/search/?api=1&query=Londres%20247')
})
