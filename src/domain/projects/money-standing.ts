import type { Concept } from '../payments/payment.ts'
import { isOpenQuote, type QuoteState } from '../quotes/quote.ts'
import { longDate } from '../shared/format.ts'
import type { NextStep, Standing } from './project.ts'

/** The newest quote sent to a customer: its state at this moment, and since when. */
export type PartQuote = {
  state: QuoteState
  since: Date
  validUntil: Date | null
  /** Its customer requested another one after it ended. */
  askedAnew: boolean
}

/** What is asked for and not in yet. */
export type OpenDemand = { concept: Concept; state: 'pending' | 'in_review'; since: Date }

/** What of its quotes and payments a project's standing follows from. */
export type MoneyFacts = {
  quote: PartQuote | null
  /** Since when extra work waits for its customer's answer. */
  extraWorkSince: Date | null
  demands: readonly OpenDemand[]
}

/** What a project without a quote has. */
export const noMoney: MoneyFacts = { quote: null, extraWorkSince: null, demands: [] }

type Turn = Pick<Standing, 'waitingOn' | 'line' | 'since' | 'next'>

const see: NextStep = { label: 'Ver mi cotización', to: '/quote' }
const another: NextStep = { label: 'Pedir otra cotización', to: '/quote' }

/** A quote that waits for its customer's answer, extra work first because the technician waits on site; null when there is none. */
export function answerTurn({ extraWorkSince, quote }: MoneyFacts): Turn | null {
  const yours = { waitingOn: 'customer' as const, next: see }
  if (extraWorkSince)
    return {
      ...{ ...yours, since: extraWorkSince },
      line: 'Te toca a ti: revisa el trabajo adicional que te proponemos.',
    }
  if (!quote || !isOpenQuote(quote.state)) return null
  const ends = quote.validUntil ? ` Vence el ${longDate(quote.validUntil)}.` : ''
  return { ...yours, since: quote.since, line: `Te toca a ti: revisa tu cotización.${ends}` }
}

const ours = (line: string) => ({ waitingOn: 'analyst' as const, next: null, line })
const making = ours('Nos toca a nosotros: preparamos otra cotización para ti.')
const yours = (line: string) => ({ waitingOn: 'customer' as const, next: another, line })

const afterwards: Partial<Record<QuoteState, Omit<Turn, 'since'>>> = {
  changes_requested: ours('Nos toca a nosotros: hacemos los cambios que pediste a tu cotización.'),
  rejected: ours('Nos toca a nosotros: te llamamos para ver qué te conviene.'),
  withdrawn: making,
  expired: yours('Te toca a ti: tu cotización venció. Pide otra con un toque.'),
  lapsed: yours('Te toca a ti: tu cotización terminó sin su anticipo. Pide otra con un toque.'),
  cancelled: yours('Se canceló tu cotización. Si cambias de idea, pide otra con un toque.'),
}

/** Whose turn it is after a quote that can no longer be accepted; null where nothing follows from it. */
export function endedTurn({ quote }: MoneyFacts): Turn | null {
  const turn = quote && afterwards[quote.state]
  if (!turn) return null
  return { ...(quote.askedAnew ? making : turn), since: quote.since }
}

/** Whose turn it is while the deposit is missing. */
export function depositTurn({ demands }: MoneyFacts, since: Date | null): Turn {
  const review = demands.find(({ concept, state }) => concept === 'deposit' && state === 'in_review')
  if (review) return { ...ours('Nos toca a nosotros: revisamos tu comprobante.'), since: review.since }
  const next = { label: 'Pagar mi anticipo', to: '/payments' }
  return { waitingOn: 'customer', line: 'Te toca a ti: paga tu anticipo.', since, next }
}

/** Whose turn it is after the installation, while something of it is owed; null when nothing is. */
export function balanceTurn({ demands }: MoneyFacts): Turn | null {
  const [pending] = demands.filter(({ state }) => state === 'pending')
  const [review] = demands.filter(({ state }) => state === 'in_review')
  if (pending) {
    const next = { label: 'Pagar mi finiquito', to: '/payments' }
    return { waitingOn: 'customer', line: 'Te toca a ti: paga tu finiquito.', since: pending.since, next }
  }
  return review ? { ...ours('Nos toca a nosotros: revisamos tu pago.'), since: review.since } : null
}
