import type { Roster } from '../../scheduling/rules/roster.ts'
import type { Settings } from '../../settings/rules/settings-schema.ts'
import { isHoliday } from '../../shared/calendar.ts'

/** The values of a choice about an appointment, besides the id of a new assignee. */
export const releaseChoice = 'release'
export const keepChoice = 'keep'

/** The manager's decisions about the appointments that a staffing change affects. */
export type Decisions = {
  /** By appointment: `release`, `keep`, or the id of the new assignee. */
  choices: Readonly<Record<string, string>>
  /** The version of each appointment that the manager saw; without one it is not checked. */
  seen?: Readonly<Record<string, number>>
  /** The appointments given to a person for whom soft rules are set aside. */
  exceptions?: readonly string[]
  /** Why kept appointments are kept, and exceptions made. */
  keepReason?: string | null
}

export const noDecisions: Decisions = { choices: {} }

/** Reads the decisions from a sent form: its entries, or a FormData. */
export function choicesIn(fields: Iterable<readonly [string, unknown]>): Decisions {
  // Collected as entries, not assigned by name: an object reserves some names.
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

/** All roster data of a person, as a text to compare. */
function printOf(roster: Roster, person: number): string {
  const { active, kinds, zones, off, shiftAt, shiftFrom, shiftTo } = roster
  const shifts = shiftAt[person * 7]!
  const lastShift = shiftAt[person * 7 + 7]!
  const away = [off.at[person]!, off.at[person + 1]!] as const
  return [
    [active[person], kinds[person], zones[person]],
    shiftAt.subarray(person * 7, person * 7 + 8).map((at) => at - shifts),
    shiftFrom.subarray(shifts, lastShift),
    shiftTo.subarray(shifts, lastShift),
    off.starts.subarray(...away),
    off.ends.subarray(...away),
  ].join(';')
}

/** The days that two sets of rules treat differently: local dates, or all of them where the opening hours differ. */
export function daysChanged(before: Settings, after: Settings): 'all' | string[] {
  if (JSON.stringify(before.hours) !== JSON.stringify(after.hours)) return 'all'
  return after.holidays.filter((date) => !isHoliday(date, before.holidays))
}

/** The most working periods in one weekday's form. */
export const mostStretches = 4

/** The step of working hours, in minutes: half hours. */
export const shiftStep = 30

type Answers = { approvedAt: Date | null; refusedAt: Date | null; withdrawnAt: Date | null }

/** The states of a time off request, and the colour of each badge. */
export const timeOffStates = {
  asked: { label: 'Por aprobar', tone: 'wait' },
  approved: { label: 'Aprobado', tone: 'ok' },
  refused: { label: 'Rechazado', tone: 'bad' },
  withdrawn: { label: 'Retirado', tone: 'neutral' },
} as const
type TimeOffState = keyof typeof timeOffStates

/** Computed from the answers, never stored. */
export function timeOffState({ approvedAt, refusedAt, withdrawnAt }: Answers): TimeOffState {
  if (withdrawnAt) return 'withdrawn'
  if (refusedAt) return 'refused'
  return approvedAt ? 'approved' : 'asked'
}
