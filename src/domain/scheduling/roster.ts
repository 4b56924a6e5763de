import { type Performer, performers, type Service, services } from '../appointments/services.ts'
import { noZone } from './travel.ts'

/** A stretch of a weekday, in wall-clock minutes; weekday 0 is Monday. */
export type Shift = { weekday: number; from: number; to: number }
/** A stretch of absolute time, in epoch minutes, the end not included. */
export type Span = { start: number; end: number }

/** A person as rows tell it. No zones means all of them. */
export type PersonRow = {
  id: string
  kind: Performer
  active: boolean
  zones: readonly number[]
  shifts: readonly Shift[]
  timeOff: readonly Span[]
}
/** An appointment that holds a person; `person` is the index in the roster, zone -1 is no place. */
export type BusyRow = Span & { person: number; zone: number; service: Service }

/** The people of a question, packed: what belongs to person p lies between at[p] and at[p + 1]. */
export type Roster = {
  ids: readonly string[]
  active: Uint8Array
  /** Index in `performers`. */
  kinds: Uint8Array
  /** One bit for each zone served; 0 is all of them. */
  zones: Uint32Array
  /** Shifts of person p on weekday w lie between [p * 7 + w] and the next. */
  shiftAt: Int32Array
  shiftFrom: Int16Array
  shiftTo: Int16Array
  offAt: Int32Array
  offStarts: Int32Array
  offEnds: Int32Array
}

/** The appointments of a roster's people, packed; of one person they are in order and never overlap. */
export type Busy = {
  at: Int32Array
  starts: Int32Array
  ends: Int32Array
  zones: Int8Array
  /** Index in `services`. */
  services: Uint8Array
}

const zoneBits = (zones: readonly number[]) => zones.reduce((bits, zone) => bits | (1 << zone), 0)

/** Packs people for the engine. The order given is the person's index everywhere else. */
export function rosterOf(people: readonly PersonRow[]): Roster {
  const shiftAt = new Int32Array(people.length * 7 + 1)
  const offAt = new Int32Array(people.length + 1)
  const shifts: Shift[] = []
  const off: Span[] = []
  for (const [p, person] of people.entries()) {
    for (let weekday = 0; weekday < 7; weekday++) {
      shifts.push(...person.shifts.filter((shift) => shift.weekday === weekday))
      shiftAt[p * 7 + weekday + 1] = shifts.length
    }
    off.push(...person.timeOff)
    offAt[p + 1] = off.length
  }
  return {
    ids: people.map(({ id }) => id),
    active: Uint8Array.from(people, ({ active }) => Number(active)),
    kinds: Uint8Array.from(people, ({ kind }) => performers.indexOf(kind)),
    zones: Uint32Array.from(people, ({ zones }) => zoneBits(zones)),
    shiftAt,
    shiftFrom: Int16Array.from(shifts, ({ from }) => from),
    shiftTo: Int16Array.from(shifts, ({ to }) => to),
    offAt,
    offStarts: Int32Array.from(off, ({ start }) => start),
    offEnds: Int32Array.from(off, ({ end }) => end),
  }
}

/** An empty table of appointments for so many people, to be filled in order: `at` first, then each column. */
export const emptyBusy = (people: number, rows: number): Busy => ({
  at: new Int32Array(people + 1),
  starts: new Int32Array(rows),
  ends: new Int32Array(rows),
  zones: new Int8Array(rows).fill(noZone),
  services: new Uint8Array(rows),
})

/** Packs appointments of so many people for the engine; rows may come in any order. */
export function busyOf(people: number, rows: readonly BusyRow[]): Busy {
  const busy = emptyBusy(people, rows.length)
  for (const { person } of rows) busy.at[person + 1]! += 1
  for (let p = 0; p < people; p++) busy.at[p + 1]! += busy.at[p]!
  const next = busy.at.slice()
  for (const row of [...rows].sort((a, b) => a.start - b.start)) {
    const i = next[row.person]!++
    busy.starts[i] = row.start
    busy.ends[i] = row.end
    busy.zones[i] = row.zone
    busy.services[i] = services.indexOf(row.service)
  }
  return busy
}
