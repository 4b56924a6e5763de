import { services } from '../appointments/appointment.ts'
import { localDate } from '../shared/calendar.ts'
import type { StateFacts } from '../shared/state-machine.ts'
import { releaseChoice } from '../users/staffing-change.ts'
import { type Ask, openSlots } from './availability.ts'
import { rank, type SlotCandidate } from './eligibility.ts'
import { type Busy, type BusyRow, busyOf, type MinuteSpan, type Roster } from './roster.ts'

/** An appointment whose assignee is absent and needs another place. */
export type Stranded = {
  start: number
  personId: string
  /** How often its time changed before, for any reason. */
  moved: number
  /** When its customer has something else. */
  taken: readonly MinuteSpan[]
}

/** Who is away, as an index in the roster, and when. */
export type Away = MinuteSpan & { person: number }

/** An alternative for an appointment: a person and a start, with its disruption cost. */
export type PlacementProposal = { start: number; person: number; personId: string; harm: Disruption }

/**
 * The best places for an appointment, the least harm first: its own time with somebody else, then the times nearest to it
 * from `earliest` on. Of each time it takes who would add the least travel. `ask` covers the days to look at.
 */
export function placementProposals(
  roster: Roster,
  busy: Busy,
  ask: Ask,
  wish: Stranded & { away: Away; earliest: number },
  count: number,
): PlacementProposal[] {
  const minutes = ask.settings.services[ask.service].minutes
  const found: PlacementProposal[] = []
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
    .map((start) => ({
      start,
      least: disruptionCost({ start: own, personId }, { start, personId }, moved).total,
    }))
    .sort((a, b) => a.least - b.least || a.start - b.start)
}

const isAway = ({ person }: SlotCandidate, start: number, end: number, away: Away) =>
  person === away.person && start < away.end && end > away.start

/** The same person, who may be back by then, and the best of the others: two of them at its own time. */
function bestOf(
  able: readonly SlotCandidate[],
  start: number,
  { moved, personId, start: own }: Stranded,
): PlacementProposal[] {
  const others = able.filter(({ id }) => id !== personId).slice(0, start === own ? 2 : 1)
  return [...able.filter(({ id }) => id === personId), ...others].map(({ id, person }) => ({
    start,
    person,
    personId: id,
    harm: disruptionCost({ start: own, personId }, { start, personId: id }, moved),
  }))
}

/** The same appointments plus one: what is proposed for one is not proposed for the next. */
export function withOneMore(busy: Busy, people: number, row: BusyRow): Busy {
  const rows: BusyRow[] = [row]
  for (let person = 0; person < people; person++)
    for (let i = busy.at[person]!; i < busy.at[person + 1]!; i++)
      rows.push({
        person,
        start: busy.starts[i]!,
        end: busy.ends[i]!,
        zone: busy.zones[i]!,
        service: services[busy.services[i]!]!,
      })
  return busyOf(people, rows)
}

const HOUR = 60
const longestOffer = 24 * HOUR
const beforeStart = 2 * HOUR
const shortestOffer = 30

/** When an offer expires, in epoch minutes: at most a day, and two hours before the earlier of both starts; at least half an hour. */
export const moveOfferEndsAt = (now: number, from: number, to: number) =>
  Math.min(now + longestOffer, Math.max(Math.min(from, to) - beforeStart, now + shortestOffer))

/** The shortest notice in minutes for an offered time: the customer needs time to read it. */
export const offersFrom = (now: number) => now + beforeStart

/** The outcome for one appointment of an absence: reassigned at its time, offered at another time, or left unassigned. */
export type AbsenceChoice =
  | { kind: 'give'; personId: string }
  | { kind: 'offer'; personId: string; start: number }
  | { kind: 'release' }

/** A choice as a form carries it. */
export const choiceText = (choice: AbsenceChoice) =>
  choice.kind === 'release'
    ? releaseChoice
    : choice.kind === 'give'
      ? `give_${choice.personId}`
      : `offer_${choice.personId}_${choice.start}`

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const given = new RegExp(`^give_(${uuid})$`)
const offered = new RegExp(`^offer_(${uuid})_(\\d{7,9})$`)

/** A choice as it was sent; null when it is none. */
export function absenceChoiceIn(text: string): AbsenceChoice | null {
  if (text === releaseChoice) return { kind: 'release' }
  const [, to] = given.exec(text) ?? []
  if (to) return { kind: 'give', personId: to }
  const [, personId, start] = offered.exec(text) ?? []
  return personId && start ? { kind: 'offer', personId, start: Number(start) } : null
}

/** A current or proposed placement of an appointment: its start in epoch minutes, and its assignee. */
type PlacementPosition = { start: number; personId: string | null }

/** What a move does to its customer, part by part, in minutes. */
export type Disruption = { minutes: number; days: number; again: number; person: number; total: number }

const CHANGED_DAY = 240
const MOVED_AGAIN = 480
const CHANGED_PERSON = 120

/**
 * What it costs a customer that an appointment moves: the minutes between the two starts, 240 for each day that changes, 480
 * where it was moved before and its time changes again, 120 for another person.
 */
export function disruptionCost(
  from: PlacementPosition,
  to: PlacementPosition,
  movedBefore: number,
): Disruption {
  const minutes = Math.abs(to.start - from.start)
  const days = minutes === 0 ? 0 : daysBetween(from.start, to.start) * CHANGED_DAY
  const again = minutes > 0 && movedBefore > 0 ? MOVED_AGAIN : 0
  const person = to.personId === from.personId ? 0 : CHANGED_PERSON
  return { minutes, days, again, person, total: minutes + days + again + person }
}

function daysBetween(a: number, b: number): number {
  const days = (minute: number) => Date.parse(`${localDate(minute)}T00:00:00Z`) / 86_400_000
  return Math.abs(days(a) - days(b))
}

/** How an offer of another time was answered; null while it is open. */
export type OfferOutcome = 'accepted' | 'declined' | 'expired' | 'withdrawn' | 'gone'

/** How it stands: an open one past its end counts as expired, also before anything says so. */
export type OfferStatus = OfferOutcome | 'sent'

export const offerStatusOf = (answer: OfferOutcome | null, expiresAt: Date, now: Date): OfferStatus =>
  answer ?? (expiresAt <= now ? 'expired' : 'sent')

/** How each standing is called, and what the colour of its badge means. */
export const offerStatusFacts: Record<OfferStatus, StateFacts> = {
  sent: { label: 'Enviada', tone: 'info' },
  accepted: { label: 'Aceptada', tone: 'ok' },
  declined: { label: 'Rechazada', tone: 'bad' },
  expired: { label: 'Vencida', tone: 'wait' },
  gone: { label: 'Ya no estaba libre', tone: 'bad' },
  withdrawn: { label: 'Ya no aplica', tone: 'neutral' },
}

/** Why an offer can't be answered any more, as its customer reads it. */
export const offerOverWords: Record<OfferOutcome, string> = {
  accepted: 'Ya aceptaste este horario.',
  declined: 'Ya nos dijiste que no te queda este horario.',
  expired: 'Esta propuesta ya venció. Te llamamos para acordar otro horario.',
  gone: 'Ese horario se acaba de ocupar. Te llamamos para acordar otro.',
  withdrawn: 'Tu cita ya cambió: esta propuesta no aplica.',
}

/** Whose turn it is while a customer is asked, whatever the appointment's own state says. */
export const askedLine = 'Te toca a ti: dinos si te queda el horario que te proponemos.'
