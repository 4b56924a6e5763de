import { type Actor, isManager, isTechnician } from '../../access/rules/actor.ts'
import type { Service } from '../../appointments/rules/appointment.ts'
import type { NeededPaper } from '../../scheduling/rules/roster.ts'
import { addDays, minuteAt, toMinutes } from '../../shared/calendar.ts'
import { counted, dayIn, localDay } from '../../shared/format.ts'
import type { Tone } from '../../shared/state-machine.ts'

type KindFacts = {
  label: string
  /** Within a sentence. */
  the: string
  /** How long it counts; null where only the paper says it. */
  months: number | null
  /** The appointments that it is for. */
  services: readonly Service[]
  /** Without a valid one no person is sent to these. */
  isNeeded?: true
  ofCompany?: true
}

const anyVisit = ['technical_visit', 'installation'] as const

/** The kinds of papers. A DC-3 says no end of its own: its months are the company's rule. */
const kinds = {
  ec0118: {
    label: 'EC0118',
    the: 'el EC0118',
    months: 36,
    services: ['installation'],
    isNeeded: true,
  },
  dc3_electric: {
    label: 'DC-3 eléctrico (NOM-029)',
    the: 'el DC-3 eléctrico',
    months: 24,
    services: anyVisit,
    isNeeded: true,
  },
  dc3_heights: { label: 'DC-3 de alturas', the: 'el DC-3 de alturas', months: 12, services: anyVisit },
  licence: {
    label: 'Licencia de conducir',
    the: 'la licencia de conducir',
    months: null,
    services: anyVisit,
  },
  liability: {
    label: 'Póliza de responsabilidad civil',
    the: 'la póliza de responsabilidad civil',
    months: 12,
    services: [],
    ofCompany: true,
  },
  repse: { label: 'REPSE', the: 'el REPSE', months: 36, services: [], ofCompany: true },
} as const satisfies Record<string, KindFacts>
export type StaffPaperKind = keyof typeof kinds
export const staffPaperKinds: Record<StaffPaperKind, KindFacts> = kinds
const kindNames = Object.keys(kinds) as StaffPaperKind[]

/** The kinds that a person has, or the company. */
export const kindsOf = (ofCompany: boolean) =>
  kindNames.filter((kind) => (staffPaperKinds[kind].ofCompany ?? false) === ofCompany)

/** The kinds that the manager may demand of everybody. */
export type DemandedKind = 'ec0118' | 'dc3_electric'

/** "EC0118: 36 meses": what a blank end means. */
export const monthsWords = (ofCompany: boolean) =>
  kindsOf(ofCompany)
    .map((kind) => [staffPaperKinds[kind].label, staffPaperKinds[kind].months] as const)
    .filter(([, months]) => months !== null)
    .map(([label, months]) => `${label}, ${months} meses`)
    .join('; ')

/** The last day of a paper of a kind; null where only the paper says it. */
export function usualEnd(kind: StaffPaperKind, issued: string): string | null {
  const { months } = staffPaperKinds[kind]
  return months === null ? null : Temporal.PlainDate.from(issued).add({ months }).toString()
}

/** For how many days an unchecked one counts, and from how many before its end it is about to end. */
const uncheckedDays = 7
export const soonDays = 30
const warnedDays = [0, 7, soonDays]

type Term = { issued: string; expires: string; checkedAt: Date | null; createdAt: Date }

export const staffPaperStates = {
  valid: { label: 'Vigente', tone: 'ok' },
  soon: { label: 'Por vencer', tone: 'wait' },
  expired: { label: 'Vencido', tone: 'bad' },
  unchecked: { label: 'Sin revisar', tone: 'info' },
} as const satisfies Record<string, { label: string; tone: Tone }>
export type StaffPaperState = keyof typeof staffPaperStates

export function staffPaperState({ checkedAt, expires }: Term, now: Date): StaffPaperState {
  const today = localDay(now)
  if (expires < today) return 'expired'
  if (!checkedAt) return 'unchecked'
  return expires <= addDays(today, soonDays) ? 'soon' : 'valid'
}

/** When an unchecked one stops counting. */
export const countsUntil = ({ createdAt }: Pick<Term, 'createdAt'>) =>
  new Date(createdAt.getTime() + uncheckedDays * 86_400_000)

/** Which warning is due before a last day, in days; null for none, or one that was sent. */
export function dueWarning(expires: string, warned: number | null, now: Date): number | null {
  const due = warnedDays.find((days) => expires <= addDays(localDay(now), days))
  const isPast = expires < localDay(now)
  return isPast || due === undefined || (warned !== null && warned <= due) ? null : due
}

export type HeldPaper = Term & { personId: string; kind: StaffPaperKind }

/**
 * What is asked of each person, and when they have it. A kind is asked of whom it was once checked for; and of all
 * where the manager demands it, as soon as one is recorded: without any, there would be no person to send.
 */
export function neededPapers(
  held: readonly HeldPaper[],
  demanded: Readonly<Record<DemandedKind, boolean>>,
): (personId: string) => NeededPaper[] {
  const asked = kindNames.filter((kind) => staffPaperKinds[kind].isNeeded)
  const byPerson = Map.groupBy(held, ({ personId }) => personId)
  const isAskedOfAll = (kind: StaffPaperKind) =>
    demanded[kind as DemandedKind] && held.some((paper) => paper.kind === kind && paper.checkedAt)
  const ofAll = new Set(asked.filter(isAskedOfAll))
  return (personId) =>
    asked.flatMap((kind) => {
      const own = (byPerson.get(personId) ?? []).filter((paper) => paper.kind === kind)
      const isAsked = ofAll.has(kind) || own.some(({ checkedAt }) => checkedAt)
      return isAsked ? [{ services: staffPaperKinds[kind].services, valid: own.map(spanOf) }] : []
    })
}

const spanOf = (paper: HeldPaper) => ({
  start: minuteAt(paper.issued, '00:00'),
  end: minuteAt(addDays(paper.expires, 1), '00:00'),
  until: paper.checkedAt ? null : toMinutes(countsUntil(paper)),
})

type Ending = { kind: StaffPaperKind; expires: string; after: number }

/** "3 instalaciones después", "1 cita después"; null where there is none. */
const afterWords = ({ after, kind }: Ending) =>
  after === 0
    ? null
    : staffPaperKinds[kind].services.length === 1
      ? `${counted(after, 'instalación', 'instalaciones')} después`
      : `${counted(after, 'cita', 'citas')} después`

/** "se le vence el EC0118 el lun 14 dic; tiene 3 instalaciones después." */
export function endingWords(paper: Ending, now: Date, whom: 'le' | 'te'): string {
  const { the } = staffPaperKinds[paper.kind]
  const after = afterWords(paper)
  const verb = paper.expires < localDay(now) ? `se ${whom} venció` : `se ${whom} vence`
  const has = whom === 'le' ? 'tiene' : 'tienes'
  return `${verb} ${the} el ${dayIn(paper.expires, now)}${after ? `; ${has} ${after}` : ''}.`
}

/** What a list says of one to look at: "EC0118 vence el lun 14 dic · 3 instalaciones después". */
export function lineWords(paper: Ending & Term, now: Date): (string | null)[] {
  const { expires, kind } = paper
  const { label } = staffPaperKinds[kind]
  if (staffPaperState(paper, now) === 'unchecked') return [`${label} por revisar`]
  return [
    `${label} ${expires < localDay(now) ? 'venció' : 'vence'} el ${dayIn(expires, now)}`,
    afterWords(paper),
  ]
}

/** A technician keeps their own papers; the manager every person's, and without one the company's. */
export const keepsPapers = (actor: Actor, personId: string | null) =>
  isManager(actor) || (isTechnician(actor) && actor.id === personId)

/** Who says that a paper is what it says: the manager, but not of their own. */
export const checksPapers = (actor: Actor, personId: string | null) =>
  isManager(actor) && actor.id !== personId
