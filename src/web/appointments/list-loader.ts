import type { RouterContextProvider } from 'react-router'
import { filtersFor, type ListName, mayNarrowBy, viewsFor } from '../../domain/appointment-list.ts'
import { bySpanish } from '../../domain/collation.ts'
import { listDone, listPending } from '../../server/appointments/lists.ts'
import { db } from '../../server/context.ts'
import { currentStaffing } from '../../server/scheduling/roster.ts'
import { someone } from '../someone.ts'
import { filtersOf, firstPage, nextPage, withoutPlace } from './list-filters.ts'

type Asked = { context: Readonly<RouterContextProvider>; url: URL }

const lists: Record<ListName, typeof listPending> = { pending: listPending, done: listDone }

/** A page of one of the lists under the filters of its address, as this person may see it. */
export async function loadList({ context, url }: Asked, list: ListName) {
  const [database, actor, asked] = [context.get(db), someone(context), filtersOf(url)]
  const kind = actor.kind ?? 'gester'
  const filters = {
    ...filtersFor(list, kind, withoutPlace(asked)),
    ...(asked.after && { after: asked.after }),
  }
  const narrowsByPerson = mayNarrowBy('person', kind)
  const [page, staffing] = await Promise.all([
    lists[list](database, actor, filters, new Date()),
    narrowsByPerson ? currentStaffing(database) : null,
  ])
  return {
    ...page,
    now: new Date(),
    list,
    filters: withoutPlace(filters),
    kind,
    views: viewsFor(list, kind),
    narrowsByZone: mayNarrowBy('zone', kind),
    people: staffing?.people.toSorted((a, b) => bySpanish(a.name, b.name)) ?? null,
    first: firstPage(filters),
    next: nextPage(filters, page.next),
  }
}
