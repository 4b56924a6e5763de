import { eq } from 'drizzle-orm'
import { documents, fiscalData } from '../../../src/platform/database/schema/payments.ts'
import { settings } from '../../../src/platform/database/schema/projects.ts'
import { settingsKey } from '../../../src/scheduling/roster.ts'
import { defaultSettings } from '../../../src/settings/rules/settings-schema.ts'
import { pdf } from '../../documents/samples.ts'
import { fiscalDataOf, sendFiscal, trailOfFiscal } from '../../kit/invoices.ts'
import {
  db,
  expectCount,
  expectEmails,
  fixture,
  inParallel,
  markupOf,
  newPerson,
  openBare,
  sentAbout,
  storeRows,
} from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { expectAnswered, expectLeadsTo, expectPage, expectWords, sortedStatuses } from '../../kit/reading.ts'

openBare()
let customer: Person
beforeEach(async () => {
  customer = await newPerson({ name: 'Eva', lastname: 'Gómez' })
})

const page = () => markupOf('/fiscal', customer)
const kept = () => fiscalDataOf(fixture, customer)

test('keeps fiscal data as the SAT writes them, submitted for review', async () => {
  expect(await page()).toContain('Enviar a revisión')
  await expectLeadsTo(sendFiscal(fixture, customer), '/fiscal')
  expect(await kept()).toMatchObject({
    rfc: 'GODE561231GR8',
    legalName: 'EVA GÓMEZ',
    regime: '612',
    cfdiUse: 'G03',
    postalCode: '04000',
    email: 'facturas@prueba.mx',
    state: 'submitted',
    version: 1,
    constanciaId: null,
  })
  expectWords(await page(), 'Enviamos tus datos a revisión', 'Falta tu Constancia', 'GODE561231GR8')
  await expectEmails(customer, ['fiscal_submitted to managers'])
})

test('refuses a use that does not fit, and keeps everything typed and the name of the file', async () => {
  expectPage(
    await sendFiscal(fixture, customer, { regime: '605' }, pdf()),
    400,
    'El uso G03 no es compatible con el régimen 605',
    'value=" gode-561231-gr8 "',
    'value="Facturas@Prueba.MX"',
    'constancia.pdf',
  )
  expect(await kept()).toBeUndefined()
})

test.each([
  [{ legalName: 'A|B' }, 'El SAT no acepta «|» en un nombre.'],
  [{ regime: '601' }, 'El régimen 601 no es de una persona física, y ese RFC sí.'],
  [{ regime: 'toString' }, 'Elige el régimen fiscal.'],
  [{ cfdiUse: 'P01' }, 'Elige el uso de tus facturas.'],
  [{ postalCode: '0400' }, 'El código postal tiene 5 dígitos.'],
  [{ postalCode: '99999' }, 'Ese código postal no existe.'],
  [{ postalCode: '00123' }, 'Ese código postal no existe.'],
  [{ legalName: 'Ana Gómez 😀' }, 'Escríbelo sin emojis.'],
  [{ legalName: 'Ana Gómez 🇲🇽' }, 'Escríbelo sin emojis.'],
  [{ email: 'nadie' }, 'Escribe un correo válido, como nombre@correo.mx.'],
])('refuses %j: %s', async (form, words) => {
  expectPage(await sendFiscal(fixture, customer, form), 400, words)
  expect(await kept()).toBeUndefined()
})

test('takes the régimen de capital off the name of a company only, and says so', async () => {
  const company = { rfc: 'EKU9003173C9', legalName: 'Escuela Kemper Urgate, S.A. de C.V.', regime: '601' }
  await sendFiscal(fixture, customer, company)
  expect((await kept())?.legalName).toBe('ESCUELA KEMPER URGATE')
  expect(await page()).toContain('El SAT pide el nombre sin S.A. DE C.V.: quedó ESCUELA KEMPER URGATE.')
  const person = await newPerson()
  await sendFiscal(fixture, person, { legalName: 'Eva Gómez SA' })
  expect((await fiscalDataOf(fixture, person))?.legalName).toBe('EVA GÓMEZ SA')
})

test('warns of a wrong check digit, and accepts it', async () => {
  await expectAnswered(sendFiscal(fixture, customer, { rfc: 'GODE561231GR9' }), 303)
  expect(await page()).toContain('Revisa tu RFC')
})

test('fixes the terms of a generic RFC, and says that there is no invoice', async () => {
  const issuer = { ...defaultSettings.issuer, postalCode: '03100' }
  await storeRows(settings, { key: settingsKey, value: { issuer } })
  const terms = { regime: '616', cfdiUse: 'S01', postalCode: '03100' }
  const blank = { regime: '', cfdiUse: '', legalName: '', postalCode: '' }
  await sendFiscal(fixture, customer, { rfc: 'XAXX010101000', ...blank })
  expect(await kept()).toMatchObject({ ...terms, legalName: 'PUBLICO EN GENERAL' })
  const shown = await page()
  expect(shown).toContain('Con este RFC no hay factura individual')
  expect(shown).not.toContain('Falta tu Constancia')
  const foreigner = await newPerson()
  await sendFiscal(fixture, foreigner, { rfc: 'XEXX010101000', legalName: 'John Doe', regime: '612' })
  expect(await fiscalDataOf(fixture, foreigner)).toMatchObject({ ...terms, legalName: 'JOHN DOE' })
  await db.delete(settings)
})

test('keeps a draft without notifying anybody, which cannot become a draft again once submitted', async () => {
  await sendFiscal(fixture, customer, { intent: 'keep-fiscal' })
  expect(await kept()).toMatchObject({ state: 'draft', submittedAt: null })
  expect(await page()).toContain('Es un borrador')
  await expectEmails(customer, [])
  await sendFiscal(fixture, customer, { version: '1' })
  expect(await kept()).toMatchObject({ state: 'submitted', version: 2 })
  await expectAnswered(sendFiscal(fixture, customer, { intent: 'keep-fiscal', version: '2' }), 409)
  expect((await trailOfFiscal(customer)).map(({ name, data }) => [name, data])).toEqual([
    ['submit', { changed: [] }],
    ['keep', { changed: ['rfc', 'legalName', 'regime', 'cfdiUse', 'postalCode', 'email'] }],
  ])
})

test('the same form sent twice, also at once, is one change with one file', async () => {
  expect(sortedStatuses(await inParallel(2, () => sendFiscal(fixture, customer, {}, pdf())))[0]).toBe(303)
  await expectAnswered(sendFiscal(fixture, customer, {}, pdf()), 303)
  expect(await kept()).toMatchObject({ version: 1, state: 'submitted' })
  expect(await trailOfFiscal(customer)).toHaveLength(1)
  await expectEmails(customer, ['fiscal_submitted to managers'])
  await expectCount(documents, { customerId: customer.id }, 1)
})

test('refuses a stale form, and keeps what was typed', async () => {
  await sendFiscal(fixture, customer)
  await sendFiscal(fixture, customer, { postalCode: '03100', version: '1' })
  expectPage(await sendFiscal(fixture, customer, { postalCode: '06700', version: '1' }), 409, 'value="06700"')
  expect((await kept())?.postalCode).toBe('03100')
})

test('keeps one Constancia for its customer, and refuses what is no PDF', async () => {
  await sendFiscal(fixture, customer, {}, pdf())
  const first = (await kept())!
  await expectAnswered(fixture.visit(`/documents/${first.constanciaId}`, customer), 200)
  expect(await page()).toContain(`/documents/${first.constanciaId}`)
  expectPage(
    await sendFiscal(fixture, customer, { version: '1' }, Buffer.from('<html>')),
    400,
    'No pudimos leer ese archivo. Sube PDF de hasta 5\u00a0MB.',
  )
  await sendFiscal(fixture, customer, { version: '1' }, pdf('<</S/Named>>'))
  const second = (await kept())!
  expect([second.version, second.constanciaId === first.constanciaId]).toEqual([2, false])
  await expectAnswered(fixture.visit(`/documents/${first.constanciaId}`, customer), 404)
  expect((await trailOfFiscal(customer))[0]).toMatchObject({ data: { changed: ['constanciaId'] } })
})

test('submits verified and rejected data again on a change, and keeps unchanged ones verified', async () => {
  for (const state of ['verified', 'rejected'] as const) {
    const person = await newPerson()
    await sendFiscal(fixture, person)
    const rejectedReason = state === 'rejected' ? 'El nombre' : null
    await db
      .update(fiscalData)
      .set({ state, rejectedReason, reviewedAt: new Date() })
      .where(eq(fiscalData.customerId, person.id))
    if (state === 'verified') {
      await sendFiscal(fixture, person, { version: '1' })
      expect(await fiscalDataOf(fixture, person)).toMatchObject({ state, version: 1 })
    }
    await sendFiscal(fixture, person, { postalCode: '03100', version: '1' })
    const submitted = { state: 'submitted', rejectedReason: null, reviewedAt: null, version: 2 }
    expect(await fiscalDataOf(fixture, person)).toMatchObject(submitted)
    expect(await sentAbout(person)).toHaveLength(2)
  }
})
