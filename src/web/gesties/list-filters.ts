import { z } from 'zod'
import { caseKindLabels, caseStateFacts, caseTurnLabels } from '../../domain/cfe-case.ts'
import type { CaseFilters } from '../../domain/cfe-list.ts'
import { choice } from '../../domain/text.ts'
import { tidy } from '../../domain/tidy.ts'

const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined)
const stateLabels = Object.fromEntries(
  Object.entries(caseStateFacts).map(([state, { label }]) => [state, label]),
) as Record<keyof typeof caseStateFacts, string>

const query = z.object({
  state: maybe(choice(stateLabels, '')),
  turn: maybe(choice(caseTurnLabels, '')),
  kind: maybe(choice(caseKindLabels, '')),
  gester: maybe(z.union([z.uuid(), z.literal('nadie')])),
  over: maybe(z.literal('1').transform(() => true)),
  text: maybe(z.preprocess(tidy, z.string().min(1).max(100))),
  after: maybe(z.uuid()),
})

/** The filters of an address, and the place in the list; what makes no sense is left out, never an error. */
export function filtersOf(url: URL): { filters: CaseFilters; after: string | undefined } {
  const { after, ...sent } = query.parse(Object.fromEntries(url.searchParams))
  const filters: CaseFilters = Object.fromEntries(
    Object.entries(sent).filter(([, value]) => value !== undefined),
  )
  return { filters, after }
}
