import { z } from 'zod'
import { addDays, localDate, toMinutes } from '../shared/calendar.ts'
import { seenVersion, staleForm } from '../shared/seen-version.ts'
import { optionalText, requiredText } from '../shared/text.ts'
import { tidy } from '../shared/tidy.ts'
import { benefitFields } from './agency-input.ts'

/** For how long a code may be made ahead, in days. */
const longest = 730
const mostUses = 10_000

const codeText = z.preprocess(
  (sent) => tidy(sent).replace(/[\s-]/g, '').toUpperCase(),
  z.string().regex(/^[A-HJ-NP-Z2-9]{6,12}$/, 'Usa de 6 a 12 letras y números, sin I, O, 0 ni 1.'),
)

const uses = z.preprocess(
  (sent) => tidy(sent).replaceAll(',', ''),
  z
    .string()
    .regex(/^\d{1,5}$/, 'Escribe un número de 1 a 10,000.')
    .transform(Number)
    .pipe(z.int().min(1, 'Escribe al menos 1.').max(mostUses, 'Usa como máximo 10,000.')),
)

const day = (message: string) => z.preprocess(tidy, z.iso.date(message))
const laterDay = z
  .preprocess(tidy, z.union([z.literal(''), z.iso.date('Elige un día, o deja la casilla vacía.')]))
  .transform((typed) => typed || null)

/** The form of a new code; its first day is `now`'s or later. */
export const codeInput = (now: Date) => {
  const today = localDate(toMinutes(now))
  const last = addDays(today, longest)
  const dated = z.object({
    codeText,
    label: optionalText(80),
    maxUses: uses,
    startsOn: day('Elige desde cuándo sirve.').refine(
      (date) => date >= today && date <= last,
      'Elige un día de hoy en adelante, a dos años como máximo.',
    ),
    endsOn: laterDay.refine((date) => date === null || date <= last, 'Elige un día a dos años como máximo.'),
    intent: z.enum(['codes.create', 'codes.draft'], staleForm),
  })
  return z.intersection(dated, benefitFields('Elige qué da el código.')).superRefine((code, ctx) => {
    if (code.endsOn !== null && code.endsOn < code.startsOn)
      ctx.addIssue({ code: 'custom', path: ['endsOn'], message: 'Termina antes de empezar.' })
  })
}
export type CodeWish = Omit<z.output<ReturnType<typeof codeInput>>, 'intent'>

const about = { codeId: z.uuid(staleForm), version: seenVersion }

/** What the list of codes asks of one of them. */
export const codeMoveInput = z.object({
  ...about,
  intent: z.enum(['codes.activate', 'codes.ask', 'codes.pause', 'codes.resume', 'codes.revoke'], staleForm),
})

/** A manager's answer to a code that gives more than its agency's limit, by its intent. */
export const codeAnswerInput = {
  'codes.approve': z.object(about),
  'codes.refuse': z.object({ ...about, reason: requiredText('Escribe por qué, para quien lo pidió.', 200) }),
}
