import { codesToApprove, listCodes } from '../../server/codes/queries.ts'
import { filtersOf, pageAddress } from '../codes/list-filters.ts'
import type { PartAsked } from './agency-part.ts'

/** What ?seccion=codigos shows: the codes of the agency's allies, and for who edits agencies those that wait for a yes. */
export async function loadCodes({ actor, agency: { id, terms }, db, now, url }: PartAsked) {
  const filters = filtersOf(url)
  const kept = { seccion: 'codigos' }
  const [{ next, rows, total }, waiting] = await Promise.all([
    listCodes(db, actor, id, filters, now),
    terms ? codesToApprove(db, actor, id, now) : [],
  ])
  const { after, ...narrowing } = filters
  return {
    ...{ rows, total, waiting, filters: narrowing },
    canDecide: terms !== null,
    first: after ? pageAddress(filters, undefined, kept) : null,
    next: next && pageAddress(filters, next, kept),
  }
}
