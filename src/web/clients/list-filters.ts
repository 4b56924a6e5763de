import { z } from 'zod'
import { type ClientFilters, clientStages } from '../../domain/client.ts'
import { tidy } from '../../domain/tidy.ts'

const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined)

const query = z.object({
  stage: maybe(z.enum(clientStages)),
  code: maybe(z.uuid()),
  ally: maybe(z.uuid()),
  text: maybe(z.preprocess(tidy, z.string().min(1).max(100))),
  after: maybe(z.uuid()),
})

/** The filters of an address, and the place in the list; what makes no sense is left out, never an error. */
export function filtersOf(url: URL): { filters: ClientFilters; after: string | undefined } {
  const { after, ...sent } = query.parse(Object.fromEntries(url.searchParams))
  return {
    filters: Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)),
    after,
  }
}
