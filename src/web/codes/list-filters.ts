import { z } from 'zod'
import { codeStates } from '../../domain/code.ts'
import type { CodeFilters } from '../../domain/code-list.ts'
import { choice } from '../../domain/text.ts'
import { tidy } from '../../domain/tidy.ts'

const blankIsNone = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined)

const query = z.object({
  text: blankIsNone(z.preprocess(tidy, z.string().min(1).max(80))),
  state: blankIsNone(choice(codeStates, '')),
  after: blankIsNone(z.uuid()),
})

type Asked = CodeFilters & { after?: string }

/** The filters that an address holds; what makes no sense is left out, never an error. */
export const filtersOf = (url: URL): Asked =>
  Object.fromEntries(
    Object.entries(query.parse(Object.fromEntries(url.searchParams))).filter(
      ([, value]) => value !== undefined,
    ),
  )

/** The address of a page under the same filters: the first, or the one after a code. `kept` stands in it, too. */
export const pageAddress = ({ after: _, ...filters }: Asked, after?: string, kept = {}): string =>
  `?${new URLSearchParams({ ...kept, ...filters, ...(after && { after }) })}`
