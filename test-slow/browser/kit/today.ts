import type { Crew } from '../../../e2e/kit/crew.ts'
import { theDayComes } from '../../../e2e/kit/database.ts'
import { onServer } from '../../../e2e/kit/onsite-rows.ts'

/** A crew's first visit, moved to this half-hour or so many minutes before; `here` is the screen where it is carried out. */
export async function visitToday({ folios: [folio] }: Crew, earlier = 0) {
  await theDayComes(folio, earlier)
  const { id } = await onServer(folio)
  return { folio, id, here: `/admin/appointments-pending/${id}` }
}
