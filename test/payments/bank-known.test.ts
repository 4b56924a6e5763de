import { accountKey, guessColumns, namedAccount } from '../../src/payments/rules/bank-columns.ts'
import { compareLines } from '../../src/payments/rules/bank-known.ts'
import { readBankTable } from '../../src/payments/rules/bank-statement.ts'
import { bankTable } from '../../src/payments/rules/bank-table.ts'

const linesOf = (text: string) => {
  const table = bankTable(text)
  const { columns, head } = guessColumns(table)
  return readBankTable(table, head, columns)
}
const compared = (text: string, stored: string, account = '', storedAccount = account) => {
  const earlier = linesOf(stored).lines.map(({ row, ...line }) => ({
    ...line,
    id: String(row),
    account: storedAccount,
  }))
  const { alike, fresh, known } = compareLines(linesOf(text).lines, earlier, account)
  return { known, fresh: fresh.map(({ row }) => row), alike: alike.map(({ line }) => line.row) }
}
const head = 'Fecha,Concepto,Clave de rastreo,Abono,Saldo\n'
const transfer = '25/11/2026,SPEI RECIBIDO BANORTE,BNT0007654321,"3,712.00","10,000.00"\n'
const cash = '25/11/2026,DEPÓSITO EN EFECTIVO,,"3,712.00","10,000.00"\n'

test.each([
  ['the same file', head + transfer, { known: 1, fresh: [], alike: [] }],
  ['another balance', head + transfer.replace('10,000', '9,500'), { known: 1, fresh: [], alike: [] }],
  [
    'the writing of Excel',
    'Fecha;Concepto;Clave de rastreo;Abono\n25/11/2026;SPEI recibido Banorte;BNT0007654321;3712\n',
    { known: 1, fresh: [], alike: [] },
  ],
  [
    'another layout',
    'Fecha,Descripción,Clave de rastreo,Cargo,Abono\n25-11-2026,ABONO DE ANA,BNT0007654321,,3712.00\n',
    { known: 1, fresh: [], alike: [] },
  ],
  ['a layout without keys', head + transfer.replace('BNT0007654321', ''), { known: 1, fresh: [], alike: [] }],
  ['another text without key', head + cash, { known: 0, fresh: [], alike: [2] }],
  ['another key', head + transfer.replace('321', '322'), { known: 0, fresh: [2], alike: [] }],
  ['the same key on another day', head + transfer.replace('25/', '26/'), { known: 0, fresh: [], alike: [2] }],
  ['the same key twice', head + transfer + transfer, { known: 1, fresh: [], alike: [3] }],
  [
    'the same key below one with its text',
    head + transfer.replace('BNT0007654321', '') + transfer,
    { known: 1, fresh: [2], alike: [] },
  ],
  ['another amount', head + transfer.replace('712', '713'), { known: 0, fresh: [2], alike: [] }],
])('movements of %s are new, known, or asked about', (_, text, expected) =>
  expect(compared(text, head + transfer)).toEqual(expected),
)

test('movements have equal movements without a key apart, each known once', () => {
  expect(compared(head + cash + cash, head)).toEqual({ known: 0, fresh: [2, 3], alike: [] })
  expect(compared(head + cash + cash, head + cash)).toEqual({ known: 1, fresh: [3], alike: [] })
  expect(compared(head + cash, head + cash + cash)).toEqual({ known: 1, fresh: [], alike: [] })
})

test('movements of one key twice are like that key, also beside another of that day', () => {
  const stored = head + transfer + cash
  expect(compared(head + transfer + transfer, stored)).toEqual({ known: 1, fresh: [], alike: [3] })
  const { alike } = compareLines(
    linesOf(head + transfer + transfer).lines,
    linesOf(stored).lines.map(({ row, ...line }) => ({ ...line, id: String(row), account: '' })),
    '',
  )
  expect(alike[0]!.like.trackingKey).toBe('BNT0007654321')
})

test('movements of two accounts are asked about, keyed ones are the same', () => {
  expect(compared(head + cash, head + cash, '1234', '5678')).toEqual({ known: 0, fresh: [], alike: [2] })
  expect(compared(head + cash, head + cash, '1234', '')).toMatchObject({ known: 1 })
  expect(compared(head + transfer, head + transfer, '1234', '5678')).toMatchObject({ known: 1 })
  expect(accountKey('646180157000000004')).toBe(accountKey('15700000000'))
  expect(accountKey('BBVA ****1234')).toBe(accountKey('1234'))
  expect(namedAccount(bankTable('Cuenta:,XXXX1234\nFecha,Abono\n24/11/2026,1\n'), 1)).toBe('1234')
})

test('movements are compared in steps that grow as their number', () => {
  const count = 2_000
  let steps = 0
  const facts = { bookedOn: '2026-11-25', amount: 1_00, description: 'SPEI', reference: '' }
  const lines = Array.from({ length: count }, (_, row) => ({ ...facts, row, trackingKey: `NEW${row}` }))
  const stored = lines.map(({ row, ...line }) => ({
    ...line,
    id: String(row),
    account: '',
    get trackingKey() {
      steps += 1
      return `OLD${row}`
    },
  }))
  expect(compareLines(lines, stored, '').fresh).toHaveLength(count)
  expect(steps).toBeLessThan(count * 20)
})
