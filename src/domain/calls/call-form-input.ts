import { z } from 'zod'
import { howItEnded, staleButton, stepForms } from '../appointments/field-input.ts'
import { shortestNote } from '../appointments/reasons.ts'
import { lengthOf, tidyLines } from '../shared/tidy.ts'
import { longestNextSteps, longestNotes, longestSummary } from './call-notes.ts'

const lines = (max: number) =>
  z.preprocess(
    tidyLines,
    z.string().refine((text) => lengthOf(text) <= max, `Usa como máximo ${max} caracteres.`),
  )

/** The end of a call: held to its end, its customer reads what was talked about and what comes next; otherwise why not. */
const finishingCallInput = z
  .object({
    move: z.literal('finish'),
    ...howItEnded,
    summary: lines(longestSummary),
    nextSteps: lines(longestNextSteps),
  })
  .superRefine(({ closingNote, nextSteps, outcome, reason, summary }, { addIssue }) => {
    const wrong = (field: string, message: string) => addIssue({ code: 'custom', path: [field], message })
    const isShort = (text: string) => lengthOf(text) < shortestNote
    const least = `con al menos ${shortestNote} caracteres.`
    if (outcome === 'completed' && isShort(summary)) wrong('summary', `Cuenta de qué hablaron, ${least}`)
    if (outcome === 'completed' && isShort(nextSteps)) wrong('nextSteps', `Dile qué sigue, ${least}`)
    if (outcome !== 'completed' && reason === null) wrong('reason', 'Elige por qué no se completó.')
    if (outcome !== 'completed' && reason === 'otro' && isShort(closingNote))
      wrong('closingNote', `Cuenta por qué, ${least}`)
  })
  .transform(({ closingNote, nextSteps, reason, summary, ...rest }) => {
    const isCompleted = rest.outcome === 'completed'
    return {
      ...rest,
      // Chosen, or written, before the outcome was changed back.
      reason: isCompleted ? null : reason,
      closingNote: (!isCompleted && closingNote) || null,
      summary: summary || null,
      nextSteps: nextSteps || null,
    }
  })
export type FinishingCall = Omit<z.output<typeof finishingCallInput>, 'move'>

/** Kept as it was typed: only what PostgreSQL refuses is taken out, and browsers send other line ends than they show. */
const asTyped = (sent: unknown) =>
  typeof sent === 'string' ? sent.replace(/\r\n?/g, '\n').replaceAll('\0', '').toWellFormed() : ''

const notesInput = z.object({
  move: z.literal('notes'),
  notes: z.preprocess(
    asTyped,
    z
      .string()
      .refine((text) => lengthOf(text) <= longestNotes, `Usa como máximo ${longestNotes} caracteres.`),
  ),
  // Without notes the first version is 0.
  version: z.coerce.number<string>().int().min(0).max(1_000_000_000),
})
export type NotesForm = Omit<z.output<typeof notesInput>, 'move'>

/** Every form of the screen of a call to be held. */
export const callForm = z.discriminatedUnion(
  'move',
  [...stepForms, finishingCallInput, notesInput],
  staleButton,
)
export type CallForm = z.output<typeof callForm>
