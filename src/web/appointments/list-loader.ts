import type { RouterContextProvider } from 'react-router'
import type { listPending } from '../../server/appointments/lists.ts'
import { db } from '../../server/context.ts'
import { someone } from '../someone.ts'
import { filtersOf, firstPage, nextPage } from './list-filters.ts'

type Asked = { context: Readonly<RouterContextProvider>; url: URL }

/** A page of one of the lists under the filters of its address, as this person may see it. */
export async function loadList({ context, url }: Asked, list: typeof listPending) {
  const [database, actor, filters] = [context.get(db), someone(context), filtersOf(url)]
  const page = await list(database, actor, filters)
  return {
    ...page,
    filters,
    kind: actor.kind,
    first: firstPage(filters),
    next: nextPage(filters, page.next),
  }
}
