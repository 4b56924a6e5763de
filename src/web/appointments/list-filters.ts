import { z } from 'zod'
import { appointmentStates } from '../../domain/appointment.ts'
import { type ListFilters, viewNames } from '../../domain/appointment-list.ts'
import { isMunicipality } from '../../domain/regions.ts'
import { services } from '../../domain/services.ts'
import { tidy } from '../../domain/tidy.ts'
import type { Filters } from '../../server/appointments/lists.ts'
import { queryOf } from './list-query.ts'

const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined)

const query = z.object({
  month: maybe(z.string().regex(/^([0-9]|1[01])$/)),
  year: maybe(z.string().regex(/^(19|20)\d\d$/)),
  day: maybe(z.iso.date().regex(/^(19|20)/)),
  view: maybe(z.enum(viewNames)),
  service: maybe(z.enum(services)),
  state: maybe(z.enum(appointmentStates)),
  zone: maybe(z.string().refine(isMunicipality)),
  person: maybe(z.uuid()),
  text: maybe(z.preprocess(tidy, z.string().min(1).max(100))),
  after: maybe(z.string().max(60)),
})

/** The filters that an address holds; what makes no sense is left out, never an error. */
export const filtersOf = (url: URL): Filters =>
  Object.fromEntries(
    Object.entries(query.parse(Object.fromEntries(url.searchParams))).filter(
      ([, value]) => value !== undefined,
    ),
  )

/** The address of the next page under the same filters. */
export const nextPage = (filters: Filters, after: string | null): string | null =>
  after ? queryOf({ ...filters, after }) : null

/** The address of the first page under the same filters; null when it is the one shown. */
export const firstPage = ({ after, ...filters }: Filters): string | null =>
  after ? queryOf(filters) || '?' : null

/** The filters without the place in their list. */
export const withoutPlace = ({ after, ...filters }: Filters): ListFilters => filters
