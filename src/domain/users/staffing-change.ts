import type { Roster } from '../scheduling/roster.ts'
import type { Settings } from '../settings/settings-schema.ts'
import { isHoliday } from '../shared/calendar.ts'

/** What a choice about an appointment says besides the id of the person who gets it. */
export const releaseChoice = 'release'
export const keepChoice = 'keep'

/** What the manager decided for the appointments that a change of the staffing touches. */
export type Decisions = {
  /** By appointment: `release`, `keep`, or the id of who gets it. */
  choices: Readonly<Record<string, string>>
  /** The version of each appointment that the manager saw; where it is not said, it is not asked. */
  seen?: Readonly<Record<string, number>>
  /** Why those that are kept are kept. */
  keepReason?: string | null
}

export const noDecisions: Decisions = { choices: {} }

/** Reads the decisions out of a sent form: its entries, or a FormData as it is. */
export function choicesIn(fields: Iterable<readonly [string, unknown]>): Decisions {
  // Gathered and not written by name: an object takes some names for its own.
  const choices: [id: string, choice: string][] = []
  const seen: [id: string, version: number][] = []
  let keepReason: string | null = null
  for (const [name, value] of fields) {
    if (typeof value !== 'string' || value === '') continue
    const [part, id] = name.split('.', 2)
    if (part === 'choice' && id) choices.push([id, value])
    if (part === 'seen' && id && /^\d{1,9}$/.test(value)) seen.push([id, Number(value)])
    if (name === 'keepReason') keepReason = value.trim().slice(0, 300) || null
  }
  return { choices: Object.fromEntries(choices), seen: Object.fromEntries(seen), keepReason }
}

/** Ids whose kind, account, zones, shifts or absences differ between two rosters, removed people included. */
export function peopleChanged(before: Roster, after: Roster): string[] {
  const now = new Map(after.ids.map((id, person) => [id, printOf(after, person)]))
  return before.ids.filter((id, person) => now.get(id) !== printOf(before, person))
}

/** Everything a roster says of a person, as a text to compare. */
function printOf(roster: Roster, person: number): string {
  const { active, kinds, zones, offAt, offEnds, offStarts, shiftAt, shiftFrom, shiftTo } = roster
  const [shifts, lastShift] = [shiftAt[person * 7]!, shiftAt[person * 7 + 7]!]
  const [off, lastOff] = [offAt[person]!, offAt[person + 1]!]
  return [
    [active[person], kinds[person], zones[person]],
    shiftAt.subarray(person * 7, person * 7 + 8).map((at) => at - shifts),
    shiftFrom.subarray(shifts, lastShift),
    shiftTo.subarray(shifts, lastShift),
    offStarts.subarray(off, lastOff),
    offEnds.subarray(off, lastOff),
  ].join(';')
}

/** The days that two sets of rules do not treat the same: local dates, or all of them where the opening hours differ. */
export function daysChanged(before: Settings, after: Settings): 'all' | string[] {
  if (JSON.stringify(before.hours) !== JSON.stringify(after.hours)) return 'all'
  return after.holidays.filter((date) => !isHoliday(date, before.holidays))
}

/** How many stretches of work a form takes for one weekday. */
export const mostStretches = 4

/** Hours are given in halves: a step in minutes. */
export const shiftStep = 30

type Answers = { approvedAt: Date | null; refusedAt: Date | null; withdrawnAt: Date | null }

/** How a request for time off stands, and what the colour of its badge means. */
export const timeOffStates = {
  asked: { label: 'Por aprobar', tone: 'wait' },
  approved: { label: 'Aprobado', tone: 'ok' },
  refused: { label: 'Rechazado', tone: 'bad' },
  withdrawn: { label: 'Retirado', tone: 'neutral' },
} as const
type TimeOffState = keyof typeof timeOffStates

/** Computed from what was answered, never stored. */
export function timeOffState({ approvedAt, refusedAt, withdrawnAt }: Answers): TimeOffState {
  if (withdrawnAt) return 'withdrawn'
  if (refusedAt) return 'refused'
  return approvedAt ? 'approved' : 'asked'
}
