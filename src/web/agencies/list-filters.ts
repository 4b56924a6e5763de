import { z } from 'zod'
import { tidy } from '../../domain/tidy.ts'
import type { AgencyFilters } from '../../server/agencies/queries.ts'

const blankIsNone = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined)

const query = z.object({
  text: blankIsNone(z.preprocess(tidy, z.string().min(1).max(120))),
  active: blankIsNone(z.enum(['yes', 'no'])),
  after: blankIsNone(z.uuid()),
})

/** The filters that an address holds; what makes no sense is left out, never an error. */
export const filtersOf = (url: URL): AgencyFilters =>
  Object.fromEntries(
    Object.entries(query.parse(Object.fromEntries(url.searchParams))).filter(
      ([, value]) => value !== undefined,
    ),
  )

/** The address of a page under the same filters: the first, or the one after an agency. */
export function pageAddress({ after: _, ...filters }: AgencyFilters, after?: string): string {
  return `?${new URLSearchParams({ ...filters, ...(after && { after }) })}`
}
