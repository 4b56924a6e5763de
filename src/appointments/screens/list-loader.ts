import type { RouterContextProvider } from 'react-router'
import type { Actor } from '../../access/rules/actor.ts'
import { listsDb } from '../../app/context.ts'
import { aDate } from '../../kit/list/filter-chips.tsx'
import {
  aMonth,
  anId,
  anOrder,
  aYear,
  matching,
  oneOf,
  pageLinks,
  readFilters,
  searched,
} from '../../kit/list/lists.tsx'
import { requireActor } from '../../kit/require-actor.ts'
import { currentStaffing } from '../../scheduling/roster.ts'
import { managesSchedule } from '../../scheduling/rules/roster.ts'
import { isMunicipality } from '../../shared/places.ts'
import { bySpanish } from '../../shared/text.ts'
import { viewsOf } from '../../users/saved-views.ts'
import { listDone, listPending } from '../lists.ts'
import { appointmentStates, services } from '../rules/appointment.ts'
import {
  countedBy,
  filtersFor,
  type ListName,
  mayNarrowBy,
  noPerson,
  viewNames,
  viewsFor,
} from '../rules/list.ts'

const filterSchema = {
  month: aMonth,
  year: aYear,
  day: aDate,
  from: aDate,
  to: aDate,
  view: oneOf(viewNames),
  service: oneOf(services),
  state: oneOf(appointmentStates),
  zone: (text: string) => (isMunicipality(text) ? text : undefined),
  person: (text: string) => (text === noPerson ? text : anId(text)),
  text: searched(),
  order: anOrder,
}

/** The filters of an address, and the place in the list: a start and an id. */
export const appointmentFiltersOf = (url: URL) => readFilters(filterSchema, url, matching(/^.{1,60}$/))

/** Whether an address narrows one of the lists for this person, or leads further into it than its first page. */
export function isNarrowed(url: URL, list: ListName, { kind }: Actor): boolean {
  const { after, filters } = appointmentFiltersOf(url)
  return after !== undefined || Object.keys(filtersFor(list, kind ?? 'gester', filters)).length > 0
}

type Asked = { context: Readonly<RouterContextProvider>; url: URL }

const byName = <Person extends { name: string }>(people: readonly Person[]) =>
  people.toSorted((a, b) => bySpanish(a.name, b.name))

const lists: Record<ListName, typeof listPending> = { pending: listPending, done: listDone }

/** A page of one of the lists under the filters of its address, as this person may see it. */
export async function loadList({ context, url }: Asked, list: ListName) {
  const [database, actor] = [await context.get(listsDb)(), requireActor(context)]
  const { after, filters: asked, place } = appointmentFiltersOf(url)
  const kind = actor.kind ?? 'gester'
  const filters = filtersFor(list, kind, asked)
  const narrowsByPerson = mayNarrowBy('person', kind)
  const [page, staffing, saved] = await Promise.all([
    lists[list](database, actor, { ...filters, ...(after && { after }) }, new Date()),
    narrowsByPerson ? currentStaffing(database) : null,
    viewsOf(database, actor, list),
  ])
  return {
    ...page,
    now: new Date(),
    list,
    filters,
    saved,
    kind,
    views: viewsFor(list, kind).filter((name) => name === filters.view || !countedBy(name)),
    narrowsByZone: mayNarrowBy('zone', kind),
    people: staffing && byName(staffing.people),
    // Those who left are in the filter, and are given nothing more.
    assignable:
      staffing && list === 'pending' && managesSchedule({ kind })
        ? byName(staffing.people.filter((_, n) => staffing.roster.active[n]))
        : null,
    pages: pageLinks(filters, place, page.next),
  }
}
