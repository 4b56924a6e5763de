import { type AppointmentState, services } from '../../appointments/rules/appointment.ts'
import { type Ask, openSlots } from '../../scheduling/rules/availability.ts'
import {
  isOffShift,
  type Reason,
  rank,
  rankExceptions,
  type SlotCandidate,
} from '../../scheduling/rules/eligibility.ts'
import {
  type Busy,
  type BusyRow,
  busyOf,
  type MinuteSpan,
  type Roster,
} from '../../scheduling/rules/roster.ts'
import { localDate } from '../../shared/calendar.ts'
import { counted } from '../../shared/format.ts'
import type { StateFacts } from '../../shared/state-machine.ts'
import { releaseChoice } from '../../users/rules/staffing-change.ts'

/** An appointment whose assignee is absent and needs another place. */
export type Stranded = {
  start: number
  personId: string
  /** How often its time was changed before, for any reason. */
  moved: number
  /** When its customer is not available. */
  taken: readonly MinuteSpan[]
}

/** An absent person, as an index in the roster, and the period. */
export type Away = MinuteSpan & { person: number }

/** An alternative for an appointment: a person and a start, with its disruption cost, and the rules it sets aside. */
export type PlacementProposal = {
  start: number
  person: number
  personId: string
  harm: Disruption
  against: readonly Reason[]
}

/**
 * The best placements for an appointment, the least disruption first: its own time with another person, then the
 * nearest times from `earliest` on. For each time it proposes the person with the least added travel. Where no one can
 * come at its own time, a person for whom a rule is set aside comes first; one outside their shift comes last. `ask`
 * covers the days to search.
 */
export function placementProposals(
  roster: Roster,
  busy: Busy,
  ask: Ask,
  input: Stranded & { away: Away; earliest: number },
  count: number,
): PlacementProposal[] {
  const minutes = ask.settings.services[ask.service].minutes
  const found: PlacementProposal[] = []
  for (const { start, least } of inOrder(openSlots(roster, busy, ask), input)) {
    const worst = found[count - 1]
    if (worst && least >= worst.harm.total) break
    if (start !== input.start && input.taken.some((span) => span.start < start + minutes && start < span.end))
      continue
    const able = rank(roster, busy, start, ask).filter(
      (one) => !isAway(one, Math.max(start, ask.now), start + minutes, input.away),
    )
    found.push(...bestOf(able, start, input))
    found.sort((a, b) => a.harm.total - b.harm.total || a.start - b.start)
  }
  const regular = found.slice(0, count)
  if (regular.some(({ start }) => start === input.start)) return regular
  const [onShift, offShift] = exceptionsAt(roster, busy, ask, input)
  return [onShift, ...regular, offShift].filter((one) => one !== undefined)
}

/** Who could come at its own time with a rule set aside: the best in their shift, and the best outside it. */
function exceptionsAt(roster: Roster, busy: Busy, ask: Ask, input: Stranded & { away: Away }) {
  const start = Math.max(input.start, ask.notBefore ?? input.start)
  const end = start + ask.settings.services[ask.service].minutes
  const able = rankExceptions(roster, busy, input.start, ask).filter(
    (one) => !isAway(one, start, end, input.away),
  )
  const isOff = ({ against }: { against: readonly Reason[] }) => against.some(isOffShift)
  return [able.find((one) => !isOff(one)), able.find(isOff)].map(
    (one) => one && proposalOf(one, input.start, input, one.against),
  )
}

/** Its own time and the open times, by the minimum disruption of each. */
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

/** The same person, who may be back by then, and the best of the others: two others at its own time. */
function bestOf(able: readonly SlotCandidate[], start: number, input: Stranded): PlacementProposal[] {
  const { personId, start: own } = input
  const others = able.filter(({ id }) => id !== personId).slice(0, start === own ? 2 : 1)
  return [...able.filter(({ id }) => id === personId), ...others].map((one) => proposalOf(one, start, input))
}

const proposalOf = (
  { id, person }: SlotCandidate,
  start: number,
  { moved, personId, start: own }: Stranded,
  against: readonly Reason[] = [],
): PlacementProposal => ({
  start,
  person,
  personId: id,
  against,
  harm: disruptionCost({ start: own, personId }, { start, personId: id }, moved),
})

/** The same appointments plus one: a placement proposed for one appointment is not proposed for the next. */
export function withOneMore(busy: Busy, people: number, row: BusyRow): Busy {
  const rows: BusyRow[] = [row]
  for (let person = 0; person < people; person++)
    for (let i = busy.at[person]!; i < busy.at[person + 1]!; i++)
      rows.push({
        person,
        start: busy.starts[i]!,
        end: busy.ends[i]!,
        until: busy.until[i]!,
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

/**
 * The outcome for one appointment of an absence: reassigned at its time, offered at another time, or left unassigned.
 */
export type AbsenceChoice =
  /** By exception: rules are set aside for a written reason. */
  | { kind: 'give'; personId: string; isException?: boolean }
  | { kind: 'offer'; personId: string; start: number }
  | { kind: 'release' }

/** The most days of one absence. */
export const mostAbsentDays = 31

/** What the choices of an absence bring about, in words for the manager: what becomes of the appointments, and who is told. */
export function absenceWords(
  person: string,
  decided: readonly { state: AppointmentState; choice: AbsenceChoice }[],
): string[] {
  const chosen = (kind: AbsenceChoice['kind'], confirmed?: boolean) =>
    decided.filter(
      ({ choice, state }) =>
        choice.kind === kind && (confirmed === undefined || (state === 'assigned') === confirmed),
    ).length
  const given = chosen('give')
  const offered = chosen('offer')
  const left = chosen('release', true)
  const open = chosen('release', false)
  const takers = new Set(decided.flatMap(({ choice }) => (choice.kind === 'give' ? [choice.personId] : [])))
    .size
  const told = decided.filter(({ state }) => state === 'assigned').length
  return [
    given > 0 &&
      `${counted(given, 'cita conserva', 'citas conservan')} su hora con otra persona: reciben un correo ${counted(given, 'cliente', 'clientes')} y ${counted(takers, 'persona que las toma', 'personas que las toman')}.`,
    offered > 0 &&
      `A ${counted(offered, 'cliente le preguntamos por correo si le', 'clientes les preguntamos por correo si les')} queda otra hora; mientras, ${offered === 1 ? 'su cita queda' : 'sus citas quedan'} sin persona.`,
    left > 0 &&
      `${counted(left, 'cita queda', 'citas quedan')} sin persona: si el cliente tiene correo, le avisamos que buscamos a alguien más.`,
    open > 0 && `${counted(open, 'cita queda', 'citas quedan')} por asignar, sin aviso.`,
    told > 0 &&
      `A ${person} le avisamos de ${counted(told, 'cita asignada', 'citas asignadas')} que ya no lleva.`,
  ].filter((words) => words !== false)
}

/** A choice as a form value. */
export const choiceText = (choice: AbsenceChoice) =>
  choice.kind === 'release'
    ? releaseChoice
    : choice.kind === 'give'
      ? `${choice.isException ? 'except' : 'give'}_${choice.personId}`
      : `offer_${choice.personId}_${choice.start}`

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const given = new RegExp(`^(give|except)_(${uuid})$`)
const offered = new RegExp(`^offer_(${uuid})_(\\d{7,9})$`)

/** A choice from a form value; null when it is invalid. */
export function absenceChoiceIn(text: string): AbsenceChoice | null {
  if (text === releaseChoice) return { kind: 'release' }
  const [, how, to] = given.exec(text) ?? []
  if (to) return { kind: 'give', personId: to, isException: how === 'except' }
  const [, personId, start] = offered.exec(text) ?? []
  return personId && start ? { kind: 'offer', personId, start: Number(start) } : null
}

/** A current or proposed placement of an appointment: its start in epoch minutes, and its assignee. */
type PlacementPosition = { start: number; personId: string | null }

/** The parts of a move's disruption for its customer, in minutes. */
export type Disruption = { minutes: number; days: number; again: number; person: number; total: number }

const CHANGED_DAY = 240
const MOVED_AGAIN = 480
const CHANGED_PERSON = 120

/**
 * The cost for a customer of moving an appointment: the minutes between the two starts, 240 for each day of difference,
 * 480 where its time was moved before and changes again, 120 for another person.
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

/** How much a move's disruption is for its customer, in a word: by another person alone, or two hours, it is low. */
export const disruptionLevel = (total: number) => (total <= 240 ? 'baja' : total <= 960 ? 'media' : 'alta')

/** How many local dates lie between two minutes. */
export function daysBetween(a: number, b: number): number {
  const days = (minute: number) => Date.parse(`${localDate(minute)}T00:00:00Z`) / 86_400_000
  return Math.abs(days(a) - days(b))
}

/** The answer to an offer of another time; null while it is open. */
export type OfferOutcome = 'accepted' | 'declined' | 'expired' | 'withdrawn' | 'gone'

/** The state of an offer: an open one past its end counts as expired, even before it is stored so. */
export type OfferStatus = OfferOutcome | 'sent'

export const offerStatusOf = (answer: OfferOutcome | null, expiresAt: Date, now: Date): OfferStatus =>
  answer ?? (expiresAt <= now ? 'expired' : 'sent')

/** The label of each state, and the colour of its badge. */
export const offerStatusFacts: Record<OfferStatus, StateFacts> = {
  sent: { label: 'Sin respuesta', tone: 'info' },
  accepted: { label: 'Aceptada', tone: 'ok' },
  declined: { label: 'Rechazada', tone: 'bad' },
  expired: { label: 'Vencida', tone: 'wait' },
  gone: { label: 'Ya no estaba libre', tone: 'bad' },
  withdrawn: { label: 'Ya no aplica', tone: 'neutral' },
}

/** Why an offer can no longer be answered, in words for its customer. */
export const offerOverWords: Record<OfferOutcome, string> = {
  accepted: 'Ya aceptaste este horario.',
  declined: 'Ya nos dijiste que no te queda este horario.',
  expired: 'Esta propuesta ya venció. Te llamamos para acordar otro horario.',
  gone: 'Ese horario se acaba de ocupar. Te llamamos para acordar otro.',
  withdrawn: 'Tu cita ya cambió: esta propuesta no aplica.',
}
