import { z } from 'zod'
import { minuteOfClock } from '../../shared/format.ts'
import { anyText, optionalText, requiredText, ticked } from '../../shared/schema.ts'
import { lengthOf, tidy } from '../../shared/text.ts'
import { type Closing, closingReasonCodes, outcomes, shortestNote } from './appointment.ts'

/** The reason, and a note, which `otro` requires. */
export const closingInput = z
  .object({
    reason: z.enum(closingReasonCodes, 'Elige un motivo.'),
    note: optionalText(500),
  })
  .superRefine(({ note, reason }, { addIssue }) => {
    if (reason === 'otro' && lengthOf(note ?? '') < shortestNote)
      addIssue({
        code: 'custom',
        path: ['note'],
        message: `Cuenta por qué, con al menos ${shortestNote} caracteres.`,
      })
  }) satisfies z.ZodType<Closing, Record<string, unknown>>

const longestNote = 2000
/** A choice that was not made: null. */
export const noChoice = (sent: unknown) => (typeof sent === 'string' && sent !== '' ? sent : null)

/** The outcome, the reason where it differs from the plan, and a note. */
export const howItEnded = {
  outcome: z.enum(outcomes, 'Elige cómo terminó.').default('completed'),
  reason: z.preprocess(noChoice, z.enum(closingReasonCodes, 'Elige un motivo.').nullable()),
  closingNote: anyText(longestNote),
}

/**
 * The end of an appointment in progress: its outcome, and the reason where it differs from the plan. The sheet
 * describes completed work.
 */
const finishingInput = z
  .object(howItEnded)
  .superRefine(({ closingNote, outcome, reason }, { addIssue }) => {
    const wrong = (field: string, message: string) => addIssue({ code: 'custom', path: [field], message })
    if (outcome !== 'completed' && reason === null) wrong('reason', 'Elige por qué no se completó.')
    if (outcome !== 'completed' && reason === 'otro' && lengthOf(closingNote) < shortestNote)
      wrong('closingNote', `Cuenta cómo quedó, con al menos ${shortestNote} caracteres.`)
  })
  .transform(({ closingNote, reason, ...rest }) => ({
    ...rest,
    // Chosen before the outcome was set back to completed.
    reason: rest.outcome === 'completed' ? null : reason,
    closingNote: closingNote || null,
  }))
export type Finishing = z.output<typeof finishingInput>

/** A no-show: a call was attempted, at a time in minutes after midnight. The photo of the façade is sent with it. */
const noShowInput = z.object({
  called: ticked.refine(Boolean, 'Antes de cerrarla, intenta llamarle.'),
  calledAt: z.preprocess(
    (sent) => minuteOfClock(tidy(sent)) ?? undefined,
    z.number('Llámale desde aquí, o escribe a qué hora llamaste, como 10:20 a. m.'),
  ),
  /** Where the photo was taken, as "19.4326,-99.1332"; the phone may not say. */
  place: z
    .string()
    .regex(/^-?\d{1,2}(\.\d+)?,-?\d{1,3}(\.\d+)?$/)
    .transform((text) => text.split(',').map(Number) as [latitude: number, longitude: number])
    .nullish()
    .catch(null),
  note: optionalText(500),
})
export type NoShow = z.output<typeof noShowInput>

/** Its assignee can't arrive. */
const releaseInput = z.object({ reason: requiredText('Cuenta por qué no puedes llegar.', 300) })

/**
 * The ends of an appointment that are no sheet, by their transition. A phone reads them by the same schemas before it
 * keeps them.
 */
export const endInput = {
  finish: finishingInput,
  callOff: closingInput,
  noShow: noShowInput,
  release: releaseInput,
}
