import fc from 'fast-check'
import { guessColumns } from '../../src/payments/rules/bank-columns.ts'
import { readBankTable } from '../../src/payments/rules/bank-statement.ts'
import { bankTable, bankText } from '../../src/payments/rules/bank-table.ts'
import { rounds } from '../kit/dice.ts'

const read = (bytes: Uint8Array, answers = {}) => {
  const table = bankTable(bankText(bytes))
  const { columns, head } = guessColumns(table)
  return readBankTable(table, head, columns, answers)
}

// Made-up rows in the headings that each bank's files have.
test.each([
  [
    'BBVA',
    'Día\tConcepto / Referencia\tcargo\tAbono\tSaldo\n25/11/2026\tSPEI RECIBIDO\t\t1,500.00\t9,500.00\n24/11/2026\tPAGO LUZ\t-350.00\t\t8,000.00\n',
  ],
  [
    'Santander',
    "Cuenta,Fecha,Hora,Sucursal,Descripcion,Cargo/Abono,Importe,Saldo,Referencia,Concepto\n'65001','24112026','09:31','0001','PAGO LUZ',-,350.00,8000.00,'11','CFE'\n'65001','25112026','10:00','0001','ABONO SPEI',+,1500.00,9500.00,'12','PAG'\n",
  ],
  [
    'Banorte',
    'Cuenta|Fecha De Operación|Fecha|Referencia|Descripción|Cod. Transac|Sucursal|Depósitos|Retiros|Saldo|Movimiento|Descripción Detallada\n0123|24/11/2026|24/11/2026|1|LUZ|5|1|$0.00|$350.00|$8,000.00|1|LUZ\n0123|25/11/2026|25/11/2026|2|SPEI|6|1|$1,500.00|$0.00|$9,500.00|2|SPEI\n',
  ],
  [
    'Citibanamex',
    'Fecha,Descripción,Depósitos,Retiros,Saldo\n24-11-2026,LUZ,,00000000350.00,00000008000.00\n25-11-2026,SPEI,00000001500.00,,00000009500.00\n',
  ],
  [
    'HSBC',
    'Descripción,Referencia bancaria,Fecha del apunte,Importe del abono,Importe del cargo,Saldo\nLUZ,1,24/11/2026,,350.00,8000.00\nSPEI,2,25/11/2026,1500.00,,9500.00\n',
  ],
  [
    'Scotiabank',
    'Fecha;Referencia Numérica;Cargo;Abono;Saldo;Tipo;Transacción;Leyenda 1\n2026/11/24;1;350.00;0.00;8000.00;C;LUZ;CFE\n2026/11/25;2;0.00;1500.00;9500.00;A;SPEI;ANA\n',
  ],
  [
    'Inbursa',
    'Cliente: Demo\nCuenta: 500001234567\n\nFecha,Referencia,Concepto,Movimiento,Cargo,Abono,Saldo\n24-NOV-2026,1,LUZ,CARGO,350.00,,"8,000.00"\n25-NOV-2026,2,SPEI,ABONO,,"1,500.00","9,500.00"\n',
  ],
  [
    'BanBajío',
    '#,Fecha Movimiento,Hora,Recibo,Descripción,Cargos,Abonos,Saldo\n1,24-Nov-2026,09:00,1,LUZ,$350.00,,"$8,000.00"\n2,25-Nov-2026,10:00,2,SPEI,,"$1,500.00","$9,500.00"\n',
  ],
])('reads the layout of %s and proves it by its balances', (_, text) => {
  const reading = read(new TextEncoder().encode(text))
  expect(reading.lines).toMatchObject([{ bookedOn: '2026-11-25', amount: 1_500_00 }])
  expect(reading).toMatchObject({ debits: 1, unread: [], asked: [], balance: 'follows' })
})

type Move = { day: number; amount: number; isIn: boolean; text: string; balance: number }
type Written = { cells: (move: Move) => string[]; heads: string[] }

const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10)
const parts = (n: number) => day(n).split('-') as [string, string, string]
const english = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const spanish = 'ene feb mar abr may jun jul ago sep oct nov dic'.split(' ')

/** How a bank writes dates and amounts, in centavos. */
const formats: { date: (n: number) => string; size: (centavos: number) => string; separator: string }[] = [
  { date: (n) => parts(n).toReversed().join('/'), size: (c) => comma(c), separator: ',' },
  { date: (n) => parts(n).toReversed().join('-'), size: (c) => `$${comma(c)}`, separator: '\t' },
  { date: day, size: (c) => (c / 100).toFixed(2), separator: ';' },
  {
    date: (n) => day(n).replaceAll('-', ''),
    size: (c) => (c / 100).toFixed(2).padStart(14, '0'),
    separator: '|',
  },
  {
    date: (n) => parts(n).toReversed().join('').replace(/^0/, ''),
    size: (c) => String(c / 100),
    separator: ',',
  },
  { date: (n) => swapped(parts(n)), size: (c) => comma(c), separator: ',' },
  { date: (n) => day(n).slice(2).replaceAll('-', '/'), size: (c) => comma(c), separator: ';' },
  { date: (n) => named(n, spanish, ' de '), size: (c) => dotted(c), separator: ';' },
  { date: (n) => named(n, english, '-'), size: (c) => `MXN ${comma(c)}`, separator: ',' },
  {
    date: (n) => `="${parts(n).toReversed().join('/')} 10:31:22"`,
    size: (c) => comma(c),
    separator: '\t',
  },
]
const swapped = ([year, month, date]: string[]) => [month, date, year].join('/')
const comma = (c: number) => (c / 100).toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',')
const dotted = (c: number) => comma(c).replace(/[.,]/g, (sign) => (sign === ',' ? '.' : ','))
const named = (n: number, names: string[], join: string) => {
  const [year, month, date] = parts(n)
  return [date, names[Number(month) - 1], year].join(join)
}

/** How a bank writes direction. */
const directions: ((size: (c: number) => string) => Written)[] = [
  (size) => ({
    heads: ['Cargo', 'Abono'],
    cells: ({ amount, isIn }) => (isIn ? ['', size(amount)] : [size(amount), '']),
  }),
  (size) => ({
    heads: ['Importe abono', 'Importe cargo'],
    cells: ({ amount, isIn }) => (isIn ? [size(amount), '--'] : ['--', `-${size(amount)}`]),
  }),
  (size) => ({ heads: ['Importe', 'Tipo'], cells: ({ amount, isIn }) => [size(amount), isIn ? 'A' : 'C'] }),
  (size) => ({ heads: ['Monto'], cells: ({ amount, isIn }) => [(isIn ? '' : '-') + size(amount)] }),
  (size) => ({ heads: ['Importe'], cells: ({ amount }) => [size(amount)] }),
]

const encodings: Record<string, (text: string) => Uint8Array> = {
  utf8: (text) => new TextEncoder().encode(text),
  mark: (text) => new TextEncoder().encode(`\ufeff${text}`),
  utf16: (text) =>
    Uint8Array.from([...`\ufeff${text}`].flatMap((l) => [l.charCodeAt(0) & 255, l.charCodeAt(0) >> 8])),
  utf16be: (text) =>
    Uint8Array.from([...`\ufeff${text}`].flatMap((l) => [l.charCodeAt(0) >> 8, l.charCodeAt(0) & 255])),
  windows: (text) => Uint8Array.from([...text].map((letter) => letter.charCodeAt(0))),
  // ó and ñ in MacRoman.
  mac: (text) =>
    Uint8Array.from([...text].map((letter) => ({ ó: 0x97, ñ: 0x96 })[letter] ?? letter.charCodeAt(0))),
}

const texts = ['SPEI recibido', 'Depósito de la señora', 'Pago "luz", CFE', 'Comisión; IVA', 'Saldo']

test('reads back any ledger in 50 layouts, encodings and orders', () => {
  const ledger = fc.array(
    fc.record({
      after: fc.nat(20),
      amount: fc.integer({ min: 1, max: 9_999_999_99 }),
      isIn: fc.boolean(),
      text: fc.constantFrom(...texts),
    }),
    { minLength: 2, maxLength: 12 },
  )
  const layout = fc.record({
    format: fc.constantFrom(...formats),
    direction: fc.constantFrom(...directions),
    encoding: fc.constantFrom(...Object.keys(encodings)),
    isFalling: fc.boolean(),
    hasPreamble: fc.boolean(),
  })
  fc.assert(
    fc.property(ledger, layout, (steps, { direction, encoding, format, hasPreamble, isFalling }) => {
      const moves: Move[] = []
      let now = 0
      let balance = 200_000_000_00
      for (const { after, amount, isIn, text } of steps) {
        now += after
        balance += isIn ? amount : -amount
        moves.push({ day: now, amount, isIn, text, balance })
      }
      const { cells, heads } = direction(format.size)
      const rows = moves.map((move) => [
        format.date(move.day),
        move.text,
        ...cells(move),
        format.size(move.balance),
      ])
      const quoted = (cell: string) =>
        /[",;|\t]/.test(cell) && !cell.startsWith('=') ? `"${cell.replaceAll('"', '""')}"` : cell
      const table = [
        ...(hasPreamble ? [['Cuenta', 'XXXX1234'], ['Periodo', 'enero'], ['']] : []),
        ['Fecha', 'Descripción', ...heads, 'Saldo'],
        ...(isFalling ? rows.toReversed() : rows),
      ]
      const file = table.map((row) => row.map(quoted).join(format.separator)).join('\r\n')
      // Only the first of amounts without a sign has no balance before it.
      const first = moves[0]!
      const reading = read(encodings[encoding]!(file), { '': first.isIn ? 'in' : 'out' })
      if (reading.dates?.isAssumed && /^\d\d\/\d\d\/\d\d/.test(format.date(0))) return
      const found = reading.lines.map(({ amount, bookedOn, description }) => [bookedOn, amount, description])
      const credits = moves.filter(({ isIn }) => isIn).map((move) => [day(move.day), move.amount, move.text])
      expect(isFalling ? found.toReversed() : found).toEqual(credits)
      expect(reading).toMatchObject({ debits: moves.length - credits.length, unread: [] })
      expect(
        reading.asked.filter(
          ({ row }) => table[row - 1] !== table[isFalling ? table.length - 1 : table.length - moves.length],
        ),
      ).toEqual([])
    }),
    { numRuns: rounds(400) },
  )
})
