import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { bankAmount, bankDate } from '../../src/payments/rules/bank-cells.ts'
import { guessColumns, rememberedColumns } from '../../src/payments/rules/bank-columns.ts'
import { readBankTable } from '../../src/payments/rules/bank-statement.ts'
import { bankTable, bankText, isText } from '../../src/payments/rules/bank-table.ts'
import { money, plainAmount } from '../../src/shared/format.ts'

test.each([
  ['24/11/2026', '2026-11-24'],
  ['4-1-26', '2026-01-04'],
  ['24.11.2026', '2026-11-24'],
  ['2026-11-24', '2026-11-24'],
  ['24/11/2026 13:05:59', '2026-11-24'],
  ['24112026', '2026-11-24'],
  ['24/NOV/2026', '2026-11-24'],
  ['24 noviembre 26', '2026-11-24'],
  ['24 de noviembre de 2026', '2026-11-24'],
  ['24-Dec-2026', '2026-12-24'],
  ['02-Aug-2026', '2026-08-02'],
  ['Nov 24, 2026', '2026-11-24'],
  ['20261124', '2026-11-24'],
  ['1112026', '2026-11-01'],
  ['46350', '2026-11-24'],
  ['24/11/2026 10.31.22', '2026-11-24'],
  ['24/11/1026', null],
  ['31/02/2026', null],
  ['29/02/2028', '2028-02-29'],
  ['24/13/2026', null],
  ['2026', null],
  ['Saldo final', null],
  ['', null],
])('reads the date of %j', (cell, date) => expect(bankDate(cell)).toBe(date))

test.each([
  ['5,000.00', 5_000_00],
  ['$ 5000', 5_000_00],
  ['1,234,567.8', 1_234_567_80],
  ['1.234.567,89', 1_234_567_89],
  ['1234,5', 1_234_50],
  ['1,234', 1_234_00],
  ['.50', 50],
  ['-50.00', -50_00],
  ['50.00-', -50_00],
  ['(50.00)', -50_00],
  ['+50.00', 50_00],
  ['0.00', 0],
  ['MXN 12.30', 12_30],
  ['00000012345.67', 12_345_67],
  ['1,000.00 CR', 1_000_00],
  ['−50.00', -50_00],
  ['12.345', 12_345_00],
  ['1,23,4', null],
  ['1.2.3', null],
  ['(50.00', null],
  ['-50-', null],
  ['12.3456', null],
  ['abono', null],
  ['-', null],
  ['', null],
])('reads the amount of %j', (cell, centavos) => expect(bankAmount(cell)).toBe(centavos))

test('reads each amount as it is written by the application', () =>
  fc.assert(
    fc.property(fc.integer({ min: -9_999_999_99, max: 9_999_999_99 }), (centavos) => {
      expect([bankAmount(plainAmount(centavos)), bankAmount(money(centavos))]).toEqual([centavos, centavos])
    }),
  ))

const linesOf = (text: string) => {
  const table = bankTable(text)
  const { columns, head } = guessColumns(table)
  return readBankTable(table, head, columns)
}
const orderOf = ({ dates }: ReturnType<typeof linesOf>) =>
  dates ? dates.order + (dates.isAssumed ? ' assumed' : '') : ''
const brief = (text: string) =>
  linesOf(text).lines.map(({ amount, bookedOn, description, reference, trackingKey }) =>
    [bookedOn, amount, description, reference, trackingKey].join('|'),
  )

test.each([
  ['+ −', '+'],
  ['Abono Cargo', 'Abono'],
  ['Depósito Retiro', 'Depósito'],
  ['crédito debito', 'crédito'],
  ['a c', 'a'],
  ['A D', 'A'],
  ['C D', 'C'],
  ['D R', 'D'],
  ['A C D', 'A'],
  ['A R', 'A'],
  ['A', 'A'],
  ['R', ''],
])('of the signs %s credits are %s', (signs, ins) => {
  const rows = signs.split(' ').map((sign) => `24/11/2026,SPEI,${sign},100.00`)
  const { debits, lines } = linesOf(['Fecha,Concepto,Tipo,Importe', ...rows].join('\n'))
  expect(lines.map(({ row }) => signs.split(' ')[row - 2]).join(' ')).toBe(ins)
  expect(debits).toBe(rows.length - lines.length)
})

test('files of banks have texts in several columns, which are joined, each once', () => {
  const text = `Fecha,Concepto,Descripción,Leyenda,Motivo de pago,Abono
24/11/2026,PAG-2026-00020,SPEI RECIBIDO,SPEI RECIBIDO,Anticipo,5000.00
`
  const table = bankTable(text)
  const { columns, head } = guessColumns(table)
  expect(columns).toEqual({ date: 0, description: 2, concept: 1, detail: 3, credit: 5 })
  expect(brief(text)).toEqual(['2026-11-24|500000|SPEI RECIBIDO PAG-2026-00020||'])
  const other = readBankTable(table, head, { ...columns, detail: 4 })
  expect(other.lines[0]!.description).toBe('SPEI RECIBIDO PAG-2026-00020 Anticipo')
})

test('files of banks keep the columns chosen for an earlier file, and propose texts that it did not name', () => {
  const guessed = { date: 0, credit: 5, description: 2, concept: 1 }
  const remembered = { date: 0, credit: 4, description: 2 }
  expect(rememberedColumns(remembered, guessed, [])).toEqual({ ...remembered, concept: 1 })
  const other = { date: 0, credit: 5, description: 1 }
  expect(rememberedColumns(other, guessed, [])).toEqual(other)
})

test('files of banks have a first and last day, of debits too', () => {
  const days = (rows: string) => linesOf(`Fecha,Concepto,Cargo,Abono\n${rows}`).days
  const rows = '24/11/2026,SPEI,,100.00\n26/11/2026,Luz,50.00,\n20/11/2026,Agua,9.00,\nTotal,,,\n'
  expect(days(rows)).toEqual({ from: '2026-11-20', to: '2026-11-26' })
  expect(days('Total,,,\n')).toBeNull()
})

test.each<[string, Uint8Array, boolean]>([
  ['a bank’s file', new TextEncoder().encode('Fecha,Abono\n24/11/2026,100.00\n'), true],
  [
    'one with marks of a mainframe',
    new TextEncoder().encode(`Fecha,Abono\r\n${'x'.repeat(300)}\f\x1a`),
    true,
  ],
  ['one with a stray mark', new TextEncoder().encode(`Fecha,Abono\n${'x'.repeat(300)}\x02`), true],
  ['an empty file', new Uint8Array(), true],
  ['a picture', readFileSync('test/photos/sharp-facade.jpg'), false],
  ['random bytes', Uint8Array.from({ length: 4_000 }, (_, n) => (n * 7919) % 251), false],
])('files of banks recognises %s as text or not', (_, bytes, expected) =>
  expect(isText(bankText(bytes).replaceAll('\0', ''))).toBe(expected),
)

test.each([
  'Importe Cargo,Importe Abono',
  'Monto retiro,Monto depósito',
  'Importe de cargo,Importe de abono',
  'Monto enviado,Monto recibido',
  'Importe egreso,Importe ingreso',
  'Débitos,Importe',
])('files of banks have credits and debits under %s', (headings) => {
  const rows = '27/11/2026,SPEI ENVIADO,"14,500.44",\n27/11/2026,SPEI RECIBIDO ANA,,70.00\n'
  expect(brief(`Fecha,Descripción,${headings}\n${rows}`)).toEqual(['2026-11-27|7000|SPEI RECIBIDO ANA||'])
})

test.each(['Importe Cargo', 'Monto de retiro', 'Importe de salida', 'Monto débito', 'Importe cargo/abono'])(
  'files of banks have no column to choose where the only amount is %s',
  (heading) => {
    const table = bankTable(`Fecha,Descripción,${heading},Saldo\n27/11/2026,LUZ,100.00,5.00\n`)
    expect(guessColumns(table)).toEqual({ head: -1, columns: {} })
  },
)

test('files of banks have no credits in a column of debits, also where it was chosen', () => {
  const table = bankTable('Fecha,Importe Cargo,Importe Abono\n27/11/2026,100.00,\n27/11/2026,,70.00\n')
  const { debits, lines } = readBankTable(table, 0, { date: 0, credit: 1 })
  expect([debits, lines]).toEqual([2, []])
  const guessed = { date: 0, credit: 2 }
  expect(rememberedColumns({ date: 0, credit: 1 }, guessed, table[0]!)).toEqual(guessed)
})

test.each([
  ['24/11/2026,SPEI,C,100.00', 'c'],
  ['24/11/2026,SPEI,D,100.00', 'd'],
  ['24/11/2026,SPEI,Dotación,100.00', 'dotacion'],
  ['24/11/2026,SPEI,,100.00', ''],
])('files of banks have the direction of %s asked, read or skipped as it is answered', (row, word) => {
  const table = bankTable(`Fecha,Concepto,Tipo,Importe\n${row}\n`)
  const { columns } = guessColumns(table)
  const read = (answers?: Record<string, 'in' | 'out' | 'skip'>) => readBankTable(table, 0, columns, answers)
  expect(read()).toMatchObject({ lines: [], debits: 0, asked: [{ word, count: 1, row: 2 }] })
  expect(read({ [word]: 'in' }).lines).toMatchObject([{ amount: 100_00 }])
  expect(read({ [word]: 'out' })).toMatchObject({ lines: [], debits: 1, asked: [{ answer: 'out' }] })
  expect(read({ [word]: 'skip' }).unread).toHaveLength(1)
})

test('files of banks list the rows that can’t be read, with why', () => {
  const rows = [
    '24/11/2026,SPEI,,11,260.00,5.00',
    '2x/11/2026,SPEI,,1.00,',
    '24/11/2026,SPEI,,1x,',
    '24/11/2026,SPEI,1.00,1.00,',
    '24/11/2026,SPEI,,--,',
    '24/11/2026,"SPEI DE ANA,,7.00,',
    '25/11/2026,"SPEI DE EVA",,8.00,',
  ]
  const { lines, unread } = linesOf(['Fecha,Concepto,Cargo,Abono,Saldo', ...rows].join('\n'))
  expect(unread.map(({ reason, row }) => `${row} ${reason}`)).toEqual([
    '2 trae más columnas que los títulos: revisa si las cantidades llevan comas sin comillas',
    '3 no entendemos la fecha «2x/11/2026»',
    '4 no entendemos la cantidad «1x»',
    '5 trae cargo y abono',
    '6 no trae cantidad',
  ])
  // A quote that was never closed takes no other row with it.
  expect(lines.map(({ amount, description }) => [amount, description])).toEqual([
    [7_00, '"SPEI DE ANA'],
    [8_00, 'SPEI DE EVA'],
  ])
})

test('files of banks are proved by their balances, or show the first row that does not follow', () => {
  const balanceOf = (...rows: string[]) =>
    linesOf(['Fecha,Concepto,Cargo,Abono,Saldo', ...rows].join('\n')).balance
  const rows = ['24/11/2026,A,,10.00,110.00', '25/11/2026,B,5.00,,105.00', '26/11/2026,C,,1.00,106.00']
  expect(balanceOf(...rows)).toBe('follows')
  expect(balanceOf(...rows.toReversed())).toBe('follows')
  expect(balanceOf(rows[0]!)).toBe('none')
  expect(balanceOf(rows[0]!, rows[2]!)).toEqual({ row: 3, expected: 111_00, found: 106_00 })
})

test('files of banks take the direction of amounts without a sign from their balances, where all follow', () => {
  const read = (...rows: string[]) => linesOf(['Fecha,Concepto,Importe,Saldo', ...rows].join('\n'))
  const rows = ['24/11/2026,A,10.00,110.00', '25/11/2026,B,5.00,105.00', '26/11/2026,C,1.00,106.00']
  expect(read(...rows)).toMatchObject({
    asked: [{ word: '', row: 2, count: 1 }],
    debits: 1,
    lines: [{ row: 4, amount: 1_00 }],
  })
  expect(read(...rows, '27/11/2026,D,9.00,200.00')).toMatchObject({ lines: [], asked: [{ count: 4 }] })
})

test.each([
  ['newest first with equal amounts', ['04/11/2026,A,500.00,500.00', '03/11/2026,B,500.00,1000.00'], [3]],
  ['of one day with equal amounts', ['04/11/2026,A,500.00,500.00', '04/11/2026,B,500.00,1000.00'], [2, 3]],
  [
    'with a gap, whatever is answered',
    [
      '01/11/2026,A,1.00,10.00',
      '02/11/2026,B,3.00,7.00',
      '03/11/2026,C,1.00,8.00',
      '05/11/2026,D,1.00,90.00',
    ],
    [2, 4, 5],
  ],
])('files of banks have no withdrawal read as received: %s', (_, rows, expected) => {
  const table = bankTable(['Fecha,Concepto,Importe,Saldo', ...rows].join('\n'))
  const { lines } = readBankTable(table, 0, guessColumns(table).columns, { '': 'in' })
  expect(lines.map(({ row }) => row)).toEqual(expected)
})

test('files of banks take a word’s direction from balances only where each of its rows has one', () => {
  const rows = ['01/11/2026,OTRO,1.00,1000.00', '01/11/2026,SPEI,100.00,1100.00', '02/11/2026,SPEI,300.00,']
  const { asked, lines } = linesOf(['Fecha,Tipo,Importe,Saldo', ...rows].join('\n'))
  expect([lines, asked.map(({ word }) => word)]).toEqual([[], ['otro', 'spei']])
})

test.each([
  ['Fecha,Tipo,Importe,Cargo', 'Cargo,300.00,'],
  ['Fecha,Tipo,Importe,Cargo', ',300.00 DR,'],
  ['Fecha,Tipo,Importe', 'Abono,300.00 DR'],
  ['Fecha,Tipo,Abono', 'SPEI,300.00 DR'],
  ['Fecha,Tipo,Abono,', 'SPEI,1,234.56,'],
  ['Fecha,Tipo,Cargo,Abono,Saldo', ',,1,234.56,'],
  ['Fecha,Tipo,Abono', ',0.500'],
  ['Fecha,Tipo,Abono', ',1500.000'],
])('files of banks read nothing as received under %s of %s', (head, row) =>
  expect(linesOf(`${head}\n02/11/2026,${row}\n`).lines).toEqual([]),
)

test('files of banks never have a heading turned round by balances', () => {
  // The balance of a credit card is a debt: it falls with what comes in.
  const { lines, unread } = linesOf(
    'Fecha,Concepto,Cargo,Abono,Saldo\n24/11/2026,A,,10.00,110.00\n25/11/2026,B,5.00,,115.00\n26/11/2026,C,,1.00,114.00\n',
  )
  expect(lines.map(({ row }) => row)).toEqual([2])
  expect(unread.map(({ row }) => row)).toEqual([3, 4])
  const anterior = bankTable('Fecha,Concepto,Abono,Saldo anterior\n24/11/2026,A,10.00,110.00\n')
  expect(guessColumns(anterior).columns).not.toHaveProperty('balance')
})

test.each([
  ['25/11/2026 26/11/2026', 'dmy'],
  ['11/25/2026 11/26/2026', 'mdy'],
  ['11/25/2026 01/12/2026', 'mdy'],
  ['01/11/2026 02/11/2026', 'dmy assumed'],
  ['10/12/2026 11/02/2026 12/05/2026', 'mdy'],
  ['01/02/2026 01/02/2026', 'dmy assumed'],
  ['11/11/2026 11/11/2026', 'dmy'],
  ['26/11/30 26/12/01', 'ymd'],
  ['30/11/26 01/12/26', 'dmy'],
  ['26/11/24', 'dmy assumed'],
  ['2026-11-24 2026.12.01', ''],
])('files of banks have one order of dates in %s', (days, order) => {
  const rows = days.split(' ').map((day) => `${day},SPEI,1.00`)
  expect(orderOf(linesOf(['Fecha,Concepto,Abono', ...rows].join('\n')))).toBe(order)
})

test.each([
  ['10/11/2026 09/12/2026', '10 20', 'dmy'],
  ['10/11/2026 09/12/2026', '20 10', 'mdy'],
  ['10/11/2026 09/12/2026', '10 10', 'dmy assumed'],
  ['01/02/2026 02/03/2026', '10 20', 'dmy assumed'],
])('files of banks have the order of %s by the balances %s', (days, balances, order) => {
  const rows = days.split(' ').map((day, n) => `${day},SPEI,10.00,${balances.split(' ')[n]}`)
  const table = bankTable(['Fecha,Concepto,Abono,Saldo', ...rows].join('\n'))
  const { columns } = guessColumns(table)
  expect(orderOf(readBankTable(table, 0, columns))).toBe(order)
  const chosen = readBankTable(table, 0, { ...columns, order: 'mdy' })
  expect([orderOf(chosen), chosen.lines[0]!.bookedOn]).toEqual(['mdy', bankDate(days.slice(0, 10), 'mdy')])
})

test('files of banks without headings are read by chosen columns only', () => {
  const table = bankTable('24/11/2026,SPEI,5000.00\n25/11/2026,SPEI,100.00\n')
  expect(guessColumns(table)).toEqual({ head: -1, columns: {} })
  const columns = { date: 0, description: 1, credit: 2 }
  expect(readBankTable(table, -1, columns).asked).toMatchObject([{ word: '', count: 2 }])
  expect(readBankTable(table, -1, columns, { '': 'in' }).lines).toMatchObject([
    { row: 1, amount: 5_000_00 },
    { row: 2, amount: 100_00 },
  ])
})

test('files of banks of any cells are read back, and hostile ones in time', () => {
  const cell = fc.string({ maxLength: 12 }).map((text) => text.replace(/[\p{Cc}\p{Cf}\s']+/gu, ' ').trim())
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 4, maxLength: 4 }), { minLength: 3, maxLength: 8 }),
      (rows) => {
        const text = rows
          .map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(','))
          .join('\n')
        const last = rows.findLastIndex((row) => row.some(Boolean))
        expect(bankTable(text)).toEqual(rows.slice(0, last + 1))
      },
    ),
    { numRuns: 60 },
  )
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (text) => bankTable(text).length >= 0),
    { numRuns: 60 },
  )
  // Without a bound on its time either takes minutes.
  bankTable('"'.repeat(500_000))
  bankTable('a,"b\n'.repeat(100_000))
  bankTable('"a""b,'.repeat(100_000))
  bankTable(`"${',""x'.repeat(100_000)}`)
})
