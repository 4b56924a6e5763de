import {
  isAnalyst,
  isItsCustomer,
  isManager,
  isOffice,
  isSystem,
  type Mover,
} from '../../access/rules/actor.ts'
import { type AppointmentState, type Service, stateFacts } from '../../appointments/rules/appointment.ts'
import { type SheetState, sheetStateFacts } from '../../reports/rules/report.ts'
import type { ListOrder } from '../../shared/count.ts'
import type { DayFilters } from '../../shared/day-range.ts'
import { money } from '../../shared/format.ts'
import { machine, type StateFacts, type TransitionOf } from '../../shared/state-machine.ts'
import { tidy } from '../../shared/text.ts'
import type { QuoteTab } from './quote-tabs.ts'

export const quoteStateFacts = {
  draft: { label: 'Borrador', tone: 'neutral' },
  sent: { label: 'Enviada', tone: 'wait' },
  viewed: { label: 'Vista', tone: 'wait' },
  accepted: { label: 'Aceptada', tone: 'ok' },
  rejected: { label: 'Rechazada', tone: 'bad' },
  changes_requested: { label: 'Cambios solicitados', tone: 'info' },
  expired: { label: 'Vencida', tone: 'bad' },
  withdrawn: { label: 'Retirada', tone: 'neutral' },
  superseded: { label: 'Reemplazada', tone: 'neutral' },
  cancelled: { label: 'Cancelada', tone: 'bad' },
  lapsed: { label: 'Sin anticipo', tone: 'bad' },
} as const satisfies Record<string, StateFacts>
export type QuoteState = keyof typeof quoteStateFacts
export const quoteStates = Object.keys(quoteStateFacts) as readonly QuoteState[]

/** Its customer received it and has not answered. */
export const openQuoteStates = ['sent', 'viewed'] as const satisfies readonly QuoteState[]
export const isOpenQuote = (state: QuoteState) => openQuoteStates.some((open) => open === state)

/** A quote for the whole installation, or for extra work found on site. */
export type QuoteKind = 'installation' | 'extra_work'

/** The facts that a transition of a quote is judged by. */
export type QuoteFacts = {
  state: QuoteState
  customerId: string
  /** The end of its last valid day; null before it was sent. */
  validUntil: Date | null
  /** The largest discount of its options, in hundredths of a percent. */
  discountShare: number
  /**
   * How far it is below the catalogue and its report's proposal, in hundredths of a percent, and whether below its
   * cost.
   */
  belowList: number
  belowCost: boolean
  /** The manager approved this very content. */
  approved: boolean
  /** The installation has begun, or is over. */
  installationStarted: boolean
  depositPaid: boolean
}

/** Who writes quotes. */
export const writesQuotes = isOffice

/** Who reads what the house pays for the work, and so what an offer leaves. */
export const seesMargins = isManager

/** The largest discount that the office sends without the manager, in hundredths of a percent. */
export const mostDiscountShare = 20_00

/** Who asks for the manager's approval of a draft, and who gives it. */
export const asksApproval = isAnalyst
export const approvesQuotes = isManager

/** The manager's answers to a draft that its author may not send as it is. */
export type ApprovalAnswer = 'approved' | 'returned'

/** Why a quote needs the manager's approval before an author sends it; null where it needs none. */
export function approvalReason({
  belowCost,
  belowList,
  discountShare,
}: Pick<QuoteFacts, 'belowCost' | 'belowList' | 'discountShare'>): string | null {
  if (discountShare > mostDiscountShare) return 'Los descuentos pasan del 20\u00a0%.'
  if (belowCost) return 'Una opción queda por debajo de lo que nos cuesta.'
  return belowList > mostDiscountShare
    ? `Queda ${Math.floor(belowList / 100)}\u00a0% por debajo del catálogo y de lo que pide el reporte.`
    : null
}

/** Why its author may not send it yet, and what they can do; null where every author of quotes may send it. */
function awaitsManager(actor: Mover, facts: QuoteFacts): string | null {
  const why = isManager(actor) || facts.approved ? null : approvalReason(facts)
  return why && `${why} Solo la gerencia puede enviarla así: pide su autorización, o cambia los precios.`
}

/** The events of a quote whose customer moves to another home: the quote stands, or a new one is made. */
export const homeEvents = { stands: 'moveHome', anew: 'leaveHome' } as const

/** Days after its last valid day that an accepted quote waits for its deposit. */
export const depositGraceDays = 5

const isOver = ({ validUntil }: Pick<QuoteFacts, 'validUntil'>, now: Date) =>
  validUntil !== null && now > validUntil
const tooLate = (_: Mover, facts: QuoteFacts, now: Date) =>
  isOver(facts, now) ? 'Esta cotización ya venció. Pide una nueva y te la preparamos.' : null

/** Until when an accepted quote waits for its deposit. */
const depositEnds = (validUntil: Date) => new Date(validUntil.getTime() + depositGraceDays * 24 * 3_600_000)

/** Why a transition does not leave a state, in words for the actor. */
const alreadyWords: Record<QuoteState, string> = {
  draft: 'Esta cotización todavía no se envía.',
  sent: 'Esta cotización ya se envió.',
  viewed: 'El cliente ya vio esta cotización.',
  accepted: 'Esta cotización ya fue aceptada.',
  rejected: 'Esta cotización ya fue rechazada.',
  changes_requested: 'Ya se pidieron cambios a esta cotización.',
  expired: 'Esta cotización ya venció.',
  withdrawn: 'Retiramos esta cotización.',
  superseded: 'Hay una versión más nueva de esta cotización.',
  cancelled: 'Esta cotización ya se canceló.',
  lapsed: 'Esta cotización terminó porque no se pagó su anticipo a tiempo.',
}

/** The whole life of a quote: each transition, the states it may leave, and who may make it. */
export const quoteMachine = /* @__PURE__ */ machine<QuoteFacts, [now: Date]>()(
  {
    send: {
      from: ['draft'],
      to: 'sent',
      // The system sends a quote again when a code reduces one already sent.
      by: (actor) => isSystem(actor) || writesQuotes(actor),
      blocked: awaitsManager,
    },
    /** Whoever sent it takes it back, while its letter waits. */
    unsend: { from: ['sent'], to: 'draft', by: writesQuotes },
    view: { from: ['sent'], to: 'viewed', by: isItsCustomer },
    /** The office sends another reminder: it is still open. */
    remind: {
      from: openQuoteStates,
      to: 'same',
      by: writesQuotes,
      blocked: (_, facts, now) => (isOver(facts, now) ? alreadyWords.expired : null),
    },
    accept: { from: openQuoteStates, to: 'accepted', by: isItsCustomer, blocked: tooLate },
    reject: { from: openQuoteStates, to: 'rejected', by: isItsCustomer },
    askChanges: { from: openQuoteStates, to: 'changes_requested', by: isItsCustomer },
    expire: {
      from: openQuoteStates,
      to: 'expired',
      by: isSystem,
      blocked: (_, facts, now) => (isOver(facts, now) ? null : 'Todavía no vence.'),
    },
    /** Also discards a draft, which the customer never saw. */
    withdraw: {
      from: ['draft', ...openQuoteStates, 'changes_requested'],
      to: 'withdrawn',
      by: writesQuotes,
    },
    /** The next version was sent; in the place of an open one where its author said so. */
    supersede: {
      from: [...openQuoteStates, 'rejected', 'withdrawn', 'changes_requested', 'expired', 'lapsed'],
      to: 'superseded',
      by: writesQuotes,
    },
    /** The same quote was sent again, reduced by a code. */
    improve: { from: openQuoteStates, to: 'superseded', by: isSystem, blocked: tooLate },
    /** The next version was accepted. */
    replace: { from: ['accepted'], to: 'superseded', by: isItsCustomer },
    cancel: {
      from: ['accepted'],
      to: 'cancelled',
      by: (actor, facts) => isManager(actor) || isItsCustomer(actor, facts),
      blocked: (_, { installationStarted }) =>
        installationStarted ? 'La instalación ya empezó. Escríbenos y vemos cómo ayudarte.' : null,
    },
    /** Its customer requests a new quote, with one tap. */
    askAnew: { from: ['expired', 'lapsed', 'cancelled'], to: 'same', by: isItsCustomer },
    lapse: {
      from: ['accepted'],
      to: 'lapsed',
      by: isSystem,
      blocked: (_, { depositPaid, validUntil }, now) =>
        depositPaid || validUntil === null || now <= depositEnds(validUntil)
          ? 'Todavía puede pagarse el anticipo.'
          : null,
    },
  },
  (state) => alreadyWords[state],
)
export type QuoteMoveName = TransitionOf<typeof quoteMachine>

/** The state of a quote: one past its term counts as expired, even before it is stored so. */
export const quoteStateBy = (
  { state, validUntil }: Pick<QuoteFacts, 'state' | 'validUntil'>,
  now: Date,
): QuoteState => (isOpenQuote(state) && isOver({ validUntil }, now) ? 'expired' : state)

/** The filters of the visits that wait for a quote, which are no quotes yet. */
export type ToQuoteFilters = {
  zone?: string
  agency?: string
  /** The id of who took it, or `notTaken`. */
  analyst?: string
  text?: string
  /** The longest wait first, or another. */
  order?: ListOrder<'zone' | 'agency' | 'taker'>
}

/** The filters of the list of quotes, as its address holds them. */
export type QuoteFilters = DayFilters & {
  view?: QuoteTab
  /** Days of its end, and not of when it was sent. */
  date?: 'end'
  /** '0' to '11', of the month a version was created; without a year, of every year. */
  month?: string
  year?: string
  state?: QuoteState
  /** The id of its author. */
  analyst?: string
  /** The id of the agency that referred its customer. */
  agency?: string
  text?: string
  order?: ListOrder<'sent' | 'end' | 'worth'>
}

/** How a user reads quotes: everything, the work without amounts, or the state only. */
export type QuoteReading = 'all' | 'scope' | 'state'

/** The states a list can be filtered by: drafts are visible only to those who write quotes. */
export const listedStates = (reading: QuoteReading): readonly QuoteState[] =>
  reading === 'all' ? quoteStates : quoteStates.filter((state) => state !== 'draft')

/** Keeps the filters that the viewer may use and ignores the others. */
export function quoteFiltersFor(
  reading: QuoteReading,
  { agency, analyst, order, state, view, ...rest }: QuoteFilters,
): QuoteFilters {
  const isWhole = reading === 'all'
  return {
    ...rest,
    ...(isWhole && view && { view }),
    ...(order && (isWhole || !order.startsWith('worth')) && { order }),
    ...(state && listedStates(reading).includes(state) && { state }),
    ...(isWhole && analyst && { analyst }),
    ...(isWhole && agency && { agency }),
  }
}

/** The quotes of a month ('2026-11'), in centavos: offered, accepted and not cancelled, and paid less refunds. */
export type MonthFigures = { month: string; quoted: number; accepted: number; paid: number }

/** How many months the figures cover where no year is chosen, including the current one. */
const monthsShown = 12

/** The months of the figures, the oldest first: those of a year, or the last twelve. `today` is a local date. */
export function monthsOf(year: string | undefined, today: string): string[] {
  const last = year
    ? Temporal.PlainYearMonth.from(`${year}-12`)
    : Temporal.PlainDate.from(today).toPlainYearMonth()
  return Array.from({ length: monthsShown }, (_, n) =>
    last.subtract({ months: monthsShown - 1 - n }).toString(),
  )
}

/** The basis of a quote: a visit with its report, or an installation under way. */
type QuoteEligibility = {
  service: Service
  state: AppointmentState
  /** The report of a visit; null where there is none. */
  report: SheetState | null
  isViable: boolean
  isProjectClosed: boolean
}

/** The kind of quote made from an appointment; none from a call. */
export const quoteKindFrom: Record<Service, QuoteKind | null> = {
  technical_visit: 'installation',
  installation: 'extra_work',
  videocall: null,
}

const underWay: readonly AppointmentState[] = ['assigned', 'en_route', 'in_progress', 'paused']

/** Why no quote can be written from an appointment now, in words for the office; null when one can. */
export function quoteBlockedReason({
  isProjectClosed,
  isViable,
  report,
  service,
  state,
}: QuoteEligibility): string | null {
  if (isProjectClosed) return 'Este proyecto ya está cerrado.'
  if (service === 'installation')
    return underWay.includes(state)
      ? null
      : `El trabajo adicional se cotiza mientras la instalación está por hacerse o en curso. Su estado es «${stateFacts[state].label}».`
  if (state !== 'done') return `La visita todavía no se realiza: su estado es «${stateFacts[state].label}».`
  if (report === null) return 'Esta visita no tiene reporte, y la cotización sale de él.'
  if (report !== 'approved')
    return `Primero hay que aprobar el reporte de la visita: su estado es «${sheetStateFacts[report].label}».`
  if (!isViable) return 'El reporte dice que la instalación no es viable. Si algo cambió, corrígelo antes.'
  return null
}

/** A sent version of a quote, with the fields that decide which versions its customer sees. */
type Version = { state: QuoteState; revision: number; sentAt: Date }

/** The versions of a quote as its customer reads them. */
type QuoteStory<Quote> = {
  /** The version to be answered, else the accepted one, else the last one sent. */
  current: Quote
  /** The accepted version, valid while another waits for an answer. */
  agreed: Quote | null
  /** The previous version, for the comparison with the current one. */
  before: Quote | null
  /** All but the current one, the newest first. */
  earlier: readonly Quote[]
}

/** The versions that a quote's customer sees, and in which role; null before any was sent. */
export function storyOf<Quote extends Version>(versions: readonly Quote[]): QuoteStory<Quote> | null {
  const newest = versions.toSorted((a, b) => b.sentAt.getTime() - a.sentAt.getTime())
  const agreed = newest.find(({ state }) => state === 'accepted') ?? null
  const current = newest.find(({ state }) => isOpenQuote(state)) ?? agreed ?? newest[0]
  if (!current) return null
  const earlier = newest.filter((one) => one !== current)
  return {
    current,
    agreed: agreed === current ? null : agreed,
    before: earlier.find(({ sentAt }) => sentAt < current.sentAt) ?? null,
    earlier,
  }
}

/** Why a quote is rejected. Separate from its form's rules, so that the screen does not load the validator. */
export const rejectReasons = {
  price: 'El precio',
  other_provider: 'Elegí a otro proveedor',
  not_now: 'Por ahora no',
  scope: 'No es lo que necesito',
  other: 'Otro motivo',
} as const

/** "El precio: me pasaron otra más barata", as stored and shown. */
export const rejectionInWords = ({
  note,
  reason,
}: {
  reason: keyof typeof rejectReasons
  note: string | null
}) => tidy([rejectReasons[reason], note].filter(Boolean).join(': '))

/** How far it is below what it should cost; a draft of these is the manager's to send. */
export function lowWords({
  belowCost,
  belowList,
  state,
}: {
  belowCost: boolean
  belowList: number
  state: QuoteState
}) {
  if (!belowCost && belowList <= mostDiscountShare) return null
  const low = belowCost ? 'Debajo del costo' : `${Math.floor(belowList / 100)}\u00a0% debajo de lista`
  return state === 'draft' ? `${low}: la envía la gerencia` : low
}

/** What was accepted; until then what its options cost. */
export const worthWords = (of: { acceptedTotal: number | null; highestTotal: number; lowestTotal: number }) =>
  [...new Set([of.lowestTotal, of.highestTotal].map((one) => money(of.acceptedTotal ?? one)))].join(' a ')
