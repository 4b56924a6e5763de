import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { visitCards } from '../../src/platform/database/schema/accounts.ts'
import { handoverProofs, sheetAnswers, sheets } from '../../src/platform/database/schema/appointments.ts'
import { withoutSecret } from '../../src/platform/http/request-observer.ts'
import { printable } from '../../src/platform/pdf/frame.tsx'
import { proofPath } from '../../src/reports/handover-document.ts'
import { slotFacts } from '../../src/reports/rules/photos.ts'
import { analyst, customer, db, fixture, openOnce, rowsWhere, storeRows, technician } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectAnswered, expectShown, expectWords } from '../kit/reading.ts'
import { storeInstallation } from './installed.ts'
import { drawnOn, textOf } from './pdf-text.ts'

openOnce()
const credential = 'Electricista certificado EC0118, folio D-0000123'
let installed: Awaited<ReturnType<typeof storeInstallation>>

beforeAll(async () => {
  installed = await storeInstallation(customer, technician, {
    warrantyUntil: '2027-11-21',
  })
  await storeRows(visitCards, { userId: technician.id, credential })
})

const opens = (who?: Person) => fixture.open(`/handover/${installed.visit.id}.pdf`, who)
const printed = async () => textOf(Buffer.from(await (await opens(customer)).arrayBuffer()))
const state = (to: 'draft' | 'submitted' | 'returned' | 'approved') =>
  db
    .update(sheets)
    .set({ state: to, reviewedAt: new Date(), reviewedBy: analyst.id, returnReason: 'Falta una foto' })
    .where(eq(sheets.appointmentId, installed.visit.id))

test('the hand-over document prints what is stored, and each photo by its hash', async () => {
  const answer = await opens(customer)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  expect(answer.headers.get('content-disposition')).toContain(`${installed.visit.folio}.pdf`)
  const pdf = Buffer.from(await answer.arrayBuffer())
  const said = await textOf(pdf)
  // What lies a thousand points away is on no page.
  expect(drawnOn(pdf).join('\n')).not.toMatch(/\s-?\d{4,}(\.\d+)? cm/)
  expectWords(
    said,
    installed.visit.folio,
    'Camila Prueba',
    'Tomás Prueba',
    'Calle Ejemplo 12',
    'Quien recibe',
    'Wallbox',
    'Pulsar',
    'WB-000123',
    '40 A',
    '8 AWG',
    '23.5 m',
    '219.5 V',
    '0.4 V',
    '200 MΩ',
    '8.5 Ω',
    '20 min',
    '✓ Pasa',
    'domingo 21 de noviembre de 2027',
    'Cubre lo que instalamos',
    'Recibí de conformidad',
    'ayuda@cargaencasa.mx',
    'Le expliqué su garantía',
    'Reportar una falla',
    'Página 1 de 4',
    'Página 4 de 4',
  )
  expect(installed.pictures).toHaveLength(15)
  for (const { sha256, slot } of installed.pictures) {
    expect(said).toContain(slotFacts('installation', slot)!.label)
    expect(said.replaceAll(' ', '')).toContain(sha256)
  }
})

test('the hand-over document names the credential that its technician had then, below the name', async () => {
  const twice = (said: string) => said.split(credential).length - 1
  expect(twice(await printed())).toBe(2)
  await db.delete(visitCards).where(eq(visitCards.userId, technician.id))
  expect(twice(await printed()), 'the technician left').toBe(2)
})

test('the hand-over document prints supply, current and what differs from what was agreed, and why', async () => {
  const reason = 'El tubo que ya estaba no dejó pasar otro.'
  const answers = {
    agreedHouse: 'three',
    agreedSupply: 'split',
    agreedConductor: '6',
    agreedBreaker: 50,
    agreedGround: '8',
    agreedMetres: 12.5,
    deviationReason: reason,
  }
  const by = { appointmentId: installed.visit.id, changedAt: new Date(), changedBy: technician.id }
  const rows = Object.entries(answers).map(([name, value]) => ({ name, value, ...by }))
  await storeRows(sheetAnswers, rows)
  const said = await printed()
  expectWords(
    said,
    'Suministro',
    'Trifásico 220 V',
    'Alimentación del cargador',
    'Monofásico 3 hilos 120/240 V',
    'Corriente a la que quedó',
    '32 A',
    'Se acordó 6 AWG y se puso 8 AWG.',
    'Se acordó de 50 A y se puso de 40 A.',
    'tierra de 8 AWG y se puso de 10 AWG.',
    'Se acordaron 12.5 m y se pusieron 23.5 m.',
    `Por qué: ${reason}`,
  )
  expect(said.split(reason)).toHaveLength(2)
})

test('the hand-over document does not exist before its record was approved, nor while it is returned', async () => {
  for (const before of ['draft', 'submitted', 'returned'] as const) {
    await state(before)
    await expectAnswered(opens(customer), 404)
  }
  await state('approved')
  await expectAnswered(opens(customer), 200)
})

const proven = async () => {
  const [row] = await rowsWhere(handoverProofs, { appointmentId: installed.visit.id })
  return proofPath(row!.secret)
}
const looks = (path: string, who = fixture.visitor()) => fixture.visit(path, who)

test('the public page of the code on the document shows folio, day and warranty, no person or address', async () => {
  const unspaced = async () => (await printed()).replace(/\s/g, '')
  const said = await unspaced()
  const path = await proven()
  expect(said).toContain(path)
  expect(await unspaced(), 'each print has the same').toContain(path)
  const page = await looks(path)
  expectShown(page, 200, installed.visit.folio, 'Válido', 'domingo 21 de noviembre de 2027')
  const asData = await fixture.data(path, fixture.visitor())
  for (const words of ['Prueba', 'Tomás', 'Camila', 'Calle', 'Quien recibe', 'WB-000123', 'Wallbox'])
    for (const text of [page.text, asData.text]) expect(text).not.toContain(words)
  expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  expect(page.headers.get('x-robots-tag')).toBe('noindex')
  expect(withoutSecret(path)).toBe('/garantia/…')
})

test('the public page says that a document is not valid if it is not approved or never existed', async () => {
  const path = await proven()
  for (const unknown of ['/garantia/nada', `/garantia/${randomUUID()}`, `/garantia/${installed.visit.id}`])
    await expectAnswered(looks(unknown), 404)
  await state('returned')
  expectShown(await looks(path), 404, 'No válido')
  await state('approved')
  await expectAnswered(looks(path), 200)
})

test('the public page limits guesses from one address', async () => {
  const guesser = fixture.visitor()
  const answers = []
  for (let n = 0; n < 62; n++) answers.push((await looks(`/garantia/${randomUUID()}`, guesser)).status)
  expect([answers.filter((one) => one === 404).length, answers.at(-1)]).toEqual([60, 429])
})

test('signs are written as they are where the font has them, and as a question mark where it would draw a box', () => {
  expect(printable('Peña: 5 MΩ «así» – ≥ 1 Ω, √3 → ✓')).toBe('Peña: 5\u00a0MΩ «así» – ≥ 1\u00a0Ω, √3 → ✓')
  // No line begins with half of it.
  expect(printable('A las 6:00 p. m., 40 A y 3 mesas')).toBe('A las 6:00 p.\u00a0m., 40\u00a0A y 3 mesas')
  expect(printable('Łukasz Şahin 日本 🙂\u200b')).toBe('Łukasz Şahin ?? ?')
})
