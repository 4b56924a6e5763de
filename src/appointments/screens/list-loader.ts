import type { Actor } from '../../access/rules/actor.ts'
import { readList } from '../../kit/list/filters.ts'
import { type LoaderContext, requestOf, signedIn } from '../../kit/request.ts'
import { currentStaffing } from '../../scheduling/roster.ts'
import { managesSchedule } from '../../scheduling/rules/roster.ts'
import { bySpanish } from '../../shared/text.ts'
import { viewsOf } from '../../users/saved-views.ts'
import { listDone, listPending } from '../lists.ts'
import { countedBy, filtersFor, type ListName, mayNarrowBy, viewsFor } from '../rules/list.ts'
import { appointmentLists } from './appointment-list.tsx'

/** What an address asks of one of the lists, as a person may narrow it. */
const askedOf = (url: URL, list: ListName, { kind }: Actor, now: Date) =>
  readList(appointmentLists[list], url, now, (filters) => filtersFor(list, kind ?? 'gester', filters))

/** Whether an address narrows one of the lists for this person, or leads further into it than its first page. */
export function isNarrowed(url: URL, list: ListName, actor: Actor, now: Date): boolean {
  return Object.keys(askedOf(url, list, actor, now).asked).length > 0
}

type Asked = { context: LoaderContext; url: URL }

const byName = <Person extends { name: string }>(people: readonly Person[]) =>
  people.toSorted((a, b) => bySpanish(a.name, b.name))

const lists: Record<ListName, typeof listPending> = { pending: listPending, done: listDone }

/** A page of one of the lists under the filters of its address, as this person may see it. */
export async function loadList({ context, url }: Asked, list: ListName) {
  const db = await requestOf(context).lists()
  const { actor, now } = signedIn(context)
  const { asked, filters, page } = askedOf(url, list, actor, now)
  const kind = actor.kind ?? 'gester'
  const [appointments, staffing, saved] = await Promise.all([
    lists[list](db, actor, asked, now),
    mayNarrowBy('person', kind) ? currentStaffing(db) : null,
    viewsOf(db, actor, list),
  ])
  return {
    ...page(appointments),
    now,
    list,
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
  }
}
