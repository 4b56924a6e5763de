import { theDayComes } from '../../../e2e/kit/database.ts'
import { onServer } from '../../../e2e/kit/onsite-rows.ts'
import type { Team } from '../../../e2e/kit/team.ts'

/** A team's first visit, moved to this half-hour or so many minutes before; `here` is the screen where it is carried out. */
export async function visitToday({ folios: [folio] }: Team, earlier = 0) {
  await theDayComes(folio, earlier)
  const { id } = await onServer(folio)
  return { folio, id, here: `/admin/appointments-pending/${id}` }
}
