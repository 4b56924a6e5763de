import type { Actor } from '../../domain/access/actor.ts'
import { type ClientStage, clientStages } from '../../domain/agencies/clients.ts'
import { clientsByStage } from '../../server/agencies/list.ts'
import { commissionMonths } from '../../server/agencies/sums.ts'
import type { Db } from '../../server/platform/database/database.ts'
import { listPath } from '../agencies/list-query.ts'
import { listQuery } from '../lib/lists.tsx'
import { figure } from './desk-loader.ts'

/** What an ally's home says of their agency: its clients by stage, and its commissions in sums. Null for everybody else. */
export async function loadAlly(db: Db, actor: Actor, now: Date) {
  if (actor.kind !== 'alliate' || !actor.agencyId) return null
  const [stages, { sums }] = await Promise.all([
    clientsByStage(db, actor.agencyId, now),
    commissionMonths(db, actor, actor.agencyId),
  ])
  const rows = clientStages.map((stage) => ({ stage, count: stages[stage], to: stagePath(stage) }))
  return {
    agencyId: actor.agencyId,
    sums,
    stages: rows.filter(({ count }) => count > 0),
    figures: [
      figure(
        'Clientes',
        listPath,
        rows.reduce((sum, { count }) => sum + count, 0),
      ),
    ],
  }
}

export type AllyBlocks = NonNullable<Awaited<ReturnType<typeof loadAlly>>>

const stagePath = (stage: ClientStage) => `${listPath}${listQuery({ stage })}`
