import { beforeAll, expect, test } from 'vitest'
import { importPostalList } from '../../src/server/projects/postal-list.ts'
import { openBare, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectWords } from '../kit/reading.ts'
import { save, wordsOf } from '../kit/settings.ts'

openBare()
let manager: Person
beforeAll(async () => {
  manager = await world.person({ kind: 'manager' })
})

const page = async (query = '') => {
  const { status, text } = await world.visit(`/approach${query}`)
  expect(status).toBe(200)
  return { text, words: wordsOf(text) }
}

test('the public page says what it is, its five steps and its prices, for search engines too', async () => {
  const { text, words } = await page()
  expect(text).toContain('<title>Tu cargador, instalado en casa · Carga en Casa</title>')
  expect(text).toMatch(/<meta name="description" content="Instalamos el cargador[^"]{60,}"/)
  for (const step of [
    '1. Regístrate',
    '2. Visita técnica',
    '3. Cotización',
    '4. Instalación',
    '5. Trámite ante CFE',
  ])
    expect(words).toContain(step)
  expectWords(words, '$11,000 a $14,800', 'Estimado, con IVA. No es una cotización.')
  for (const link of ['href="/signup"', 'href="/signin"', 'Aviso de privacidad', 'Términos y condiciones'])
    expect(text).toContain(link)
})

test.each([
  ['03100', 'Sí, llegamos a Benito Juárez'],
  ['01000', 'Sí, llegamos a Álvaro Obregón'],
  ['16000', 'Sí, llegamos a Xochimilco'],
  ['50000', 'Sí, llegamos a Toluca'],
  ['52000', 'Sí, llegamos a Lerma'],
  ['52760', 'Sí, llegamos a Huixquilucan'],
  ['53100', 'Sí, llegamos a Naucalpan de Juárez'],
  // Metepec and Atlacomulco.
  ['52140', 'Todavía no llegamos al 52140'],
  ['50450', 'Todavía no llegamos al 50450'],
  ['54000', 'Todavía no llegamos al 54000'],
  ['44100', 'Todavía no llegamos al 44100'],
  ['99998', 'Todavía no llegamos al 99998'],
  ['17000', 'Ese código postal no existe. Revísalo.'],
  ['00000', 'Ese código postal no existe. Revísalo.'],
  ['99999', 'Ese código postal no existe. Revísalo.'],
])('the code %s: %s', async (postalCode, answer) => {
  expect((await page(`?cp=${postalCode}`)).words).toContain(answer)
})

test('whoever lives in Estado de México can say that it is one of the four: somebody will call', async () => {
  const claim = 'Mi domicilio sí está en Toluca, Lerma, Huixquilucan o Naucalpan'
  expect((await page('?cp=52140')).words).toContain(claim)
  const claimed = (await page('?cp=52140&mio=si')).words
  expect(claimed).toContain('Por verificar')
  expect(claimed).not.toContain(claim)
  for (const query of ['?cp=44100', '?cp=44100&mio=si', '?cp=03100&mio=si', ''])
    expect((await page(query)).words).not.toContain('Por verificar')
  expect((await page('?cp=44100')).words).not.toContain(claim)
})

test('the official list, where it was loaded, decides', async () => {
  const header = 'd_codigo|d_asenta|d_tipo_asenta|D_mnpio|d_estado'
  await importPostalList(world.db, Buffer.from(`${header}\n52766|Ejemplo|Colonia|Lerma|México`, 'latin1'))
  expect((await page('?cp=52766')).words).toContain('Sí, llegamos a Lerma')
})

test('an empty box is asked for', async () =>
  expect((await page('?cp=')).words).toContain('Escribe tu código postal.'))

test.each(['?cp=031', '?cp=abcde', '?cp=%00%00', '?cp=031000000000000000000'])(
  'what is no postal code is said under its field: %s',
  async (query) => {
    expect((await page(query)).words).toContain('El código postal tiene 5 dígitos.')
  },
)

test('the estimate follows what is asked, and what the manager sets', async () => {
  const asked = '?metros=25&medidor=si&cargador=si'
  expect((await page(asked)).words).toContain('$28,600 a $38,700')
  expect((await page('?metros=mucho')).words).toContain('Escribe los metros, de 0 a 300.')
  const prices = { base: '10,000', baseMetres: '10', perMetre: '0', secondMeter: '0', charger: '0' }
  await save(world, manager, 'estimate', { ...prices, rangePercent: '10' })
  expect((await page(asked)).words).toContain('$9,000 a $11,000')
})

test('a code of the right shape is carried to both doors, and between the questions; another is not', async () => {
  const { text } = await page('?codigo=abc234&cp=03100')
  for (const link of ['href="/signup?codigo=ABC234"', 'href="/signin?codigo=ABC234"', 'value="ABC234"'])
    expect(text).toContain(link)
  expect((await world.visit('/signup?codigo=abc234')).text).toContain('href="/approach?codigo=ABC234"')
  for (const wrong of ['ABC', 'ABCDEI', '"><img src=x>', 'ABC234ABC234A']) {
    const { text: plain } = await page(`?codigo=${encodeURIComponent(wrong)}`)
    expect(plain).toContain('href="/signup"')
    expect(plain).not.toContain('<img src=x')
  }
})

test('somebody signed in is led home', async () => {
  const customer = await world.person({})
  expect((await world.visit('/approach?cp=03100', customer)).location).toBe('/')
  expect((await world.data('/approach', manager)).location).toBe('/admin')
})
