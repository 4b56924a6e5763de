import { z } from 'zod'
import { endInput } from '../../appointments/rules/ends-schema.ts'
import { fieldInput } from '../../appointments/rules/schema.ts'
import {
  anyText,
  decimal,
  noFields,
  optionalText,
  requiredText,
  seenVersion,
  staleForm,
  ticked,
} from '../../shared/schema.ts'
import { lengthOf, tidyLines } from '../../shared/text.ts'
import { ownTimeOffInput } from '../../users/rules/schema.ts'
import { riskNames } from './installation-record.ts'

/** An instant, as ISO text. */
const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text))

/** The changes of a report's answers from a phone; each value is validated by its question. */
export const changesInput = z.object({
  changes: z
    .array(
      z.object({
        name: z.string().max(60),
        value: z.unknown(),
        base: z.int().min(0),
        at: instant,
      }),
    )
    .max(1000),
})

/** When it was pressed, and when the appointment started by the page it was pressed on. */
const shown = { at: instant, startsAt: instant.optional() }

/** The steps that a phone made without a network, the report it handed in, and the ends that have a form. */
export const pressedInput = z.discriminatedUnion('move', [
  z.object({
    move: z.enum(['setOut', 'start', 'pause', 'resume', 'submit']),
    at: instant,
    reason: optionalText(300).optional(),
    /** The risks ticked with the start of an installation. */
    checklist: z.array(z.enum(riskNames)).optional(),
  }),
  z.object({ move: z.literal('finish'), ...shown, form: endInput.finish }),
  z.object({ move: z.literal('callOff'), ...shown, form: endInput.callOff }),
  z.object({ move: z.literal('noShow'), ...shown, form: endInput.noShow }),
  z.object({ move: z.literal('release'), ...shown, form: endInput.release }),
  z.object({ move: z.literal('runLate'), ...shown, form: fieldInput.runLate }),
])

/** What a phone sends of its person's own time off. */
export const pressedTimeOffInput = z.discriminatedUnion('move', [
  z.object({ move: z.literal('askTimeOff'), at: instant, form: ownTimeOffInput['time-off-ask'] }),
  z.object({ move: z.literal('withdrawTimeOff'), at: instant, form: ownTimeOffInput['time-off-withdraw'] }),
])

/** The forms of a report on a page without JavaScript. */
export const sheetInput = {
  section: z.looseObject({
    section: z.string(),
    // The next section, or the request to send the report: not a field of any question.
    next: anyText(20).catch(''),
  }),
  // A photo, or the photo of a signed paper.
  photo: z.object({ slot: anyText(40), keptBecause: optionalText(300) }),
  submit: noFields,
}

/** The office's forms to review a report and correct one of its answers. */
export const reviewInput = {
  // `next`: what its reviewer goes on to.
  'approve-sheet': z.object({
    version: seenVersion,
    next: z.literal('quote', staleForm).optional(),
    proven: ticked,
    approvedKilowatts: decimal(200, 'Escribe los kW que dice el contrato, por ejemplo 12.5.'),
  }),
  'ask-for-report': z.object({}),
  'return-sheet': z.looseObject({
    version: seenVersion,
    reason: requiredText('Escribe qué falta o qué está mal.', 1000),
  }),
  'validate-permit': z.object({ seen: z.uuid(staleForm) }),
  'return-permit': z.object({
    seen: z.uuid(staleForm),
    reason: requiredText('Escribe qué le falta al permiso.', 300),
  }),
  // Its value is in the fields of its kind of question.
  'correct-answer': z.object({
    name: z.string(staleForm).max(60, staleForm),
    base: z.coerce.number<string>(staleForm).int(staleForm).min(0, staleForm).max(1_000_000_000, staleForm),
  }),
}

const description = z.preprocess(
  tidyLines,
  z
    .string()
    .refine((text) => lengthOf(text) >= 10, 'Cuéntanos qué pasa, con al menos 10 caracteres.')
    .refine((text) => lengthOf(text) <= 2000, 'Usa como máximo 2000 caracteres.'),
)

const about = { appointmentId: z.uuid(staleForm), faultId: z.uuid(staleForm), photoId: z.uuid(staleForm) }
const reporting = z.object({ ...about, description })

/**
 * A customer reports a fault, or adds a photo to it; the ids are created with the form, so that sending it twice has
 * one effect.
 */
export const faultInput = { 'report-fault': reporting, 'add-fault-photo': z.object(about) }
export type FaultReport = z.output<typeof reporting>
