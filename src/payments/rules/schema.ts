import { z } from 'zod'
import { password } from '../../accounts/rules/schema.ts'
import { chosenIds } from '../../appointments/rules/chosen-rows-schema.ts'
import { localDate, minuteAt, toDate, toMinutes } from '../../shared/calendar.ts'
import { centavosOf } from '../../shared/money.ts'
import {
  anyText,
  choice,
  noFields,
  optionalText,
  paidOn,
  requiredAmount,
  requiredText,
  seenVersion,
  staleForm,
} from '../../shared/schema.ts'
import { tidy } from '../../shared/text.ts'
import { type DateOrder, dateOrders } from './bank-cells.ts'
import {
  answerName,
  type BankColumns,
  type BankField,
  bankFields,
  neededFields,
  otherName,
  type SignAnswers,
  signAnswers,
} from './bank-columns.ts'
import { bankLabels, clabeDigits, isClabe } from './banks.ts'

/** The largest single payment, in centavos. */
const most = 10_000_000_00
const received = requiredAmount(1, most, 'Usa de $0.01 a $10,000,000.00.')

/** The amount, in centavos, whose effect was shown before the form was sent again. */
const sure = z
  .preprocess(tidy, z.string())
  .transform((typed) => (/^\d{1,12}$/.test(typed) ? Number(typed) : null))

/** How a payment is confirmed after its effect was shown: by a second press, or by typing its amount again. */
const confirmed = {
  sure,
  again: z
    .preprocess(tidy, z.string())
    .transform((typed) => (typed === '' ? null : (centavosOf(typed) ?? -1))),
  sureKey: z.preprocess(tidy, z.string().max(40)).transform((typed) => typed || null),
}
const reason = (blank: string) => requiredText(blank, 500)

/** A bank's tracking key of a transfer: letters and digits. */
const trackingKey = z.preprocess(
  (typed) => tidy(typed).replace(/[\s-]/g, '').toUpperCase(),
  z
    .string()
    .min(1, { error: 'Escribe la clave de rastreo.', abort: true })
    .regex(/^[A-Z0-9]{5,30}$/, 'Revisa la clave de rastreo: son de 5 a 30 letras y números, sin signos.'),
)
const bank = choice(bankLabels, 'Elige el banco desde el que pagaste.')

const clabe = anyText(40)
  .transform(clabeDigits)
  .refine((digits) => digits !== '', { error: 'Escribe la CLABE.', abort: true })
  .refine(isClabe, 'Esa CLABE no es correcta. Revisa sus 18 dígitos.')
const blankOrClabe = anyText(40)
  .transform(clabeDigits)
  .refine((digits) => digits === '' || isClabe(digits), 'Esa CLABE no es correcta. Revisa sus 18 dígitos.')
const beneficiary = requiredText('Escribe a nombre de quién está la cuenta.', 120)

/** The day of a payment: today as this moment, another day as its noon. */
const paidAt = (now: Date) =>
  paidOn(now).transform((date) =>
    date === localDate(toMinutes(now)) ? now : toDate(minuteAt(date, '12:00')),
  )

const ofPayment = { paymentId: z.uuid(staleForm), version: seenVersion }
const ofRefund = { refundId: z.uuid(staleForm), version: seenVersion }

/**
 * The customer's forms about payments, by their intent. An account for refunds requires the password, not only an open
 * session.
 */
export const ownPaymentInput = {
  'send-proof': z.object({ ...ofPayment, bank, trackingKey }),
  'replace-proof': z.object({ ...ofPayment, bank, trackingKey }),
  'take-back-proof': z.object(ofPayment),
  'refund-account': z.object({ ...ofRefund, clabe, beneficiary, currentPassword: password }),
  'ask-refund': z.object({
    projectId: z.uuid(staleForm),
    reason: reason('Escribe por qué pides el reembolso.'),
    clabe,
    beneficiary,
    currentPassword: password,
  }),
}

const recordable = { cash: 'Efectivo', terminal: 'Terminal', spei: 'Transferencia SPEI' } as const

const wayPaid = z
  .object({
    method: choice(recordable, 'Elige cómo pagó.'),
    bank: z.preprocess(tidy, z.string()),
    trackingKey: z.preprocess(tidy, z.string()),
  })
  .transform((form, ctx) => {
    if (form.method !== 'spei') return { ...form, bank: null, trackingKey: null }
    const sent = z.object({ bank, trackingKey }).safeParse(form)
    for (const { message, path } of sent.error?.issues ?? []) ctx.addIssue({ code: 'custom', message, path })
    return sent.success ? { ...form, ...sent.data } : z.NEVER
  })

const recording = (now: Date) =>
  z.intersection(
    z.object({
      requestKey: z.uuid(staleForm),
      paymentId: z.union([z.literal(''), z.uuid(staleForm)]).transform((id) => id || null),
      ...confirmed,
      amount: received,
      paidOn: paidAt(now),
      note: optionalText(300),
    }),
    wayPaid,
  )

export { recordable }

/** The office's forms about payments and refunds, by their intent; `now` is the time of sending. */
export const officePaymentInput = (now: Date) => ({
  'confirm-proof': z.object({ ...ofPayment, ...confirmed, amount: received, paidOn: paidAt(now) }),
  'confirm-whole-proof': z.object({ ...ofPayment, ...confirmed, paidOn: paidAt(now) }),
  'correct-payment': z.object({
    ...ofPayment,
    ...confirmed,
    amount: requiredAmount(0, most, 'Usa de $0.00 a $10,000,000.00.'),
    paidOn: paidAt(now).optional(),
    method: choice(recordable, 'Elige cómo pagó.').optional(),
    reason: reason('Escribe por qué se corrige: el cliente lo lee.'),
  }),
  'reject-proof': z.object({
    ...ofPayment,
    reason: reason('Escribe qué tiene mal el comprobante: el cliente lo lee.'),
  }),
  'propose-refund': z.object({ reason: reason('Escribe por qué se devuelve.') }),
  'approve-refund': z.object({
    ...ofRefund,
    materials: requiredAmount(0, most, 'Usa de $0.00 a $10,000,000.00.'),
    /** The card payment to refund to, or blank for a transfer. */
    sourceId: z.union([z.literal(''), z.uuid(staleForm)]).transform((id) => id || null),
    clabe: blankOrClabe,
    beneficiary: anyText(120),
  }),
  'refuse-refund': z.object({
    ...ofRefund,
    reason: reason('Escribe por qué no procede: el cliente lo lee.'),
  }),
  'pay-refund': z.object({ ...ofRefund, paidOn: paidAt(now) }),
  'record-payment': recording(now),
})

/** The office's reminders, by their intent: of one charge, or of those ticked in the list. */
export const remindInput = {
  'remind-payment': z.object({ paymentId: z.uuid(staleForm) }),
  'remind-chosen': chosenIds('Marca al menos un pago.'),
}

const column = z
  .preprocess(tidy, z.string().regex(/^\d{0,2}$/, 'Elige una columna de la lista.'))
  .transform((typed) => (typed === '' ? undefined : Number(typed)))
const missing: Record<(typeof neededFields)[number], string> = {
  date: 'Elige la columna de la fecha.',
  credit: 'Elige la columna de la cantidad recibida.',
}
const order = z
  .unknown()
  .optional()
  .transform((typed) => (Object.keys(dateOrders) as DateOrder[]).find((one) => one === typed))
const columnBoxes = Object.fromEntries(
  (Object.keys(bankFields) as BankField[]).map((field) => [field, column]),
) as Record<BankField, typeof column>

const under = (fields: object, name: string) =>
  Object.entries(fields).flatMap(([field, value]) =>
    field.startsWith(name) ? [[field.slice(name.length), value]] : [],
  )

/** How a file is to be read. `seen` is the digest of the movements that were shown as alike. */
const readingOf = z
  .object({
    statementId: z.uuid(staleForm),
    version: seenVersion,
    account: optionalText(60),
    seen: z.string().max(64, staleForm).optional(),
    order,
    ...columnBoxes,
  })
  .catchall(z.unknown())
  .transform(({ account, order, seen, statementId, version, ...fields }) => ({
    statementId,
    version,
    account: account ?? '',
    seen,
    columns: {
      ...(Object.fromEntries(
        (Object.keys(bankFields) as BankField[]).flatMap((field) =>
          fields[field] === undefined ? [] : [[field, fields[field]]],
        ),
      ) as BankColumns),
      ...(order && { order }),
    },
    answers: Object.fromEntries(
      under(fields, answerName).filter(([, answer]) => Object.hasOwn(signAnswers, String(answer))),
    ) as SignAnswers,
    others: under(fields, otherName).map(([row]) => Number(row)),
  }))
export type StatementInput = z.output<typeof readingOf>

const ofLine = { lineId: z.uuid(staleForm) }
const ofStatement = { statementId: z.uuid(staleForm) }

/** A movement, the payment shown beside it, and that payment's version. */
const pair = z.string().regex(/^[0-9a-f-]{36}:[0-9a-f-]{36}:\d{1,9}$/, staleForm)

/** The payment that was shown, and its version. */
const seenPayment = /^([0-9a-f-]{36}):(\d{1,9})$/

/** The office's forms about bank movements. */
export const bankInput = {
  'upload-statement': noFields,
  'preview-statement': readingOf,
  'read-statement': readingOf.superRefine(({ columns }, ctx) => {
    for (const field of neededFields)
      if (columns[field] === undefined)
        ctx.addIssue({ code: 'custom', message: missing[field], path: [field] })
  }),
  'discard-statement': z.object(ofStatement),
  'take-back-statement': z.object(ofStatement),
  'confirm-match': z.object({ ...ofLine, paymentId: z.uuid(staleForm), version: seenVersion, sure }),
  'confirm-sure': z.object({
    pairs: z
      .string(staleForm)
      .max(20_000, staleForm)
      .transform((sent) => sent.split(','))
      .pipe(z.array(pair).min(1).max(200)),
  }),
  'tie-line': z.object({
    ...ofLine,
    sure,
    seen: z.preprocess(tidy, z.string()).transform((sent) => {
      const [, id, version] = seenPayment.exec(sent) ?? []
      return id ? { id, version: Number(version) } : null
    }),
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
