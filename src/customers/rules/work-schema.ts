import { z } from 'zod'
import { addDays, localDate, toMinutes } from '../../shared/calendar.ts'
import { rowBox } from '../../shared/count.ts'
import { staleForm } from '../../shared/schema.ts'
import { type WorkKind, workKinds } from './work.ts'

const mostLines = 50
const mostDays = 30

/** The lines ticked at home: a box of each, named by what it is about, with its kind. */
const tickedLines = z
  .looseObject({})
  .transform((sent) => ({
    lines: Object.entries(sent)
      .filter(([name]) => name.startsWith(rowBox))
      .map(([name, kind]) => ({ subject: name.slice(rowBox.length), kind })),
  }))
  .pipe(
    z
      .object({
        lines: z.array(
          z.object({
            subject: z.uuid(staleForm),
            kind: z.enum(Object.keys(workKinds) as WorkKind[], staleForm),
          }),
        ),
      })
      .refine(
        ({ lines }) => lines.length > 0 && lines.length <= mostLines,
        `Marca de 1 a ${mostLines} renglones.`,
      ),
  )

/** What is done with ticked lines, by its intent: given to a person (to all where `to` is empty), or put off to a day. */
export const workInput = (now: Date) => {
  const today = localDate(toMinutes(now))
  const isDay = (date: string) => date > today && date <= addDays(today, mostDays)
  const until = z.preprocess(
    (typed) => typed || addDays(today, 1),
    z.iso.date('Elige un día.').refine(isDay, `Elige un día de mañana en adelante, hasta ${mostDays} días.`),
  )
  return {
    'assign-work': z.intersection(
      z.object({ to: z.preprocess((chosen) => chosen || null, z.uuid(staleForm).nullable()) }),
      tickedLines,
    ),
    'snooze-work': z.intersection(z.object({ until }), tickedLines),
    'return-work': tickedLines,
  }
}

export type WorkLines = z.output<typeof tickedLines>['lines']
