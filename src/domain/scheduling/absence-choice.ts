import { release } from '../users/staffing-change.ts'

/** The outcome for one appointment of an absence: reassigned at its time, offered at another time, or left unassigned. */
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

/** A choice as it was sent; null when it is none. */
export function choiceIn(text: string): AbsenceChoice | null {
  if (text === release) return { kind: 'release' }
  const [, to] = given.exec(text) ?? []
  if (to) return { kind: 'give', personId: to }
  const [, personId, start] = offered.exec(text) ?? []
  return personId && start ? { kind: 'offer', personId, start: Number(start) } : null
}
