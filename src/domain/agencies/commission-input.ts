import { z } from 'zod'
import { addDays, localDate, toMinutes } from '../shared/calendar.ts'
import { requiredAmount } from '../shared/money-input.ts'
import { staleForm } from '../shared/seen-version.ts'
import { requiredText } from '../shared/text.ts'
import { tidy } from '../shared/tidy.ts'
import { monthPattern } from './commissions.ts'

/** The most that one transfer can be, in centavos. */
const most = 10_000_000_00
const longAgoDays = 730

/** Centavos that a form was shown with. */
const shown = z
  .string(staleForm)
  .regex(/^-?\d{1,13}$/, staleForm)
  .transform(Number)

/** The day of a transfer, as 2026-11-24. */
const paidOn = (now: Date) => {
  const today = localDate(toMinutes(now))
  return z.preprocess(
    tidy,
    z
      .string()
      .refine((date) => z.iso.date().safeParse(date).success, { error: 'Elige el día.', abort: true })
      .refine((date) => date <= today, 'Elige hoy o un día que ya pasó.')
      .refine((date) => date >= addDays(today, -longAgoDays), 'Elige un día de los últimos dos años.'),
  )
}

const adjusting = z.object({
  commissionId: z.uuid(staleForm),
  amount: requiredAmount(1, most, 'Usa de $0.01 a $10,000,000.00.'),
  reason: requiredText('Escribe por qué se ajusta.', 300),
  standing: shown,
  month: z.string(staleForm).regex(monthPattern, staleForm),
  requestKey: z.uuid(staleForm),
})

const line = z.tuple([
  z
    .string()
    .transform((name) => name.slice('line.'.length))
    .pipe(z.uuid()),
  shown,
])

const paying = (now: Date) =>
  z
    .looseObject({
      amount: requiredAmount(1, most, 'Usa de $0.01 a $10,000,000.00.'),
      paidOn: paidOn(now),
      reference: requiredText('Escribe la referencia o clave de rastreo.', 60),
      requestKey: z.uuid(staleForm),
    })
    .transform(({ amount, paidOn: on, reference, requestKey, ...sent }, ctx) => {
      const boxes = Object.entries(sent).filter(([name]) => name.startsWith('line.'))
      const lines = z.array(line).safeParse(boxes)
      if (!lines.success) ctx.addIssue(staleForm)
      return { amount, paidOn: on, reference, requestKey, lines: new Map(lines.data ?? []) }
    })

/** What the manager sends about commissions, by its intent; `now` is when. */
export const commissionInput = (now: Date) => ({
  'commissions.adjust': adjusting,
  'commissions.pay': paying(now),
})
