import { codesToApprove, listCodes } from '../../server/agencies/codes-queries.ts'
import { pageLinks, readFilters } from '../lib/lists.tsx'
import type { PartAsked } from './agency-part.ts'
import { codeFilters } from './code-filters.tsx'

/** What ?seccion=codigos shows: the codes of the agency's allies, and for who edits agencies those that wait for a yes. */
export async function loadCodes({ actor, agency: { id, terms }, db, now, url }: PartAsked) {
  const { after, filters } = readFilters(codeFilters, url)
  const [{ next, rows, total }, waiting] = await Promise.all([
    listCodes(db, actor, id, { ...filters, ...(after && { after }) }, now),
    terms ? codesToApprove(db, actor, id, now) : [],
  ])
  return {
    ...{ rows, total, waiting, filters },
    canDecide: terms !== null,
    ...pageLinks({ seccion: 'codigos', ...filters }, after, next),
  }
}
