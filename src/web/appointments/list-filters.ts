import { z } from 'zod'
import { appointmentStates } from '../../domain/appointment.ts'
import { services } from '../../domain/services.ts'
import type { Filters } from '../../server/appointments/lists.ts'

const blankIsNone = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined)

const query = z.object({
  month: blankIsNone(z.string().regex(/^([0-9]|1[01])$/)),
  year: blankIsNone(z.string().regex(/^\d{4}$/)),
  service: blankIsNone(z.enum(services)),
  state: blankIsNone(z.enum(appointmentStates)),
  after: blankIsNone(z.string().max(60)),
})

/** The filters that an address holds; what makes no sense is left out, never an error. */
export const filtersOf = (url: URL): Filters =>
  Object.fromEntries(
    Object.entries(query.parse(Object.fromEntries(url.searchParams))).filter(
      ([, value]) => value !== undefined,
    ),
  )

/** The address of the next page under the same filters. */
export function nextPage(filters: Filters, after: string | null): string | null {
  if (!after) return null
  return `?${new URLSearchParams({ ...(filters as Record<string, string>), after })}`
}

/** The address of the first page under the same filters; null when it is the one shown. */
export function firstPage({ after, ...filters }: Filters): string | null {
  return after ? `?${new URLSearchParams(filters as Record<string, string>)}` : null
}
