import type { RouterContextProvider } from 'react-router'
import { filtersFor, type ListName, mayNarrowBy, viewsFor } from '../../domain/appointments/list.ts'
import { bySpanish } from '../../domain/shared/text.ts'
import { db } from '../../server/app/context.ts'
import { listDone, listPending } from '../../server/appointments/lists.ts'
import { currentStaffing } from '../../server/scheduling/roster.ts'
import { pageLinks } from '../lib/lists.tsx'
import { requireActor } from '../lib/require-actor.ts'
import { appointmentFiltersOf } from './list-query.ts'

type Asked = { context: Readonly<RouterContextProvider>; url: URL }

const lists: Record<ListName, typeof listPending> = { pending: listPending, done: listDone }

/** A page of one of the lists under the filters of its address, as this person may see it. */
export async function loadList({ context, url }: Asked, list: ListName) {
  const [database, actor] = [context.get(db), requireActor(context)]
  const { after, filters: asked } = appointmentFiltersOf(url)
  const kind = actor.kind ?? 'gester'
  const filters = filtersFor(list, kind, asked)
  const narrowsByPerson = mayNarrowBy('person', kind)
  const [page, staffing] = await Promise.all([
    lists[list](database, actor, { ...filters, ...(after && { after }) }, new Date()),
    narrowsByPerson ? currentStaffing(database) : null,
  ])
  return {
    ...page,
    now: new Date(),
    list,
    filters,
    kind,
    views: viewsFor(list, kind),
    narrowsByZone: mayNarrowBy('zone', kind),
    people: staffing?.people.toSorted((a, b) => bySpanish(a.name, b.name)) ?? null,
    ...pageLinks(filters, after, page.next),
  }
}
