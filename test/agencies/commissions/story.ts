import { randomUUID } from 'node:crypto'
import { asc, eq } from 'drizzle-orm'
import { totalsOf } from '../../../src/domain/quotes/totals.ts'
import {
  commissionFor,
  type Paying,
  payCommissions,
} from '../../../src/server/agencies/commission-commands.ts'
import { recordPayment } from '../../../src/server/payments/record-payment.ts'
import { transaction } from '../../../src/server/platform/database/client.ts'
import { commissionPayouts, commissions } from '../../../src/server/platform/database/schema/agencies.ts'
import { agencies } from '../../../src/server/platform/database/schema/projects.ts'
import { storeVisit } from '../../appointments/story.ts'
import { fileOf, pdf } from '../../documents/samples.ts'
import type { Person } from '../../kit/people.ts'
import type { World } from '../../kit/world.ts'
import { storeAccepted } from '../../payments/story.ts'
import { content, line, option } from '../../quotes/story.ts'

export const day = 24 * 3_600_000

export type Terms = { commissionKind: 'percent' | 'amount'; commissionValue: number }

/** What an agency is paid from now on. */
export const agree = ({ db }: Pick<World, 'db'>, agencyId: string, terms: Terms) =>
  db.update(agencies).set(terms).where(eq(agencies.id, agencyId))

type Sold = { finishedAt?: Date; net?: number; agencyId?: string | undefined }

/** A customer with an accepted quote of so many centavos without IVA, and its installation finished, of an agency or none. */
export async function sell(world: World, { agencyId, finishedAt = new Date(), net = 12_345_67 }: Sold) {
  const customer = await world.person({ name: 'Camila' })
  const home = await world.home(customer, {}, agencyId)
  const lines = [line('obra', { unitPrice: net * 100 })]
  const { total } = totalsOf(lines)
  const quote = await storeAccepted(world, customer, home, {
    content: content({ options: [option('recommended', { lines })] }),
    ...{ acceptedTotal: total, depositAmount: 0, acceptedAt: new Date(finishedAt.getTime() - 5 * day) },
  })
  const installation = await installed(world, customer, home, finishedAt)
  return { customer, home, quote, installation, total, projectId: home.projectId }
}

export const installed = (
  world: World,
  customer: Person,
  home: Parameters<typeof storeVisit>[2],
  finishedAt: Date,
) =>
  storeVisit(world, customer, home, finishedAt, {
    ...{ service: 'installation', state: 'done', outcome: 'completed', finishedAt },
  })

/** The same with what the agency earned, its customer's money in when it is `paid`. */
export async function earn(world: World, { isPaid = true, ...sold }: Sold & { isPaid?: boolean }) {
  const sale = await sell(world, sold)
  await transaction(world.db, (tx) => commissionFor(tx, sale.installation.id))
  if (isPaid) await payWhole(world, sale)
  const [row] = await world.db
    .select()
    .from(commissions)
    .where(eq(commissions.appointmentId, sale.installation.id))
  return { ...sale, row: row! }
}

/** Their customer pays all of it. */
export const payWhole = (world: World, { projectId, total }: { projectId: string; total: number }) =>
  transaction(world.db, (tx) =>
    recordPayment(
      tx,
      { projectId, paymentId: null, amount: total, method: 'cash', actorId: null, paidAt: new Date() },
      new Date(),
    ),
  )

export const rowsOf = ({ db }: Pick<World, 'db'>, agencyId: string) =>
  db
    .select()
    .from(commissions)
    .where(eq(commissions.agencyId, agencyId))
    .orderBy(asc(commissions.earnedAt), asc(commissions.id))

export const payoutsIn = ({ db }: Pick<World, 'db'>, agencyId: string) =>
  db.select().from(commissionPayouts).where(eq(commissionPayouts.agencyId, agencyId))

/** Pays some lines of an agency, as the form of its page does; `amount` is their sum unless told otherwise. */
export function pay(
  world: World,
  manager: Person,
  agencyId: string,
  lines: Record<string, number>,
  wish: Partial<Paying> = {},
): Promise<string> {
  const amount = Object.values(lines).reduce((a, b) => a + b, 0)
  const form = { lines: new Map(Object.entries(lines)), amount, paidOn: '2026-11-20', reference: 'SPEI 1' }
  const file = fileOf(pdf(), 'comprobante.pdf')
  return payCommissions(world.db, world.drive, manager.actor, agencyId, {
    ...{ ...form, file, requestKey: randomUUID() },
    ...wish,
  })
}
