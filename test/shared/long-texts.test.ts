import { referralCodeIn } from '../../src/agencies/rules/codes.ts'
import { documentName } from '../../src/documents/rules/document.ts'
import { withoutCapitalRegime } from '../../src/invoices/rules/legal-name.ts'
import { bankAmount, bankDate } from '../../src/payments/rules/bank-cells.ts'
import { guessColumns, namedAccount } from '../../src/payments/rules/bank-columns.ts'
import { readBankTable } from '../../src/payments/rules/bank-statement.ts'
import { bankTable } from '../../src/payments/rules/bank-table.ts'
import { plausibleMetresOf } from '../../src/projects/rules/pipeline.ts'
import { centavosOf, discountOf, percentOf, quantityOf } from '../../src/shared/money.ts'
import { requiredEmail } from '../../src/shared/schema.ts'
import { normalisePhone } from '../../src/shared/search.ts'
import { tidy, tidyLines, withoutEnding, withoutTail } from '../../src/shared/text.ts'

const megabyte = 1024 * 1024
/** What readers of text were slow at: runs that end in something else. */
const pieces = [
  ' ',
  '. ',
  '.',
  ',',
  ', ',
  '0',
  '1 ',
  '1',
  't',
  '$',
  '%',
  '/',
  '\n',
  '"',
  ';',
  'SA ',
  '\u0301\u0323',
]

const readers: Record<string, (text: string) => unknown> = {
  bankAmount,
  bankDate,
  bankFile: (long) => {
    const text = long.slice(0, 100_000)
    const table = bankTable(`Cuenta,${text}\nFecha,Abono,Saldo\n${text},${text},${text}\n${text}`)
    const { columns, head } = guessColumns(table)
    return [namedAccount(table, head), readBankTable(table, head, columns)]
  },
  centavosOf,
  codeIn: referralCodeIn,
  discountOf,
  metresOf: plausibleMetresOf,
  percentOf,
  quantityOf,
  normalisePhone,
  tidy,
  tidyLines,
  withoutCapitalRegime,
  documentName: (text) => documentName(text, 'application/pdf'),
  email: (text) => requiredEmail.safeParse(`${text}@a.mx`),
  withoutEnding: (text) => withoutEnding(text, 'm', 'metros'),
  withoutTail: (text) => withoutTail(text, '. '),
}

// With the patterns that these had, 100 kB took 22 seconds and a megabyte would have taken 40 minutes.
test.each(Object.entries(readers))(
  '%s reads a megabyte of anything in good time',
  { timeout: 120_000 },
  (_, read) => {
    const started = performance.now()
    for (const piece of pieces) read(`a${piece.repeat(megabyte / piece.length)}x`)
    expect(performance.now() - started).toBeLessThan(60_000)
  },
)

test('a name is kept without what stands around it, from the end of a long one', () => {
  expect(documentName('C:\\papeles\\.. .constancia ..pdf', 'application/pdf')).toBe('constancia.pdf')
  expect(documentName(`${'x'.repeat(5_000)}/acta.PDF`, 'application/pdf')).toBe('acta.pdf')
  expect(documentName('...', 'image/png')).toBe('documento.png')
})

test('units are left out of figures, in capitals or not', () => {
  expect(['12 m', '12,5 Metros.', '7M.'].map(plausibleMetresOf)).toEqual([12, 12.5, 7])
  expect(['$ 1,500.50 mxn', '90 pesos', '90 MXN pesos'].map(centavosOf)).toEqual([150_050, 9_000, null])
  for (const date of ['24/11/2026 10:15:22 a.m.', '2026-11-24T10:15'])
    expect(bankDate(date)).toBe('2026-11-24')
})
