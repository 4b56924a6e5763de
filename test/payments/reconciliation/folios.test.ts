import { eq } from 'drizzle-orm'
import { paymentsWithoutMovement } from '../../../src/payments/bank-candidates.ts'
import { openMovements } from '../../../src/payments/bank-matching.ts'
import { bankLines, payments } from '../../../src/platform/database/schema/payments.ts'
import { addDays } from '../../../src/shared/calendar.ts'
import {
  analyst,
  db,
  fixture,
  manager,
  openOnce,
  rowsWhere,
  runSql,
  sendJobsOnce,
  storeRows,
  technician,
} from '../../kit/open.ts'
import {
  account,
  bank,
  came,
  confirming,
  lineOf,
  linesOf,
  matching,
  office,
  owing,
  rowsOf,
  set,
  slashed,
  today,
  uploads,
} from '../../kit/payments.ts'
import {
  expectAnswered,
  expectLeadsTo,
  expectPage,
  expectShown,
  expectTwice,
  expectWords,
} from '../../kit/reading.ts'
import { book, type Debt, expectBank, post, read, rowsFor } from './desk.ts'

openOnce({ MODULES: 'payments' })
sendJobsOnce()
beforeEach(async () => {
  await set(fixture, { spei: account })
  await runSql`update payments set state = 'cancelled' where state in ('pending', 'in_review')`
  await runSql`truncate bank_lines, bank_statements`
})

const valueIn = ({ text }: { text: string }, name: string) =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec(text)![1]!

test('a folio in any text names its payment, open or recorded, and another amount is confirmed first', async () => {
  const open = await owing()
  const known = await owing('NAMED001')
  const less = await owing()
  await book(known, '5000')
  // A bank like Santander: the folio is in the second of two texts.
  const text = [
    'Fecha;Descripción;Abono;Concepto',
    `20/11/2026;ABONO SPEI;5000.00;CAMILA ${open.demand.folio}`,
    `20/11/2026;ABONO SPEI;5000.00;CAMILA ${known.demand.folio.replaceAll('-', ' ')}`,
    `20/11/2026;ABONO SPEI;12000.00;CAMILA ${less.demand.folio}`,
  ].join('\n')
  const { location } = await uploads(analyst, text)
  const shown = await fixture.visit(location!, analyst)
  expectShown(shown, 200, 'ABONO SPEI CAMILA', 'Otra columna de texto')
  const statementId = valueIn(shown, 'statementId')
  const columns = { date: '0', description: '1', credit: '2', concept: '3', detail: '', reference: '' }
  const rest = { version: '1', account: '1234', trackingKey: '', sign: '' }
  await post({ intent: 'read-statement', statementId, ...rest, ...columns })
  const seen = await fixture.visit(bank, analyst)
  expectShown(
    seen,
    200,
    'Mismo folio y misma cantidad',
    'El movimiento dice su folio, con otra cantidad',
    'Son $2,000.00 más de todo lo que debe',
    'Confirmar los 2 seguros',
  )
  await post({ intent: 'confirm-sure', pairs: valueIn(seen, 'pairs') })
  for (const debt of [open, known]) expect(await rowsFor(debt)).toEqual(['deposit paid 5000'])
  const lines = await rowsWhere(bankLines, { statementId })
  expect(lines.map(({ state }) => state).toSorted()).toEqual(['open', 'recorded', 'settled'])
  const last = lines.find(({ state }) => state === 'open')!
  await expectAnswered(post(matching(last, less.demand, '1200000')), 303)
  expect((await rowsOf(less.projectId)).reduce((sum, { amount }) => sum + amount, 0)).toBe(12_000_00)
})

test('a payment recorded in two rows, as it was more than asked for, is one movement', async () => {
  const debt = await owing('BOTH0001')
  await book(debt, '7000', { sure: '700000' })
  expect(await rowsFor(debt)).toEqual(['deposit paid 5000', 'balance paid 2000'])
  await read(came('20/11/2026', '7,000.00', { key: 'BOTH0001' }))
  await expectBank('Misma clave de rastreo y misma cantidad')
  const [paid] = await rowsOf(debt.projectId)
  await expectAnswered(post(matching(await lineOf('BOTH0001'), paid!)), 303)
  expect(await lineOf('BOTH0001')).toMatchObject({ state: 'recorded', paymentId: paid!.id })
})

test('a recorded transfer without a movement is listed, within the days that were read', async () => {
  const wrong = await owing('NEVER001')
  await book(wrong, '500000', { again: '500000' })
  const lacking = async () => {
    const { found: rows } = await paymentsWithoutMovement(db, analyst.actor)
    return rows.filter(({ projectId }) => projectId === wrong.projectId).map((row) => [row.folio, row.amount])
  }
  const before = slashed(addDays(today(), -1))
  await read(came(before, '1.00', { key: 'EARLY001' }))
  // Its day was not read yet.
  expect(await lacking()).toEqual([])
  await read(`${slashed(today())},Comisión,1,,58.00,,7`, came(before, '2.00'))
  expect(await lacking()).toEqual([[wrong.demand.folio, 500_000_00]])
  await expectBank('Pagos sin movimiento en el banco', wrong.demand.folio, '$500,000.00')
  // A movement that may be it is decided first.
  await read(came(before, '500,000.00', { key: 'MAYBE001' }))
  expect(await lacking()).toEqual([])
  const { id: lineId } = await lineOf('MAYBE001')
  await post({ intent: 'ignore-line', lineId, reason: 'Un traspaso' })
  expect(await lacking()).toEqual([[wrong.demand.folio, 500_000_00]])
  const [first] = await rowsOf(wrong.projectId)
  const correct = confirming(first!, '0', { intent: 'correct-payment', reason: 'No llegó.' })
  await expectAnswered(fixture.post(office(wrong.projectId), correct, manager), 303)
  expect(await lacking()).toEqual([])
  expect(await paymentsWithoutMovement(db, technician.actor)).toEqual({ found: [], total: 0 })
})

test('a typed folio names its payment and its effect before it is booked, anew for another folio', async () => {
  const meant = await owing()
  const mistyped = await owing()
  await read(came('16/11/2026', '4,000.00', { key: 'WHOSE001' }))
  const { id: lineId } = await lineOf('WHOSE001')
  const send = ({ demand }: Debt, seen = '') =>
    post({ intent: 'tie-line', lineId, folio: demand.folio, seen, sure: '400000' })
  const first = await send(mistyped)
  expectShown(
    first,
    409,
    '¿Es este pago?',
    `${mistyped.demand.folio}, de Camila Prueba: anticipo por $5,000.00.`,
    'Faltan $1,000.00 y queda un pago pendiente',
    'Sí, registrar $4,000.00',
    'name="sure" value="400000"',
  )
  const other = await send(meant, valueIn(first, 'seen'))
  expectPage(other, 409, meant.demand.folio)
  for (const debt of [meant, mistyped]) expect(await rowsFor(debt)).toEqual(['deposit pending 5000'])
  await expectTwice(() => send(meant, valueIn(other, 'seen')))
  expect(await rowsFor(meant)).toEqual(['deposit paid 4000', 'deposit pending 1000'])
  expect(await rowsFor(mistyped)).toEqual(['deposit pending 5000'])
})

test('of more than fifty payments without a movement the rest is counted, and linked', async () => {
  const { demand, projectId } = await owing()
  const { customerId } = demand
  const paid = { state: 'paid', method: 'spei', paidAt: new Date() } as const
  await storeRows(
    payments,
    Array.from({ length: 52 }, (_, n) => {
      const folio = `PAG-LACK-${n}`
      return { ...paid, customerId, projectId, folio, concept: 'balance' as const, amount: 1_234_00 + n }
    }),
  )
  await read(came(slashed(today()), '1.00', { key: 'LATEST01' }))
  const { found: rows, total } = await paymentsWithoutMovement(db, analyst.actor)
  expect(rows).toHaveLength(50)
  await expectBank(`y ${total - 50} más. Ver los ${total}`)
  const all = await fixture.visit(`${bank}?sin-movimiento`, analyst)
  expectWords(all.text, ...Array.from({ length: 52 }, (_, n) => `PAG-LACK-${n}<`))
  expect(all.text).not.toContain('Ver los')
})

/** Of consecutive days and different amounts. */
const rows = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    came(`${(n % 28) + 1}/${Math.floor(n / 28) + 1}/2026`, `${n + 1}.00`),
  )

test('an analyst stays on the page of a movement they decide, while anything is on it', async () => {
  await read(...rows(52))
  const all = await linesOf()
  const second = `${bank}?after=${all[49]!.id}`
  const ignore = (n: number) =>
    fixture.post(second, { intent: 'ignore-line', lineId: all[n]!.id, reason: 'Un traspaso' }, analyst)
  await expectLeadsTo(ignore(50), second)
  const shown = async (after: string) => {
    const { isFirst, lines, next } = await openMovements(db, analyst.actor, after)
    return [lines.length, isFirst, next]
  }
  expect(await shown(all[49]!.id)).toEqual([1, false, null])
  await ignore(51)
  expect(await shown(all[49]!.id)).toEqual([50, true, null])
  // What it begins behind is gone, or never was.
  await db.delete(bankLines).where(eq(bankLines.id, all[25]!.id))
  expect(await shown(all[25]!.id)).toEqual([49, true, null])
  expect(await shown('no-id')).toEqual([49, true, null])
})

test('two movements of an amount are proposed for no payment, on whatever pages they are', async () => {
  const { demand } = await owing()
  await read(came('01/01/2025', '5,000.00'), ...rows(100))
  const proposed = async () =>
    (await openMovements(db, analyst.actor)).matches.map(({ payment }) => payment.id)
  expect(await proposed()).toEqual([demand.id])
  await read(came('20/11/2026', '5,000.00'))
  expect(await proposed()).toEqual([])
})
