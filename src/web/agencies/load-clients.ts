import { editsAgencies } from '../../domain/agencies/agency.ts'
import { orRefuse } from '../../domain/shared/refusal.ts'
import { calledBy } from '../../domain/users/user.ts'
import { holdersOf } from '../../server/agencies/hand-over.ts'
import { clientsByStage, listClients } from '../../server/agencies/list.ts'
import { clientOptions } from '../../server/agencies/options.ts'
import { readAllies } from '../../server/users/store.ts'
import { pageLinks, readFilters } from '../lib/lists.tsx'
import type { PartAsked } from './agency-part.ts'
import { clientFilters } from './list-query.ts'

/** What ?seccion=clientes shows: how many at each stage; to whoever edits agencies also who they are, and who holds them. */
export async function loadClients(asked: PartAsked) {
  const { actor, agency, db, now } = asked
  const stages = await clientsByStage(db, agency.id, now)
  return {
    now,
    stages,
    isAlly: actor.kind === 'alliate',
    managed: editsAgencies(actor) ? await managed(asked) : null,
  }
}

async function managed({ actor, agency: { id }, db, now, url }: PartAsked) {
  const { after, filters } = readFilters(clientFilters, url)
  const [{ next, ...page }, options, holders, allies] = await Promise.all([
    listClients(db, actor, id, { ...filters, ...(after && { after }) }, now),
    clientOptions(db, actor, id),
    holdersOf(db, id),
    readAllies(db, actor, id).then(orRefuse),
  ])
  const takers = allies.filter(({ active }) => active).map((ally) => ({ id: ally.uid, name: calledBy(ally) }))
  const pages = pageLinks({ seccion: 'clientes', ...filters }, after, next)
  return { ...page, ...pages, filters, options, holders, takers }
}
