import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { confirmPair } from '../../../src/payments/bank-matching.ts'
import { bankLines, bankStatements } from '../../../src/platform/database/schema/payments.ts'
import {
  analyst,
  db,
  expectRow,
  fixture,
  manager,
  markupOf,
  openOnce,
  runSql,
  sendJobsOnce,
  sentAbout,
} from '../../kit/open.ts'
import {
  account,
  bank,
  came,
  csv,
  lineOf,
  linesOf,
  matching,
  owing,
  reads,
  rowsOf,
  set,
  uploads,
} from '../../kit/payments.ts'
import { expectAnswered, expectShown, expectTwice } from '../../kit/reading.ts'
import { book, expectBank, post, read, rowsFor } from './desk.ts'

openOnce({ MODULES: 'payments' })
sendJobsOnce()
beforeAll(() => set(fixture, { spei: account }))
beforeEach(async () => {
  // What an earlier test left open is no candidate of the next one.
  await runSql`update payments set state = 'cancelled' where state in ('pending', 'in_review')`
  await runSql`delete from bank_lines where state in ('open', 'ignored')`
})

const preview = async (text: string) => {
  const { location } = await uploads(analyst, text)
  return fixture.visit(location!, analyst)
}

test('a file of the bank becomes movements once its columns are confirmed, and its content is deleted', async () => {
  const rows = [came('20/11/2026', '5,000.00', { key: 'FILE0001' }), '21/11/2026,Comisión,1,,58.00,,7']
  await expectAnswered(read(...rows, 'Total,,,,,,'), 303)
  const [line] = await linesOf()
  const movement = { bookedOn: '2026-11-20', amount: 5_000_00, trackingKey: 'FILE0001', state: 'open' }
  expect(line).toMatchObject(movement)
  const kept = { content: null, linesNew: 1, linesKnown: 0, debits: 1, unread: [4] }
  await expectRow(bankStatements, { id: line!.statementId }, kept)
  await expectBank('Sin identificar')
})

test('a file of the bank counts each movement once, read twice, beside an overlap or in another shape; equal ones are two', async () => {
  const twin = came('19/11/2026', '700.00', { text: 'DEPOSITO' })
  const first = csv(came('18/11/2026', '600.00', { key: 'TWICE001' }), twin, twin)
  const amounts = async () => (await linesOf()).map(({ amount }) => amount)
  await reads(analyst, first)
  expect(await amounts()).toEqual([600_00, 700_00, 700_00])
  await reads(manager, first, 'otro nombre.csv')
  await read(twin, twin, came('20/11/2026', '800.00'))
  await read(came('18/11/2026', '600.00', { key: 'TWICE001', text: 'De otra forma' }))
  expect(await amounts()).toEqual([600_00, 700_00, 700_00, 800_00])
})

test('a file of the bank asks about a movement like a known one once, and adds those that are others', async () => {
  await read(came('18/11/2026', '600.00', { text: 'DEPOSITO' }))
  const file = csv(came('18/11/2026', '600.00', { text: 'EFECTIVO' }))
  const asked = await reads(analyst, file)
  expectShown(
    asked,
    409,
    'Hay movimientos parecidos a los que ya tienes',
    'ya tienes del mié 18 nov 2026: DEPOSITO',
  )
  expect(await linesOf()).toHaveLength(1)
  const seen = /name="seen" value="([^"]+)"/.exec(asked.text)![1]!
  await reads(analyst, file, 'sin marcar.csv', { seen })
  expect(await linesOf()).toHaveLength(1)
  await reads(analyst, file, 'otro.csv', { seen, 'otro.2': 'on' })
  expect((await linesOf()).map(({ description }) => description).toSorted()).toEqual(['DEPOSITO', 'EFECTIVO'])
})

test('a file of the bank imported by two people at once adds each movement once', async () => {
  const file = csv(came('18/11/2026', '600.00', { text: 'EFECTIVO' }))
  await Promise.all([analyst, manager].map((who) => reads(who, file)))
  expect(await linesOf()).toHaveLength(1)
})

test('a file of the bank left before it is imported waits for its user with what was chosen', async () => {
  const { location } = await uploads(analyst, csv(came('18/11/2026', '600.00')), 'dejado.csv')
  await expectBank('dejado.csv', 'Continuar', `href="${location}"`)
  expect(await markupOf(bank, manager)).not.toContain('dejado.csv')
  await post({
    intent: 'discard-statement',
    statementId: new URL(location!, 'http://carga.test').searchParams.get('archivo')!,
  })
  expect(await markupOf(bank, analyst)).not.toContain('dejado.csv')
})

test('a file of the bank is not imported before its unknown words and its account are answered', async () => {
  const file = 'Fecha,Concepto,Tipo,Importe\n18/11/2026,SPEI,TRF,600.00\n'
  const columns = { description: '1', sign: '2', credit: '3', debit: '', reference: '', trackingKey: '' }
  const send = (more: Record<string, string>, text = file) =>
    reads(analyst, text, 'palabras.csv', { ...columns, ...more })
  expectShown(await send({}), 400, 'es dinero que entró o que salió', 'Dinos si ese dinero entró o salió.')
  expectShown(await send({ 'entra.trf': 'in', account: '' }), 400, 'Escribe los últimos 4 dígitos')
  await expectAnswered(send({ 'entra.trf': 'in' }), 303)
  expect(await linesOf()).toMatchObject([{ amount: 600_00 }])
  // The next file with these headings keeps the answer and the account.
  expectShown(
    await preview(file),
    200,
    '<option value="in" selected="">',
    'value="1234"',
    'Como en tu archivo del ',
  )
  // Files of two accounts with the same headings: the account is left empty.
  const other = send({ 'entra.trf': 'in', account: '5678' }, file.replace('600', '700'))
  await expectAnswered(other, 303)
  const page = await preview(file)
  expectShown(page, 200, 'Ya subiste archivos como este de las cuentas 5678, 1234.')
  expect(page.text).not.toMatch(/name="account"[^>]*value="[^"]/)
  expectShown(await preview(`Cuenta,5678\n${file}`), 200, 'value="5678"', 'La dice el archivo.')
})

test('a file of the bank of another kind, too large or without columns is refused', async () => {
  const picture = new Uint8Array(readFileSync('test/photos/sharp-facade.jpg'))
  const png = Uint8Array.from([0x89, ...new TextEncoder().encode('PNG\r\n\x1a\n,a,b\n1,2,3')])
  for (const [bytes, words, name] of [
    ['PK\x03\x04hoja', 'guárdalo como CSV', 'hoja.xlsx'],
    ['%PDF-1.7', 'Es un PDF'],
    [picture, 'No es un CSV: parece una imagen'],
    [png, 'No es un CSV: parece una imagen'],
    ['una sola columna\nsin nada', 'no hay columnas'],
    [`a,b\n${'x'.repeat(1024 * 1024)},1`, 'El archivo pesa demasiado'],
    ['1,2\n'.repeat(200_000), 'más de 20,000 renglones'],
  ] as const)
    expectShown(await uploads(analyst, bytes, name), 400, words)
  expectShown(await post({ intent: 'upload-statement' }), 400, 'Elige el archivo')
  expect(await linesOf()).toEqual([])
})

test('a file of the bank stays for its reader alone while its columns are wrong', async () => {
  const { location } = await uploads(analyst, csv(came('20/11/2026', '5.00')))
  const text = await markupOf(location!, analyst)
  const statementId = /name="statementId" value="([^"]+)"/.exec(text)![1]!
  const wrong = { intent: 'read-statement', statementId, version: '1', account: '1', date: '', credit: '1' }
  const send = (form: object, by = analyst) => fixture.post(location!, { ...wrong, ...form }, by)
  expectShown(await send({}), 400, 'Elige la columna de la fecha.')
  expectShown(await send({ date: '0', credit: '4' }), 400, 'no hay ningún abono')
  await expectAnswered(send({ date: '0', credit: '5' }, manager), 404)
  await expectAnswered(send({ date: '0', credit: '5' }), 303)
})

test('the columns of a file are previewed as they are chosen before anything is read, without scripts too', async () => {
  const text = csv('20/11/2026,SPEI,,,,"5,000.00","91,234.50"', '21/11/2026,LUZ,,,"10.00",,"91,224.50"')
  const { location } = await uploads(analyst, text)
  const first = await fixture.visit(location!, analyst)
  expectShown(first, 200, '$5,000.00', 'Cuadra con tus saldos', 'por ejemplo LUZ $10.00 (renglón 3)')
  const statementId = /name="statementId" value="([^"]+)"/.exec(first.text)![1]!
  const preview = async (columns: Record<string, string>) => {
    await post({ intent: 'preview-statement', statementId, version: '1', ...columns })
    return fixture.visit(location!, analyst)
  }
  const balance = await preview({ date: '0', credit: '6' })
  expectShown(balance, 200, '¿Sin signo, entró o salió?', 'Sin saldos no podemos comprobarlo')
  const credit = /<select[^>]*name="credit".*?<\/select>/s.exec(balance.text)![0]
  expect(/<option[^>]*selected[^>]*>([^<]*)/.exec(credit)![1]).toBe('7: Saldo')
  expectShown(await preview({ date: '0', credit: '6', 'entra.': 'in' }), 200, '$91,234.50')
  expectShown(await preview({ date: '0', credit: '5', balance: '6' }), 200, '$5,000.00')
  expect(await linesOf()).toEqual([])
})

test('the columns of a file have the order of their dates stated, chosen where it is assumed, and kept for the next file', async () => {
  const file = 'Fecha,Motivo,Abono\n\n11/05/2026,SPEI,600.00\n'
  expectShown(await preview(file), 200, 'Suponemos que las fechas vienen como día/mes/año', 'lun 11 may 2026')
  const columns = { description: '1', credit: '2', debit: '', reference: '', trackingKey: '' }
  await expectAnswered(reads(analyst, file, 'a.csv', { ...columns, order: 'mdy' }), 303)
  await expectBank('jue 5 nov 2026')
  expectShown(
    await preview(file.replace('05', '06')),
    200,
    'vie 6 nov 2026',
    '<option value="mdy" selected="">',
  )
})

test('a movement of the same key and amount settles a proof as a review does, with the key of the bank', async () => {
  const debt = await owing('KEYOK001')
  await read(came('20/11/2026', '5,000.00', { key: 'KEYOK001' }))
  await expectBank('Misma clave de rastreo y misma cantidad')
  const form = matching(await lineOf('KEYOK001'), debt.demand)
  await expectTwice(() => post(form))
  const [paid, ...more] = await rowsOf(debt.projectId)
  expect(more).toEqual([])
  const booked = { state: 'paid', amount: 5_000_00, paidAt: new Date('2026-11-20T18:00:00Z') }
  expect(paid).toMatchObject({ ...booked, reviewedBy: analyst.id })
  expect(await lineOf('KEYOK001')).toMatchObject({ state: 'settled', paymentId: paid!.id })
  expect(await sentAbout(paid!)).toContain('payment_received to customer')
  const typo = await owing('TYPO0001')
  await read(came('20/11/2026', '5,000.00', { key: 'RIGHT001' }))
  await post(matching(await lineOf('RIGHT001'), typo.demand))
  expect(await rowsOf(typo.projectId)).toMatchObject([{ state: 'paid', trackingKey: 'RIGHT001' }])
})

test('a movement matched twenty times at once is one payment', async () => {
  const debts = [await owing('RACE0001'), await owing()]
  await read(came('20/11/2026', '5,000.00', { key: 'RACE0001' }))
  const { id: lineId } = await lineOf('RACE0001')
  const pair = (n: number) => {
    const input = { lineId, paymentId: debts[n % 2]!.demand.id, version: null, sure: null }
    return confirmPair(db, (n % 3 ? analyst : manager).actor, input, new Date())
  }
  const tried = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => pair(n)))
  expect(tried.some(({ status }) => status === 'fulfilled')).toBe(true)
  const rows = await Promise.all(debts.map(rowsFor))
  expect(rows.flat().filter((row) => row.includes('paid'))).toHaveLength(1)
})

test('a movement of another amount is confirmed with what it leaves to pay, by a current form only', async () => {
  const debt = await owing('LESS0001')
  await read(came('20/11/2026', '3,000.00', { key: 'LESS0001' }))
  const line = await lineOf('LESS0001')
  await expectBank('con otra cantidad', 'Faltan $2,000.00 y queda un pago pendiente por esa cantidad.')
  const { demand } = debt
  const stale = matching(line, { ...demand, version: demand.version + 1 })
  expectShown(await post(stale), 409, 'Revisa lo que cambió')
  await expectAnswered(post(matching(line, demand)), 409)
  await expectAnswered(post(matching(line, demand, '300000')), 303)
  expect(await rowsFor(debt)).toEqual(['deposit paid 3000', 'deposit pending 2000'])
})

test('a movement of a recorded payment is matched with it once, and makes no other payment', async () => {
  const debt = await owing('HAND0001')
  await book(debt, '5000')
  const transfer = came('20/11/2026', '5,000.00', { text: 'SPEI hand0001 RECIBIDO' })
  await read(transfer, transfer)
  const [paid] = await rowsOf(debt.projectId)
  const [first, second] = (await linesOf()).filter(({ state }) => state === 'open')
  await post(matching(first!, paid!))
  expectShown(await post(matching(second!, paid!)), 409, 'ya tiene su movimiento')
  expect(await rowsFor(debt)).toEqual(['deposit paid 5000'])
  expect((await linesOf()).filter(({ state }) => state === 'recorded')).toHaveLength(1)
})

test('a movement of a recorded payment pays nothing else, whatever amount was recorded', async () => {
  const known = await owing('KNOWN001')
  const other = await owing('TYPED001')
  await book(known, '4999', { sure: '499900' })
  await read(came('20/11/2026', '5,000.00', { key: 'KNOWN001' }))
  expectShown(
    await post(matching(await lineOf('KNOWN001'), other.demand)),
    409,
    `ya está en el pago ${known.demand.folio}`,
  )
  expect(await rowsFor(other)).toEqual(['deposit in_review 5000'])
  expect(await lineOf('KNOWN001')).toMatchObject({ state: 'open', paymentId: null })
})

test('a movement is ignored with a reason, then matched with no payment until it is reopened', async () => {
  const { demand } = await owing()
  await read(came('17/11/2026', '5,000.00', { key: 'FOLIO001' }))
  const { id: lineId } = await lineOf('FOLIO001')
  const send = (intent: string, form = {}) => post({ intent, lineId, ...form })
  await expectAnswered(send('ignore-line', { reason: '' }), 400)
  await expectAnswered(send('ignore-line', { reason: 'Un traspaso' }), 303)
  await expectAnswered(send('tie-line', { folio: demand.folio }), 409)
  await expectAnswered(send('reopen-line'), 303)
  expectShown(await send('tie-line', { folio: 'PAG-1999-99999' }), 400, 'No hay un pago con ese folio')
  expectShown(await send('tie-line', { folio: demand.folio.toLowerCase() }), 409, '¿Es este pago?')
})

test('a movement that is a payment is kept by the database', async () => {
  const paid = sql`${bankLines.state} = 'settled'`
  for (const change of [{ amount: 1 }, { state: 'open', paymentId: null } as const])
    await expect(db.update(bankLines).set(change).where(paid)).rejects.toThrow()
  const sums = await runSql<{ same: boolean }>`
      select bool_and(bank_lines.amount >= payments.amount) as same from bank_lines join payments on payments.id = payment_id`
  expect(sums.rows[0]!.same).toBe(true)
})

test('nothing of the bank is there without the module', async () => {
  const off = fixture.under({ MODULES: '' })
  await expectAnswered(off.visit(bank, analyst), 404)
  await expectAnswered(off.post(bank, { intent: 'upload-statement' }, analyst), 404)
})
