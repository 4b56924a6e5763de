import { editsAgencies } from '../../domain/agencies/agency.ts'
import { orRefuse } from '../../domain/shared/refusal.ts'
import { calledBy } from '../../domain/users/user.ts'
import { signedInAllies } from '../../server/agencies/agencies-queries.ts'
import { historyOf } from '../../server/platform/database/queries.ts'
import { readAllies } from '../../server/users/store.ts'
import type { PartAsked } from './agency-part.ts'

/** What ?seccion=datos shows: what an agency is, its people, and to whoever edits it what became of it. */
export async function loadDetails({ db, actor, agency, now }: PartAsked) {
  const canEdit = editsAgencies(actor)
  const [allies, events, signedIn] = await Promise.all([
    loadAllies({ db, actor, agency }),
    canEdit ? historyOf(db, 'agency', agency.id) : [],
    canEdit ? signedInAllies(db, agency.id, now) : 0,
  ])
  return { allies, events, signedIn, canEdit }
}

/** Who sells for an agency. */
export async function loadAllies({ db, actor, agency }: Pick<PartAsked, 'db' | 'actor' | 'agency'>) {
  const allies = await readAllies(db, actor, agency.id).then(orRefuse)
  return allies.map((ally) => ({ id: ally.uid, name: calledBy(ally), active: ally.active }))
}
