import { z } from 'zod'
import { staffKinds } from '../../domain/actor.ts'
import { tidy } from '../../domain/tidy.ts'
import type { UserFilters } from '../../server/users/filters.ts'

const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined)

const query = z.object({
  text: maybe(z.preprocess(tidy, z.string().min(1).max(100))),
  role: maybe(z.enum(['customer', 'staff'])),
  kind: maybe(z.enum(staffKinds)),
  active: maybe(z.enum(['yes', 'no', 'blocked'])),
  agency: maybe(z.uuid()),
  after: maybe(z.uuid()),
})

/** What the address of the list holds, as it stands there. */
export type Asked = Partial<Record<keyof z.output<typeof query>, string>>

/** The filters that an address holds, for the form and for the search; what makes no sense is left out, never an error. */
export function filtersOf(url: URL): { asked: Asked; filters: UserFilters; after: string | undefined } {
  const sent = query.parse(Object.fromEntries(url.searchParams))
  const { after, active, ...rest } = sent
  const filters = { ...rest, ...(active && active !== 'blocked' && { active: active === 'yes' }) }
  return { asked: given(sent), filters: given(filters), after }
}

const given = <Values extends object>(values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Values]: Exclude<Values[Name], undefined>
  }

/** The address of the next page under the same filters. */
export const nextPage = (asked: Asked, after: string | null) =>
  after ? `?${new URLSearchParams({ ...asked, after })}` : null

/** The address of the first page under the same filters; null when it is the one shown. */
export const firstPage = ({ after, ...asked }: Asked) => (after ? `?${new URLSearchParams(asked)}` : null)
