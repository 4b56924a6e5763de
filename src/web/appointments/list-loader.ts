import type { RouterContextProvider } from 'react-router'
import { type listPending, yearsWithAppointments } from '../../server/appointments/queries.ts'
import { db } from '../../server/context.ts'
import { someone } from '../someone.ts'
import { filtersOf, firstPage, nextPage } from './list-filters.ts'

type Asked = { context: Readonly<RouterContextProvider>; url: URL }

/** A page of one of the lists under the filters of its address, as this person may see it. */
export async function loadList({ context, url }: Asked, list: typeof listPending) {
  const [database, actor, filters] = [context.get(db), someone(context), filtersOf(url)]
  const [page, years] = await Promise.all([
    list(database, actor, filters),
    yearsWithAppointments(database, actor),
  ])
  return {
    ...page,
    filters,
    years,
    kind: actor.kind,
    first: firstPage(filters),
    next: nextPage(filters, page.next),
  }
}
