import { z } from 'zod'
import { rowBox } from '../../shared/count.ts'
import { seenVersion, staleForm } from '../../shared/schema.ts'
import { MAX_CONFIRMED } from './undo.ts'

/**
 * The rows ticked in a list: a box of each, named by its appointment, with the version shown and the provisional assignee
 * ("3:person"; "3:" where it has none, empty where its assignment is decided).
 */
const chosenRows = z
  .looseObject({})
  .transform((sent) => ({
    rows: Object.entries(sent).flatMap(([name, value]) => {
      if (!name.startsWith(rowBox)) return []
      const [version, assigneeId] = String(value).split(':')
      return [
        {
          appointmentId: name.slice(rowBox.length),
          version: version || null,
          assigneeId: assigneeId || null,
        },
      ]
    }),
  }))
  .pipe(
    z.object({
      rows: z
        .array(
          z.object({
            appointmentId: z.uuid(staleForm),
            version: seenVersion.nullable(),
            assigneeId: z.uuid(staleForm).nullable(),
          }),
        )
        .min(1, 'Marca al menos una cita.')
        .max(MAX_CONFIRMED, `Marca como máximo ${MAX_CONFIRMED} citas.`),
    }),
  )

/** The most rows ticked at once: more than a page has. */
const mostChosen = 100

/** The ids of the rows ticked in a list, each a box named by its row; `none` is said where nothing is ticked. */
export const chosenIds = (none: string) =>
  z
    .looseObject({})
    .transform((sent) =>
      Object.keys(sent).flatMap((name) => (name.startsWith(rowBox) ? [name.slice(rowBox.length)] : [])),
    )
    .pipe(
      z.array(z.uuid(staleForm)).min(1, none).max(mostChosen, `Marca como máximo ${mostChosen} renglones.`),
    )

/** A ticked row of a list. */
export type ChosenRow = z.output<typeof chosenRows>['rows'][number]

/** The forms of a list about the rows ticked in it, by their intent. */
export const chosenRowsInput = {
  'confirm-chosen': chosenRows,
  'assign-chosen': z.intersection(z.object({ to: z.uuid('Elige a una persona.') }), chosenRows),
}
