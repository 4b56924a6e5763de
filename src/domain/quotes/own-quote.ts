import { isOpenQuote, type QuoteState } from './quote.ts'

/** One sent version of a quote, as far as it decides which of them its customer is shown. */
type Version = { state: QuoteState; revision: number; sentAt: Date }

/** The versions of a quote as its customer reads them. */
export type QuoteStory<Quote> = {
  /** What is to be answered, else what was agreed, else the last that was sent. */
  current: Quote
  /** The accepted content, valid while another version waits for an answer. */
  agreed: Quote | null
  /** The previous version, with which the current one is compared. */
  before: Quote | null
  /** All but the current one, the newest first. */
  earlier: readonly Quote[]
}

/** What of a quote's versions its customer is shown, and as what; null before any was sent. */
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
