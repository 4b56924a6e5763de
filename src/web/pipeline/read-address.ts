import { z } from 'zod'
import type { Actor } from '../../domain/actor.ts'
import { localDate, toMinutes } from '../../domain/calendar.ts'
import { figureMonths, type PipelinePart, type ProjectFilters, partsFor } from '../../domain/pipeline.ts'
import { stages, type Waiting, waitingLabels } from '../../domain/project.ts'
import { tidy } from '../../domain/tidy.ts'

const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined)

const query = z.object({
  stage: maybe(z.enum(stages)),
  turn: maybe(z.enum(Object.keys(waitingLabels) as Waiting[])),
  agency: maybe(z.uuid()),
  text: maybe(z.preprocess(tidy, z.string().min(1).max(100))),
  after: maybe(z.uuid()),
})

/** The filters of an address, and the place in the list; what makes no sense is left out, never an error. */
export function filtersOf(url: URL): { filters: ProjectFilters; after: string | undefined } {
  const { after, ...sent } = query.parse(Object.fromEntries(url.searchParams))
  const filters = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
  return { filters, after }
}

/** The part of the page that an address asks for, of those that somebody finds. */
export function partOf(url: URL, actor: Pick<Actor, 'kind'>): PipelinePart {
  const asked = url.searchParams.get('parte')
  return partsFor(actor).find((part) => part === asked) ?? 'lista'
}

/** The months of which an address asks for figures. */
export function periodOf(url: URL, now: Date) {
  const asked = url.searchParams.get('periodo') ?? ''
  const year = /^20\d\d$/.test(asked) ? asked : null
  return { year, months: figureMonths(year, localDate(toMinutes(now))) }
}
