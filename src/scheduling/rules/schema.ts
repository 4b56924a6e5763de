import { z } from 'zod'
import { type AbsenceChoice, absenceChoiceIn } from '../../dispatch/rules/absence.ts'
import type { Settings } from '../../settings/rules/settings-schema.ts'
import { minuteOfClock } from '../../shared/format.ts'
import { optionalText, seenVersion, staleForm } from '../../shared/schema.ts'
import { tidy } from '../../shared/text.ts'
import { type Decisions, releaseChoice } from '../../users/rules/staffing-change.ts'

const weekdays = [0, 1, 2, 3, 4, 5, 6] as const
type Weekday = (typeof weekdays)[number]
type Field = `from${Weekday}` | `to${Weekday}`

const typedTime = z.preprocess(tidy, z.string())
const fields = Object.fromEntries(
  weekdays.flatMap((day) => [
    [`from${day}`, typedTime],
    [`to${day}`, typedTime],
  ]),
) as Record<Field, typeof typedTime>

/** A form with `from0`, `to0` for Monday and so on; a day with both left blank is closed. */
export const hoursInput = z.object(fields).transform((typed, ctx) => {
  const wrong = (field: Field, message: string) => ctx.addIssue({ code: 'custom', path: [field], message })
  const hours = weekdays.map((day) => openingOf(typed, day, wrong))
  if (hours.every((opening) => opening === null)) wrong('from0', 'Deja abierto al menos un día.')
  return hours
})

function openingOf(
  typed: Record<Field, string>,
  day: Weekday,
  wrong: (field: Field, message: string) => void,
): Settings['hours'][number] {
  const first = `from${day}` as const
  const last = `to${day}` as const
  if (typed[first] === '' && typed[last] === '') return null
  const from = minuteOfClock(typed[first])
  const to = minuteOfClock(typed[last])
  if (from === null)
    wrong(first, typed[first] ? 'Escribe la hora como 9:00 a. m.' : 'Escribe las dos horas, o ninguna.')
  if (to === null)
    wrong(last, typed[last] ? 'Escribe la hora como 6:00 p. m.' : 'Escribe las dos horas, o ninguna.')
  if (from === null || to === null) return null
  if (from >= to) wrong(last, 'La hora de cierre va después de la de apertura.')
  return { from, to }
}

const isExcepted = (choice: AbsenceChoice) => choice.kind === 'give' && choice.isException === true

/** The form of an absence: the version of the person that was shown, and an outcome for each appointment. */
export const absenceInput = z
  .looseObject({
    version: seenVersion,
    reason: optionalText(200),
    keepReason: optionalText(300),
  })
  .transform(({ version, reason, keepReason, ...fields }, { addIssue }) => {
    const choices: [id: string, choice: AbsenceChoice][] = []
    const seen: [id: string, version: number][] = []
    for (const [name, value] of Object.entries(fields)) {
      const [part, id] = name.split('.', 2)
      if (part === 'seen' && id && /^\d{1,9}$/.test(String(value))) seen.push([id, Number(value)])
      if (part !== 'choice' || !id) continue
      const choice = absenceChoiceIn(String(value))
      if (choice) choices.push([id, choice])
      else addIssue({ code: 'custom', path: [name], message: 'Elige qué hacer con esta cita.' })
    }
    if (!keepReason && choices.some(([, choice]) => isExcepted(choice)))
      addIssue({ code: 'custom', path: ['keepReason'], message: 'Escribe por qué se hace la excepción.' })
    return {
      version,
      reason,
      keepReason,
      choices: Object.fromEntries(choices),
      seen: Object.fromEntries(seen),
    }
  })
export type AbsenceInput = z.output<typeof absenceInput>

/** The choices that a staffing change applies; the absence handles its offers itself. */
export function decisionsOf({ choices, keepReason, seen }: AbsenceInput): Decisions {
  const kept = Object.entries(choices).flatMap(([id, choice]) =>
    choice.kind === 'offer' ? [] : [[id, choice.kind === 'give' ? choice.personId : releaseChoice] as const],
  )
  const exceptions = Object.keys(choices).filter((id) => isExcepted(choices[id]!))
  return { choices: Object.fromEntries(kept), exceptions, seen, keepReason }
}

const aboutPlan = z.object({ planId: z.uuid(staleForm) })

/** The forms about the plan of a day, by their intent. */
export const planInput = {
  'calculate-plan': z.object({}),
  'stop-plan': aboutPlan,
  'apply-plan': aboutPlan,
  /** Applies it, and confirms what it proposes. */
  'confirm-plan': aboutPlan,
}

/** Where a technician's phone says it is; null once it shares that no more. */
export const positionInput = z.object({
  place: z
    .object({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) })
    .nullable(),
})
