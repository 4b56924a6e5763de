import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { addDays } from '../../../src/domain/shared/calendar.ts'
import { paymentsWithoutMovement } from '../../../src/server/payments/bank-candidates.ts'
import { bankLines, payments } from '../../../src/server/platform/database/schema/payments.ts'
import { openOnce, people, sendJobsOnce, world } from '../../kit/open.ts'
import {
  account,
  bank,
  came,
  csv,
  lineOf,
  office,
  owing,
  reads,
  rowsOf,
  set,
  today,
  uploads,
  wordsOf,
} from '../../kit/payments.ts'
import { expectWords, readable, rowsIn } from '../../kit/reading.ts'

openOnce({ MODULES: 'payments' })
sendJobsOnce()
beforeEach(async () => {
  await set(world, { spei: account })
  await world.db.execute(sql`update payments set state = 'cancelled' where state in ('pending', 'in_review')`)
  await world.db.execute(sql`truncate bank_lines, bank_statements`)
})

const page = async () => readable(await world.visit(bank, people.analyst))
/** A local day as a bank writes it. */
const slashed = (date: string) => date.split('-').reverse().join('/')
const match = (line: { id: string }, payment: { id: string; version: number }, sure = '') => ({
  intent: 'confirm-match',
  lineId: line.id,
  paymentId: payment.id,
  version: String(payment.version),
  sure,
})

test('a folio in any text names its payment, open or recorded, and another amount is said first', async () => {
  const [open, known, less] = [await owing(world), await owing(world, 'NAMED001'), await owing(world)]
  const form = {
    intent: 'confirm-proof',
    paymentId: known.demand.id,
    version: String(known.demand.version),
  }
  await world.post(office(known.projectId), { ...form, amount: '5000', paidOn: today() }, people.analyst)
  // A bank like Santander: the folio is in the second of two texts.
  const text = [
    'Fecha;Descripción;Abono;Concepto',
    `20/11/2026;ABONO SPEI;5000.00;CAMILA ${open.demand.folio}`,
    `20/11/2026;ABONO SPEI;5000.00;CAMILA ${known.demand.folio.replaceAll('-', ' ')}`,
    `20/11/2026;ABONO SPEI;12000.00;CAMILA ${less.demand.folio}`,
  ].join('\n')
  const { location } = await uploads(world, people.analyst, text)
  const shown = await world.visit(location!, people.analyst)
  expectWords(readable(shown), 'ABONO SPEI CAMILA', 'Otra columna de texto')
  const statementId = /name="statementId" value="([^"]+)"/.exec(shown.text)![1]!
  const columns = { date: '0', description: '1', credit: '2', concept: '3', detail: '', reference: '' }
  await world.post(
    bank,
    { intent: 'read-statement', statementId, version: '1', trackingKey: '', sign: '', ...columns },
    people.analyst,
  )
  const seen = await world.visit(bank, people.analyst)
  expectWords(
    readable(seen),
    'Mismo folio y misma cantidad',
    'El movimiento dice su folio, con otra cantidad',
    'Son $2,000.00 más de todo lo que debe',
    'Confirmar los 2 seguros',
  )
  const pairs = /name="pairs" value="([^"]+)"/.exec(seen.text)![1]!
  await world.post(bank, { intent: 'confirm-sure', pairs }, people.analyst)
  expect(wordsOf(await rowsOf(world, open.projectId))).toEqual(['deposit paid 5000'])
  expect(wordsOf(await rowsOf(world, known.projectId))).toEqual(['deposit paid 5000'])
  const ofFile = async () => rowsIn(world, bankLines, { statementId })
  expect((await ofFile()).map(({ state }) => state).toSorted()).toEqual(['open', 'recorded', 'settled'])
  const last = (await ofFile()).find(({ state }) => state === 'open')!
  expect((await world.post(bank, match(last, less.demand, '1200000'), people.analyst)).status).toBe(303)
  expect((await rowsOf(world, less.projectId)).reduce((sum, { amount }) => sum + amount, 0)).toBe(12_000_00)
})

test('what was recorded in two rows, as it was more than asked for, is one movement of both', async () => {
  const { demand, projectId } = await owing(world, 'BOTH0001')
  const form = { intent: 'confirm-proof', paymentId: demand.id, version: String(demand.version) }
  const more = { amount: '7000', sure: '700000', paidOn: today() }
  await world.post(office(projectId), { ...form, ...more }, people.analyst)
  expect(wordsOf(await rowsOf(world, projectId))).toEqual(['deposit paid 5000', 'balance paid 2000'])
  await reads(world, people.analyst, csv(came('20/11/2026', '7,000.00', { key: 'BOTH0001' })))
  expect(await page()).toContain('Misma clave de rastreo y misma cantidad')
  const [paid] = await rowsOf(world, projectId)
  const line = await lineOf(world, 'BOTH0001')
  expect((await world.post(bank, match(line, paid!), people.analyst)).status).toBe(303)
  expect(await lineOf(world, 'BOTH0001')).toMatchObject({ state: 'recorded', paymentId: paid!.id })
})

test('a recorded transfer that the bank does not have is listed, within the days of what was read', async () => {
  const wrong = await owing(world, 'NEVER001')
  const form = {
    intent: 'confirm-proof',
    paymentId: wrong.demand.id,
    version: String(wrong.demand.version),
  }
  const amount = { amount: '500000', again: '500000', paidOn: today() }
  await world.post(office(wrong.projectId), { ...form, ...amount }, people.analyst)
  const lacking = async () => {
    const { found: rows } = await paymentsWithoutMovement(world.db, people.analyst.actor!)
    return rows.filter(({ projectId }) => projectId === wrong.projectId).map((row) => [row.folio, row.amount])
  }
  const before = slashed(addDays(today(), -1))
  await reads(world, people.analyst, csv(came(before, '1.00', { key: 'EARLY001' })))
  // Its day was not read yet.
  expect(await lacking()).toEqual([])
  await reads(world, people.analyst, csv(`${slashed(today())},Comisión,1,,58.00,,7`, came(before, '2.00')))
  expect(await lacking()).toEqual([[wrong.demand.folio, 500_000_00]])
  expectWords(await page(), 'Pagos sin movimiento en el banco', wrong.demand.folio, '$500,000.00')
  // What may still be it is decided first.
  await reads(world, people.analyst, csv(came(before, '500,000.00', { key: 'MAYBE001' })))
  expect(await lacking()).toEqual([])
  const maybe = await lineOf(world, 'MAYBE001')
  await world.post(bank, { intent: 'ignore-line', lineId: maybe.id, reason: 'Un traspaso' }, people.analyst)
  expect(await lacking()).toEqual([[wrong.demand.folio, 500_000_00]])
  const [first] = await rowsOf(world, wrong.projectId)
  const correct = { intent: 'correct-payment', paymentId: first!.id, version: String(first!.version) }
  const answer = await world.post(
    office(wrong.projectId),
    { ...correct, amount: '0', reason: 'No llegó.' },
    people.manager,
  )
  expect([answer.status, await lacking()]).toEqual([303, []])
  expect(await paymentsWithoutMovement(world.db, people.technician.actor!)).toEqual({ found: [], total: 0 })
})

test('by hand, a folio with another amount is asked about first', async () => {
  const { demand, projectId } = await owing(world)
  await reads(world, people.manager, csv(came('17/11/2026', '4,000.00', { key: 'HANDS001' })))
  const { id: lineId } = await lineOf(world, 'HANDS001')
  const form = { intent: 'tie-line', lineId, folio: demand.folio }
  const first = await world.post(bank, form, people.analyst)
  expect(first.status).toBe(409)
  expectWords(readable(first), 'Faltan $1,000.00 y queda un pago pendiente', 'Sí, registrar $4,000.00')
  expect(first.text).toContain('name="sure" value="400000"')
  const seen = /name="seen" value="([^"]+)"/.exec(first.text)![1]!
  expect((await world.post(bank, { ...form, seen, sure: '400000' }, people.analyst)).status).toBe(303)
  expect(wordsOf(await rowsOf(world, projectId))).toEqual(['deposit paid 4000', 'deposit pending 1000'])
})

test('by hand, a folio says whose it is before it is booked, and another folio is asked about anew', async () => {
  const [meant, mistyped] = [await owing(world), await owing(world)]
  await reads(world, people.manager, csv(came('16/11/2026', '5,000.00', { key: 'WHOSE001' })))
  const { id: lineId } = await lineOf(world, 'WHOSE001')
  const send = (folio: string, seen = '') =>
    world.post(bank, { intent: 'tie-line', lineId, folio, seen, sure: '500000' }, people.analyst)
  const seenIn = (text: string) => /name="seen" value="([^"]+)"/.exec(text)![1]!
  const first = await send(mistyped.demand.folio)
  expect(first.status).toBe(409)
  expectWords(
    readable(first),
    '¿Es este pago?',
    `${mistyped.demand.folio}, de Camila Prueba: anticipo por $5,000.00. Queda registrado como pagado.`,
    'Sí, registrar $5,000.00',
  )
  const other = await send(meant.demand.folio, seenIn(first.text))
  expect(other.status).toBe(409)
  expectWords(readable(other), meant.demand.folio)
  for (const { projectId } of [meant, mistyped])
    expect(wordsOf(await rowsOf(world, projectId))).toEqual(['deposit pending 5000'])
  for (let time = 0; time < 2; time++)
    expect((await send(meant.demand.folio, seenIn(other.text))).status).toBe(303)
  expect(wordsOf(await rowsOf(world, meant.projectId))).toEqual(['deposit paid 5000'])
  expect(wordsOf(await rowsOf(world, mistyped.projectId))).toEqual(['deposit pending 5000'])
})

test('of more than fifty that the bank does not have the rest is counted, and there is a way to them', async () => {
  const { demand, projectId } = await owing(world)
  const { customerId } = demand
  const paid = { state: 'paid', method: 'spei', paidAt: new Date() } as const
  await world.db.insert(payments).values(
    Array.from({ length: 52 }, (_, n) => {
      const folio = `PAG-LACK-${n}`
      return { ...paid, customerId, projectId, folio, concept: 'balance' as const, amount: 1_234_00 + n }
    }),
  )
  await reads(world, people.analyst, csv(came(slashed(today()), '1.00', { key: 'LATEST01' })))
  const { found: rows, total } = await paymentsWithoutMovement(world.db, people.analyst.actor!)
  expect(rows).toHaveLength(50)
  expect(await page()).toContain(`y ${total - 50} más. Ver los ${total}`)
  const all = await world.visit(`${bank}?sin-movimiento`, people.analyst)
  for (let n = 0; n < 52; n++) expect(all.text).toContain(`PAG-LACK-${n}<`)
  expect(readable(all)).not.toContain('Ver los')
})
