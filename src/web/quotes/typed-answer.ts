import { lineField, type TypedQuote, typedIn } from '../../domain/quotes/draft.ts'
import type { BuildAnswer } from './build-action.ts'

/** What the builder begins with: what came back to be corrected, else the draft as it is kept. */
export const firstState = (result: BuildAnswer | undefined, kept: TypedQuote) => ({
  typed: result ? typedIn(result.values) : kept,
  open: result?.values.open || null,
})

/** What is wrong with a field of a line, by the line's id: lines may be moved before they are put right. */
export type Wrong = (lineId: string, field: string) => string | undefined

/** Reads what came back under the names that the lines had when they were sent. */
export function wrongIn(result: BuildAnswer | undefined, sent: TypedQuote): Wrong {
  const messages = new Map<string, string>()
  for (const [n, option] of sent.options.entries())
    for (const list of ['lines', 'addOns'] as const)
      for (const [at, { id }] of option[list].entries())
        for (const [name, message] of Object.entries(result?.errors ?? {})) {
          const prefix = lineField(n, list, at, '')
          if (message && name.startsWith(prefix)) messages.set(`${id} ${name.slice(prefix.length)}`, message)
        }
  return (id, field) => messages.get(`${id} ${field}`)
}
