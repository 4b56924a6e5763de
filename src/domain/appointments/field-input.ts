import { z } from 'zod'
import { type RiskName, riskNames } from '../reports/installation-record.ts'
import { minuteOfClock } from '../shared/format.ts'
import { seenVersion } from '../shared/seen-version.ts'
import { anyText, optionalText, ticked } from '../shared/text.ts'
import { lengthOf, tidy } from '../shared/tidy.ts'
import { outcomes } from './appointment.ts'
import { closingInput } from './closing-input.ts'
import { closingReasonCodes, shortestNote } from './reasons.ts'

const longestNote = 2000
const noChoice = (sent: unknown) => (typeof sent === 'string' && sent !== '' ? sent : null)

/** How it went, why otherwise than it should, and a note. */
export const howItEnded = {
  outcome: z.enum(outcomes, 'Elige cómo terminó.').default('completed'),
  reason: z.preprocess(noChoice, z.enum(closingReasonCodes, 'Elige un motivo.').nullable()),
  closingNote: anyText(longestNote),
}

/** The end of an appointment that was begun: how it went, and why it went otherwise than it should. What was completed is told by its sheet. */
export const finishingInput = z
  .object({
    move: z.literal('finish'),
    ...howItEnded,
  })
  .superRefine(({ closingNote, outcome, reason }, { addIssue }) => {
    const wrong = (field: string, message: string) => addIssue({ code: 'custom', path: [field], message })
    if (outcome !== 'completed' && reason === null) wrong('reason', 'Elige por qué no se completó.')
    if (outcome !== 'completed' && reason === 'otro' && lengthOf(closingNote) < shortestNote)
      wrong('closingNote', `Cuenta cómo quedó, con al menos ${shortestNote} caracteres.`)
  })
  .transform(({ closingNote, reason, ...rest }) => ({
    ...rest,
    // Chosen before the outcome was changed back.
    reason: rest.outcome === 'completed' ? null : reason,
    closingNote: closingNote || null,
  }))
export type Finishing = Omit<z.output<typeof finishingInput>, 'move'>

/** A no-show: a call was attempted, and its time in minutes after midnight. The photo of the façade comes beside it. */
export const noShowInput = z.object({
  move: z.literal('noShow'),
  called: ticked.refine(Boolean, 'Antes de cerrarla, intenta llamarle.'),
  calledAt: z.preprocess(
    (sent) => minuteOfClock(tidy(sent)) ?? undefined,
    z.number('Escribe a qué hora llamaste, como 10:20 a. m.'),
  ),
  note: optionalText(500),
})
export type NoShow = Omit<z.output<typeof noShowInput>, 'move'>

/** The risks checked before an installation begins; other appointments have none. */
const risksTicked = Object.fromEntries(riskNames.map((name) => [name, ticked])) as Record<
  RiskName,
  typeof ticked
>

/** The forms that end no appointment as it should: the same for visits and calls. */
export const stepForms = [
  z.object({ move: z.literal('setOut') }),
  z.object({ move: z.literal('start'), ...risksTicked }),
  z.object({ move: z.literal('undoSetOut') }),
  z.object({ move: z.literal('undoStart') }),
  z.object({ move: z.literal('undoCallStart') }),
  z.object({ move: z.literal('pause'), reason: optionalText(300) }),
  z.object({ move: z.literal('resume') }),
  closingInput.safeExtend({ move: z.literal('callOff') }),
  noShowInput,
  z.object({
    move: z.literal('takeOver'),
    version: seenVersion,
    // Taken by an analyst; the manager names one.
    assigneeId: z.preprocess(noChoice, z.uuid('Elige a una persona.').nullable()),
  }),
] as const
export type StepForm = z.output<(typeof stepForms)[number]>

export const staleButton = 'Ese botón ya no sirve. Vuelve a abrir la página.'

/** Every form of an appointment's work screen, by its transition. */
export const fieldInput = z.discriminatedUnion('move', [...stepForms, finishingInput], staleButton)
export type FieldForm = z.output<typeof fieldInput>
