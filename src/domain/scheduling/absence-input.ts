import { z } from 'zod'
import { seenVersion } from '../shared/seen-version.ts'
import { optionalText } from '../shared/text.ts'
import { type Decisions, release } from '../users/staffing-change.ts'
import { type AbsenceChoice, choiceIn } from './absence-choice.ts'

/** Form of an absence: the version of the person seen, and an outcome for each appointment. */
export const absenceInput = z
  .looseObject({
    version: seenVersion,
    reason: optionalText(200),
  })
  .transform(({ version, reason, ...fields }, { addIssue }) => {
    const choices: [id: string, choice: AbsenceChoice][] = []
    const seen: [id: string, version: number][] = []
    for (const [name, value] of Object.entries(fields)) {
      const [part, id] = name.split('.', 2)
      if (part === 'seen' && id && /^\d{1,9}$/.test(String(value))) seen.push([id, Number(value)])
      if (part !== 'choice' || !id) continue
      const choice = choiceIn(String(value))
      if (choice) choices.push([id, choice])
      else addIssue({ code: 'custom', path: [name], message: 'Elige qué hacer con esta cita.' })
    }
    return { version, reason, choices: Object.fromEntries(choices), seen: Object.fromEntries(seen) }
  })
export type AbsenceWish = z.output<typeof absenceInput>

/** The choices as a change of the staffing takes them; the offers are its own business. */
export function decisionsOf({ choices, seen }: Pick<AbsenceWish, 'choices' | 'seen'>): Decisions {
  const kept = Object.entries(choices).flatMap(([id, choice]) =>
    choice.kind === 'offer' ? [] : [[id, choice.kind === 'give' ? choice.personId : release] as const],
  )
  return { choices: Object.fromEntries(kept), seen }
}
