import { randomUUID } from 'node:crypto'
import { commissions } from '../../../src/server/platform/database/schema/agencies.ts'
import { agree, earn } from '../../kit/agencies.ts'
import { setIn } from '../../kit/reading.ts'
import type { World } from '../../kit/world.ts'
import type { Cast } from '../cast.ts'
import type { Action } from './shape.ts'

/** A commission of the ally's agency, whose terms are an amount whatever else asked before. */
async function earned(world: World, { ally }: Cast, isPayable = false) {
  const agencyId = ally.agencyId!
  await agree(world, agencyId, { commissionKind: 'amount', commissionValue: 500_00 })
  const { row } = await earn(world, { agencyId, isPaid: false })
  if (isPayable) await setIn(world, commissions, row, { state: 'approved', approvedAt: new Date() })
  return { id: row.id, path: `/admin/agency/${agencyId}/comisiones` }
}

/** What the manager does about commissions: an ally of the agency may not, and one of another doesn't know it. */
export const commissionForms: readonly Action[] = [
  {
    name: 'commissions.adjust',
    async attempt(world, cast) {
      const { id, path } = await earned(world, cast)
      const shown = { commissionId: id, standing: '50000', month: '2026-11', requestKey: randomUUID() }
      return { path, form: { intent: 'commissions.adjust', amount: '10', reason: 'Sobra.', ...shown } }
    },
    hears: { ally2: 404 },
    may: { manager: 303 },
  },
  {
    name: 'commissions.pay',
    // Nothing is sent but words: its file is missing.
    async attempt(world, cast) {
      const { id, path } = await earned(world, cast, true)
      const transfer = { amount: '500', paidOn: '2026-11-20', reference: 'SPEI 1', requestKey: randomUUID() }
      return { path, form: { intent: 'commissions.pay', [`line.${id}`]: '50000', ...transfer } }
    },
    hears: { ally2: 404, manager: 400 },
  },
]
