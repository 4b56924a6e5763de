import { isItsCustomer, isManager, isOffice, isSystem, type Mover } from '../access/actor.ts'
import { machine, type StateFacts, type TransitionOf } from '../shared/state-machine.ts'

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
/** Its customer was asked and did not answer. */
export const openQuoteStates = ['sent', 'viewed'] as const satisfies readonly QuoteState[]
export const isOpenQuote = (state: QuoteState) => openQuoteStates.some((open) => open === state)

/** Of the whole installation, or of something more that came up on site. */
export type QuoteKind = 'installation' | 'extra_work'

/** What a move of a quote is judged by. */
export type QuoteFacts = {
  state: QuoteState
  customerId: string
  /** The end of its last day; null before it was sent. */
  validUntil: Date | null
  /** The largest discount of its options, in hundredths of a percent. */
  discountShare: number
  /** How far it is below the catalogue and its report's proposal, in hundredths of a percent, and whether below its cost. */
  belowList: number
  belowCost: boolean
  /** The installation has begun, or is over. */
  installationStarted: boolean
  depositPaid: boolean
}
/** Who writes quotes. */
export const writesQuotes = isOffice

/** More than this in discounts is the manager's to send, in hundredths of a percent. */
export const mostDiscountShare = 20_00
/** Why only the manager sends it, and what whoever wrote it does about that; null where anybody may who writes quotes. */
export function managersToSend({
  belowCost,
  belowList,
  discountShare,
}: Pick<QuoteFacts, 'belowCost' | 'belowList' | 'discountShare'>): string | null {
  const why =
    discountShare > mostDiscountShare
      ? 'Los descuentos pasan del 20 %.'
      : belowCost
        ? 'Una opción queda por debajo de lo que nos cuesta.'
        : belowList > mostDiscountShare
          ? `Queda ${Math.floor(belowList / 100)} % por debajo del catálogo y de lo que pide el reporte.`
          : null
  return (
    why && `${why} Solo la gerencia puede enviarla así: pídele que abra este borrador, o cambia los precios.`
  )
}

/** How long after its last day an accepted quote waits for its deposit. */
export const depositGraceDays = 5

const isOver = ({ validUntil }: Pick<QuoteFacts, 'validUntil'>, now: Date) =>
  validUntil !== null && now > validUntil
const tooLate = (_: Mover, facts: QuoteFacts, now: Date) =>
  isOver(facts, now) ? 'Esta cotización ya venció. Pide una nueva y te la preparamos.' : null
/** Until when an accepted quote waits for its deposit. */
export const depositEnds = (validUntil: Date) =>
  new Date(validUntil.getTime() + depositGraceDays * 24 * 3_600_000)

/** Why a transition does not leave a state, in words for whoever tried. */
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
      // By itself, where a code took something off what was out already.
      by: (actor) => isSystem(actor) || writesQuotes(actor),
      blocked: (actor, facts) => (isManager(actor) ? null : managersToSend(facts)),
    },
    view: { from: ['sent'], to: 'viewed', by: isItsCustomer },
    accept: { from: openQuoteStates, to: 'accepted', by: isItsCustomer, blocked: tooLate },
    reject: { from: openQuoteStates, to: 'rejected', by: isItsCustomer },
    askChanges: { from: openQuoteStates, to: 'changes_requested', by: isItsCustomer },
    expire: {
      from: openQuoteStates,
      to: 'expired',
      by: isSystem,
      blocked: (_, facts, now) => (isOver(facts, now) ? null : 'Todavía no vence.'),
    },
    /** A draft is thrown away so, too; nobody ever saw it. */
    withdraw: {
      from: ['draft', ...openQuoteStates, 'changes_requested'],
      to: 'withdrawn',
      by: writesQuotes,
    },
    /** The next version was sent. */
    supersede: {
      from: ['rejected', 'withdrawn', 'changes_requested', 'expired', 'lapsed'],
      to: 'superseded',
      by: writesQuotes,
    },
    /** The same went out again, less what a code takes off. */
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
    /** Its customer would have another one, with one tap. */
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

/** How it stands: one that can be answered no more counts as expired, also before anything says so. */
export const quoteStateBy = (
  { state, validUntil }: Pick<QuoteFacts, 'state' | 'validUntil'>,
  now: Date,
): QuoteState => (isOpenQuote(state) && isOver({ validUntil }, now) ? 'expired' : state)
