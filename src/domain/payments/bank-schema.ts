import { z } from 'zod'
import { anyText, noFields, requiredText, seenVersion, staleForm } from '../shared/schema.ts'
import { tidy } from '../shared/text.ts'
import { type BankColumns, type BankField, bankFields, neededFields } from './bank-statement.ts'

const column = z
  .preprocess(tidy, z.string().regex(/^\d{0,2}$/, 'Elige una columna de la lista.'))
  .transform((typed) => (typed === '' ? undefined : Number(typed)))
const missing: Record<(typeof neededFields)[number], string> = {
  date: 'Elige la columna de la fecha.',
  credit: 'Elige la columna de la cantidad recibida.',
}
const columnBoxes = Object.fromEntries(
  (Object.keys(bankFields) as BankField[]).map((field) => [field, column]),
) as Record<BankField, typeof column>

/** The columns that a form chose; those left empty are left out. */
export const chosenColumns = (boxes: Record<BankField, number | undefined>): BankColumns =>
  Object.fromEntries(Object.entries(boxes).filter(([, at]) => at !== undefined))

/** The columns by which an address asks to see a file; null where it names none, or what can be none. */
export function columnsAsked(query: URLSearchParams): BankColumns | null {
  const asked = z.object(columnBoxes).safeParse(Object.fromEntries(query))
  return neededFields.some((field) => query.has(field)) && asked.success ? chosenColumns(asked.data) : null
}

const ofLine = { lineId: z.uuid(staleForm) }
const ofStatement = { statementId: z.uuid(staleForm) }
/** A movement, the payment it was shown beside, and that payment's version. */
const pair = z.string().regex(/^[0-9a-f-]{36}:[0-9a-f-]{36}:\d{1,9}$/, staleForm)

/** What the office sends about the bank's movements. */
export const bankInput = {
  'upload-statement': noFields,
  'read-statement': z
    .object({ ...ofStatement, version: seenVersion, ...columnBoxes })
    .superRefine((form, ctx) => {
      for (const field of neededFields)
        if (form[field] === undefined)
          ctx.addIssue({ code: 'custom', message: missing[field], path: [field] })
    }),
  'discard-statement': z.object(ofStatement),
  'take-back-statement': z.object(ofStatement),
  'confirm-match': z.object({ ...ofLine, paymentId: z.uuid(staleForm), version: seenVersion }),
  'confirm-sure': z.object({
    pairs: z
      .string(staleForm)
      .max(20_000, staleForm)
      .transform((sent) => sent.split(','))
      .pipe(z.array(pair).min(1).max(200)),
  }),
  'tie-line': z.object({
    ...ofLine,
    folio: requiredText('Escribe el folio del pago, como PAG-2026-00012.', 40).transform(
      (typed) => typed.toUpperCase().split(/[ ·,]/)[0]!,
    ),
  }),
  'ignore-line': z.object({
    ...ofLine,
    reason: anyText(300).refine((text) => text.length >= 3, 'Escribe qué es ese movimiento.'),
  }),
  'reopen-line': z.object(ofLine),
}
