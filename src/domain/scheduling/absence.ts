import { services } from '../appointments/services.ts'
import { type Ask, openSlots } from './availability.ts'
import { type Harm, harmOf } from './harm.ts'
import { type Candidate, rank } from './ranking.ts'
import { type Busy, type BusyRow, busyOf, type Roster, type Span } from './roster.ts'

/** An appointment whose assignee is absent and needs another place. */
export type Stranded = {
  start: number
  personId: string
  /** How often its time changed before, for any reason. */
  moved: number
  /** When its customer has something else. */
  taken: readonly Span[]
}
/** Who is away, as an index in the roster, and when. */
export type Away = Span & { person: number }
/** An alternative for an appointment: a person and a start, with its disruption cost. */
export type Proposal = { start: number; person: number; personId: string; harm: Harm }

/**
 * The best places for an appointment, the least harm first: its own time with somebody else, then the times nearest to it
 * from `earliest` on. Of each time it takes who would add the least travel. `ask` covers the days to look at.
 */
export function proposalsFor(
  roster: Roster,
  busy: Busy,
  ask: Ask,
  wish: Stranded & { away: Away; earliest: number },
  count: number,
): Proposal[] {
  const minutes = ask.settings.services[ask.service].minutes
  const found: Proposal[] = []
  for (const { start, least } of inOrder(openSlots(roster, busy, ask), wish)) {
    const worst = found[count - 1]
    if (worst && least >= worst.harm.total) break
    if (start !== wish.start && wish.taken.some((span) => span.start < start + minutes && start < span.end))
      continue
    const able = rank(roster, busy, start, ask).filter(
      (one) => !isAway(one, start, start + minutes, wish.away),
    )
    found.push(...bestOf(able, start, wish))
    found.sort((a, b) => a.harm.total - b.harm.total || a.start - b.start)
  }
  return found.slice(0, count)
}

/** Its own time and those that are offered, by the harm that each does at least. */
function inOrder(
  days: ReturnType<typeof openSlots>,
  { earliest, moved, personId, start: own }: Stranded & { earliest: number },
) {
  const starts = new Set([own, ...days.flatMap(({ starts }) => starts.filter((start) => start >= earliest))])
  return [...starts]
    .map((start) => ({ start, least: harmOf({ start: own, personId }, { start, personId }, moved).total }))
    .sort((a, b) => a.least - b.least || a.start - b.start)
}

const isAway = ({ person }: Candidate, start: number, end: number, away: Away) =>
  person === away.person && start < away.end && end > away.start

/** The same person, who may be back by then, and the best of the others: two of them at its own time. */
function bestOf(
  able: readonly Candidate[],
  start: number,
  { moved, personId, start: own }: Stranded,
): Proposal[] {
  const others = able.filter(({ id }) => id !== personId).slice(0, start === own ? 2 : 1)
  return [...able.filter(({ id }) => id === personId), ...others].map(({ id, person }) => ({
    ...{ start, person, personId: id },
    harm: harmOf({ start: own, personId }, { start, personId: id }, moved),
  }))
}

/** The same appointments plus one: what is proposed for one is not proposed for the next. */
export function withOneMore(busy: Busy, people: number, row: BusyRow): Busy {
  const rows: BusyRow[] = [row]
  for (let person = 0; person < people; person++)
    for (let i = busy.at[person]!; i < busy.at[person + 1]!; i++)
      rows.push({
        ...{ person, start: busy.starts[i]!, end: busy.ends[i]!, zone: busy.zones[i]! },
        service: services[busy.services[i]!]!,
      })
  return busyOf(people, rows)
}

const HOUR = 60
const longestOffer = 24 * HOUR
const beforeStart = 2 * HOUR
const shortestOffer = 30

/** When an offer expires, in epoch minutes: at most a day, and two hours before the earlier of both starts; at least half an hour. */
export const offerEnds = (now: number, from: number, to: number) =>
  Math.min(now + longestOffer, Math.max(Math.min(from, to) - beforeStart, now + shortestOffer))

/** The shortest notice in minutes for an offered time: the customer needs time to read it. */
export const offersFrom = (now: number) => now + beforeStart
