import type { Actor } from '../../domain/access/actor.ts'
import { figureMonths, type PipelinePart, partsFor } from '../../domain/projects/pipeline.ts'
import { stages, type Waiting, waitingLabels } from '../../domain/projects/project.ts'
import { localDate, toMinutes } from '../../domain/shared/calendar.ts'
import { anId, oneOf, searched } from '../lib/lists.tsx'

export const projectFilters = {
  stage: oneOf(stages),
  turn: oneOf(Object.keys(waitingLabels) as Waiting[]),
  agency: anId,
  text: searched(),
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
