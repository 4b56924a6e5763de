import { z } from 'zod'
import { seenVersion } from './seen-version.ts'
import { type Decisions, release } from './staffing-change.ts'
import { optionalText } from './text.ts'

/** What becomes of one appointment: given to somebody at its time, offered at another one, or left to nobody for now. */
export type AbsenceChoice =
  | { kind: 'give'; personId: string }
  | { kind: 'offer'; personId: string; start: number }
  | { kind: 'release' }

/** A choice as a form carries it. */
export const choiceText = (choice: AbsenceChoice) =>
  choice.kind === 'release'
    ? release
    : choice.kind === 'give'
      ? `give_${choice.personId}`
      : `offer_${choice.personId}_${choice.start}`

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const given = new RegExp(`^give_(${uuid})$`)
const offered = new RegExp(`^offer_(${uuid})_(\\d{7,9})$`)

function choiceIn(text: string): AbsenceChoice | null {
  if (text === release) return { kind: 'release' }
  const [, to] = given.exec(text) ?? []
  if (to) return { kind: 'give', personId: to }
  const [, personId, start] = offered.exec(text) ?? []
  return personId && start ? { kind: 'offer', personId, start: Number(start) } : null
}

/** Somebody can't come on a day: the version of the person seen, and for each appointment what becomes of it. */
export const absenceInput = z
  .looseObject({
    version: seenVersion,
    reason: optionalText(200),
  })
  .transform(({ version, reason, ...fields }, { addIssue }) => {
    const choices: Record<string, AbsenceChoice> = {}
    const seen: Record<string, number> = {}
    for (const [name, value] of Object.entries(fields)) {
      const [part, id] = name.split('.', 2)
      if (part === 'seen' && id && /^\d{1,9}$/.test(String(value))) seen[id] = Number(value)
      if (part !== 'choice' || !id) continue
      const choice = choiceIn(String(value))
      if (choice) choices[id] = choice
      else addIssue({ code: 'custom', path: [name], message: 'Elige qué hacer con esta cita.' })
    }
    return { version, reason, choices, seen }
  })
export type AbsenceWish = z.output<typeof absenceInput>

/** The choices as a change of the staffing takes them; the offers are its own business. */
export function decisionsOf({ choices, seen }: Pick<AbsenceWish, 'choices' | 'seen'>): Decisions {
  const kept = Object.entries(choices).flatMap(([id, choice]) =>
    choice.kind === 'offer' ? [] : [[id, choice.kind === 'give' ? choice.personId : release] as const],
  )
  return { choices: Object.fromEntries(kept), seen }
}
