import { beforeAll, expect, test } from 'vitest'
import { importPostalList } from '../../src/server/projects/postal-list.ts'
import { expectLed, expectScreen, openBare, world } from '../kit/open.ts'
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

test('the public page shows its five steps, prices and links, with a title and description', async () => {
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
  ['52140', 'Todavía no llegamos al 52140'],
  ['17000', 'Ese código postal no existe. Revísalo.'],
  ['', 'Escribe tu código postal.'],
  ['031', 'El código postal tiene 5 dígitos.'],
  ['%00%00', 'El código postal tiene 5 dígitos.'],
])('answers the postal code %j: %s', async (postalCode, answer) => {
  expect((await page(`?cp=${postalCode}`)).words).toContain(answer)
})

test('a visitor from Estado de México can claim to live in one of the four municipalities', async () => {
  const claim = 'Mi domicilio sí está en Toluca, Lerma, Huixquilucan o Naucalpan'
  expect((await page('?cp=52140')).words).toContain(claim)
  const claimed = (await page('?cp=52140&mio=si')).words
  expect(claimed).toContain('Por verificar')
  expect(claimed).not.toContain(claim)
  for (const query of ['?cp=44100', '?cp=44100&mio=si', '?cp=03100&mio=si', ''])
    expect((await page(query)).words).not.toContain('Por verificar')
  expect((await page('?cp=44100')).words).not.toContain(claim)
})

test('the official postal list, once imported, decides', async () => {
  const header = 'd_codigo|d_asenta|d_tipo_asenta|D_mnpio|d_estado'
  await importPostalList(world.db, Buffer.from(`${header}\n52766|Ejemplo|Colonia|Lerma|México`, 'latin1'))
  expect((await page('?cp=52766')).words).toContain('Sí, llegamos a Lerma')
})

test('the estimate follows the input and the manager’s settings', async () => {
  const asked = '?metros=25&medidor=si&cargador=si'
  expect((await page(asked)).words).toContain('$28,600 a $38,700')
  expect((await page('?metros=mucho')).words).toContain('Escribe los metros, de 0 a 300.')
  const prices = { base: '10,000', baseMetres: '10', perMetre: '0', secondMeter: '0', charger: '0' }
  await save(world, manager, 'estimate', { ...prices, rangePercent: '10' })
  expect((await page(asked)).words).toContain('$9,000 a $11,000')
})

test('a well-formed code is kept in the links to sign up and sign in; a malformed one is not', async () => {
  const { text } = await page('?codigo=abc234&cp=03100')
  for (const link of ['href="/signup?codigo=ABC234"', 'href="/signin?codigo=ABC234"', 'value="ABC234"'])
    expect(text).toContain(link)
  await expectScreen('/signup?codigo=abc234', undefined, 'href="/approach?codigo=ABC234"')
  for (const wrong of ['ABC', 'ABCDEI', '"><img src=x>', 'ABC234ABC234A']) {
    const { text: plain } = await page(`?codigo=${encodeURIComponent(wrong)}`)
    expect(plain).toContain('href="/signup"')
    expect(plain).not.toContain('<img src=x')
  }
})

test('redirects users who are signed in to their home', async () => {
  const customer = await world.person({})
  await expectLed('/approach?cp=03100', customer, '/')
  await expectLed('/approach', manager, '/admin')
})
