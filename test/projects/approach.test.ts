import { expectScreen, fixture, openBare } from '../kit/open.ts'
import { expectWords } from '../kit/reading.ts'
import { save, wordsOf } from '../kit/settings.ts'

openBare()

const page = async (query = '') => {
  const { status, text } = await fixture.visit(`/approach${query}`)
  expect(status).toBe(200)
  return { text, words: wordsOf(text) }
}

test.each([
  ['03100', 'Sí, llegamos a Benito Juárez'],
  ['52140', 'Todavía no llegamos al 52140'],
  ['52140', 'Mi domicilio sí está en Toluca, Lerma'],
  ['52140&mio=si', 'Por verificar'],
  ['17000', 'Ese código postal no existe. Revísalo.'],
  ['', 'Escribe tu código postal.'],
  ['031', 'El código postal tiene 5 dígitos.'],
])('answers the postal code %j: %s', async (postalCode, answer) => {
  expect((await page(`?cp=${postalCode}`)).words).toContain(answer)
})

test('the public page shows its steps and an estimate, by the input and the manager’s settings', async () => {
  expectWords((await page()).words, '1. Regístrate', '5. Trámite ante CFE', '$11,000 a $14,800')
  const asked = '?metros=25&medidor=si&cargador=si'
  expect((await page(asked)).words).toContain('$28,600 a $38,700')
  expect((await page('?metros=mucho')).words).toContain('Escribe los metros, de 0 a 300.')
  const prices = { base: '10,000', baseMetres: '10', perMetre: '0', secondMeter: '0', charger: '0' }
  await save(await fixture.person({ kind: 'manager' }), 'estimate', { ...prices, rangePercent: '10' })
  expect((await page(asked)).words).toContain('$9,000 a $11,000')
})

test('a well-formed code is kept in the links to sign up and sign in; a malformed one is not', async () => {
  const { text } = await page('?codigo=abc234&cp=03100')
  expectWords(text, 'href="/signup?codigo=ABC234"', 'href="/signin?codigo=ABC234"', 'value="ABC234"')
  await expectScreen('/signup?codigo=abc234', undefined, 'href="/approach?codigo=ABC234"')
  const wrong = await page(`?codigo=${encodeURIComponent('"><img src=x>')}`)
  expectWords(wrong.text, 'href="/signup"')
  expect(wrong.text).not.toContain('<img src=x')
})
