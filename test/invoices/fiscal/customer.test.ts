import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { defaultSettings } from '../../../src/domain/settings/settings-schema.ts'
import { documents, fiscalData } from '../../../src/server/platform/database/schema/payments.ts'
import { settings } from '../../../src/server/platform/database/schema/projects.ts'
import { settingsKey } from '../../../src/server/scheduling/roster.ts'
import { pdf } from '../../documents/samples.ts'
import { fiscalDataOf, sendFiscal, trailOfFiscal } from '../../kit/invoices.ts'
import { openBare, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { emailsAbout, rowsIn } from '../../kit/reading.ts'

openBare()
let customer: Person
beforeEach(async () => {
  customer = await world.person({ name: 'Eva', lastname: 'Gómez' })
})

const page = async () => (await world.visit('/fiscal', customer)).text
const kept = () => fiscalDataOf(world, customer)

test('what is typed is kept as the SAT writes it, and waits to be looked over', async () => {
  expect(await page()).toContain('Enviar a revisión')
  const { location, status } = await sendFiscal(world, customer)
  expect([status, location]).toEqual([303, '/fiscal'])
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
  const shown = await page()
  for (const words of ['Enviamos tus datos a revisión', 'Falta tu Constancia', 'GODE561231GR8'])
    expect(shown).toContain(words)
  expect(await emailsAbout(world, customer)).toEqual(['fiscal_submitted to managers'])
})

test('a use that does not fit is refused in its box, and everything typed is still there', async () => {
  const { status, text } = await sendFiscal(world, customer, { regime: '605' }, pdf())
  expect(status).toBe(400)
  for (const words of [
    'El uso G03 no es compatible con el régimen 605',
    'value=" gode-561231-gr8 "',
    'value="Facturas@Prueba.MX"',
    // Without JavaScript the browser forgets the file: its name is said.
    'constancia.pdf',
  ])
    expect(text).toContain(words)
  expect(await kept()).toBeUndefined()
})

test.each([
  [{ rfc: '' }, 'Escribe tu RFC.'],
  [{ rfc: 'GODE560431GR8' }, 'La fecha dentro de tu RFC no existe.'],
  [{ legalName: ' ' }, 'Escribe el nombre como está en la Constancia.'],
  [{ legalName: 'A|B' }, 'El SAT no acepta «|» en un nombre.'],
  [{ legalName: 'Ñ'.repeat(301) }, 'Usa como máximo 300 caracteres.'],
  [{ regime: '601' }, 'El régimen 601 no es de una persona física, y ese RFC sí.'],
  [{ regime: '999' }, 'Elige el régimen fiscal.'],
  [{ regime: 'toString' }, 'Elige el régimen fiscal.'],
  [{ rfc: 'EKU9003173C9', regime: '612' }, 'El régimen 612 no es de una persona moral, y ese RFC sí.'],
  [{ rfc: 'EKU9003173C9', regime: '626', cfdiUse: 'D01' }, 'El uso D01 no es compatible con el régimen 626'],
  [{ cfdiUse: 'P01' }, 'Elige el uso de tus facturas.'],
  [{ cfdiUse: 'CN01' }, 'El uso CN01 no es compatible con el régimen 612'],
  [{ postalCode: '00123' }, 'El código postal tiene 5 dígitos.'],
  [{ email: 'nadie' }, 'Escribe un correo válido, como nombre@correo.mx.'],
])('%j', async (form, said) => {
  const { status, text } = await sendFiscal(world, customer, form)
  expect([status, text.includes(said)]).toEqual([400, true])
  expect(await kept()).toBeUndefined()
})

test('all that is wrong is said at once', async () => {
  const blank = { rfc: 'x', legalName: '', regime: '', cfdiUse: '', postalCode: '', email: '' }
  const { text } = await sendFiscal(world, customer, blank)
  for (const words of [
    '13 caracteres',
    'Escribe el nombre',
    'Elige el régimen',
    'Elige el uso',
    'Escribe tu código postal',
    'Escribe el correo.',
  ])
    expect(text).toContain(words)
})

test('a company’s name loses its régimen de capital, and that is said', async () => {
  const company = { rfc: 'EKU9003173C9', legalName: 'Escuela Kemper Urgate, S.A. de C.V.', regime: '601' }
  await sendFiscal(world, customer, company)
  expect((await kept())?.legalName).toBe('ESCUELA KEMPER URGATE')
  expect(await page()).toContain('El SAT pide el nombre sin S.A. DE C.V.: quedó ESCUELA KEMPER URGATE.')
})

test('a person’s name stays whole, whatever it ends in', async () => {
  await sendFiscal(world, customer, { legalName: 'Eva Gómez SA' })
  expect((await kept())?.legalName).toBe('EVA GÓMEZ SA')
})

test('a check digit that is not right is said, and stops nobody', async () => {
  expect((await sendFiscal(world, customer, { rfc: 'GODE561231GR9' })).status).toBe(303)
  expect((await kept())?.state).toBe('submitted')
  expect(await page()).toContain('Revisa tu RFC')
})

test('the generic RFC takes what the SAT fixes, whatever was typed, and says that there is no invoice', async () => {
  const issuer = { ...defaultSettings.issuer, postalCode: '03100' }
  await world.db
    .insert(settings)
    .values({ key: settingsKey, value: { issuer } })
    .onConflictDoUpdate({ target: settings.key, set: { value: { issuer } } })
  await sendFiscal(world, customer, {
    rfc: 'XAXX010101000',
    regime: '',
    cfdiUse: '',
    legalName: '',
    postalCode: '',
  })
  expect(await kept()).toMatchObject({
    rfc: 'XAXX010101000',
    legalName: 'PUBLICO EN GENERAL',
    regime: '616',
    cfdiUse: 'S01',
    postalCode: '03100',
  })
  const shown = await page()
  expect(shown).toContain('Con este RFC no hay factura individual')
  expect(shown).not.toContain('Falta tu Constancia')
  const foreigner = await world.person()
  await sendFiscal(world, foreigner, { rfc: 'XEXX010101000', legalName: 'John Doe', regime: '612' })
  expect(await fiscalDataOf(world, foreigner)).toMatchObject({
    legalName: 'JOHN DOE',
    regime: '616',
    cfdiUse: 'S01',
    postalCode: '03100',
  })
  await world.db.delete(settings)
})

test('kept without being sent, it is nobody’s work yet; sent, it is', async () => {
  await sendFiscal(world, customer, { intent: 'keep-fiscal' })
  expect(await kept()).toMatchObject({ state: 'draft', submittedAt: null })
  expect(await page()).toContain('Es un borrador')
  expect(await emailsAbout(world, customer)).toEqual([])
  await sendFiscal(world, customer, { version: '1' })
  expect(await kept()).toMatchObject({ state: 'submitted', version: 2 })
  // What was sent can't be taken back to a draft.
  expect((await sendFiscal(world, customer, { intent: 'keep-fiscal', version: '2' })).status).toBe(409)
  expect((await trailOfFiscal(world, customer)).map(({ name, data }) => [name, data])).toEqual([
    ['submit', { changed: [] }],
    ['keep', { changed: ['rfc', 'legalName', 'regime', 'cfdiUse', 'postalCode', 'email'] }],
  ])
})

test('the same form sent twice, also at once, is one change', async () => {
  const answers = await Promise.all([1, 2].map(() => sendFiscal(world, customer, {}, pdf())))
  expect(answers.map(({ status }) => status).toSorted()[0]).toBe(303)
  expect((await sendFiscal(world, customer, {}, pdf())).status).toBe(303)
  expect(await kept()).toMatchObject({ version: 1, state: 'submitted' })
  expect(await trailOfFiscal(world, customer)).toHaveLength(1)
  expect(await emailsAbout(world, customer)).toEqual(['fiscal_submitted to managers'])
  const papers = await rowsIn(world, documents, { customerId: customer.id })
  expect(papers).toHaveLength(1)
})

test('what was changed elsewhere meanwhile is not overwritten, and nothing typed is lost', async () => {
  await sendFiscal(world, customer)
  await sendFiscal(world, customer, { postalCode: '03100', version: '1' })
  const late = await sendFiscal(world, customer, { postalCode: '06700', version: '1' })
  expect([late.status, late.text.includes('value="06700"')]).toEqual([409, true])
  expect((await kept())?.postalCode).toBe('03100')
})

test('the Constancia is a PDF: kept for its customer, replaced by the next, refused in words if it is none', async () => {
  await sendFiscal(world, customer, {}, pdf())
  const first = (await kept())!
  expect((await world.visit(`/documents/${first.constanciaId}`, customer)).status).toBe(200)
  expect(await page()).toContain(`/documents/${first.constanciaId}`)
  const wrong = await sendFiscal(world, customer, { version: '1' }, Buffer.from('<html>'))
  expect([
    wrong.status,
    wrong.text.includes('No pudimos leer ese archivo. Sube PDF de hasta 5\u00a0MB.'),
  ]).toEqual([400, true])
  await sendFiscal(world, customer, { version: '1' }, pdf('<</S/Named>>'))
  const second = (await kept())!
  expect([second.version, second.constanciaId === first.constanciaId]).toEqual([2, false])
  expect((await world.visit(`/documents/${first.constanciaId}`, customer)).status).toBe(404)
  expect((await trailOfFiscal(world, customer))[0]).toMatchObject({ data: { changed: ['constanciaId'] } })
})

test('any edit of what was verified, or is to be corrected, is looked over again', async () => {
  for (const state of ['verified', 'rejected'] as const) {
    const person = await world.person()
    await sendFiscal(world, person)
    await world.db
      .update(fiscalData)
      .set({ state, rejectedReason: state === 'rejected' ? 'El nombre' : null, reviewedAt: new Date() })
      .where(eq(fiscalData.customerId, person.id))
    await sendFiscal(world, person, { postalCode: '03100', version: '1' })
    expect(await fiscalDataOf(world, person)).toMatchObject({
      state: 'submitted',
      rejectedReason: null,
      reviewedAt: null,
      version: 2,
    })
    expect(await emailsAbout(world, person)).toEqual([
      'fiscal_submitted to managers',
      'fiscal_submitted to managers',
    ])
  }
})

test('what is saved as it was stays verified', async () => {
  await sendFiscal(world, customer)
  await world.db.update(fiscalData).set({ state: 'verified' }).where(eq(fiscalData.customerId, customer.id))
  await sendFiscal(world, customer, { version: '1' })
  expect(await kept()).toMatchObject({ state: 'verified', version: 1 })
  expect(await page()).toContain('Tus datos siguen verificados')
})

test('nobody sees another’s', async () => {
  await sendFiscal(world, customer, { email: 'solo-mio@prueba.mx' })
  const other = await world.person()
  const { text } = await world.visit('/fiscal', other)
  for (const own of ['solo-mio', 'GODE561231GR8', 'EVA GÓMEZ']) expect(text).not.toContain(own)
})
