import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { World } from '../../kit/world.ts'
import { storeInstallation } from '../../reports/installed.ts'
import type { Cast } from '../cast.ts'
import { homeOf } from './own-appointments.ts'
import { type Action, customers } from './shape.ts'

const page = '/installation'

/** An installation of the customer's under warranty, nothing reported of it. */
async function installed(world: World, { customer, technician }: Cast) {
  const { visit } = await storeInstallation(world, customer, technician, {}, await homeOf(world, customer))
  await world.db.execute(sql`update faults set closed_at = now() where closed_at is null`)
  return { appointmentId: visit.id, faultId: randomUUID(), photoId: randomUUID() }
}

/** What a customer sends about a fault. */
export const faultForms: readonly Action[] = [
  {
    name: 'report-fault',
    async attempt(world, cast) {
      const description = 'Ya no carga desde ayer.'
      return { path: page, form: { intent: 'report-fault', ...(await installed(world, cast)), description } }
    },
    // For anybody else the installation does not exist.
    hears: { customer2: 404 },
    may: { customer: 303 },
  },
  {
    name: 'add-fault-photo',
    async attempt(world, cast) {
      return { path: page, form: { intent: 'add-fault-photo', ...(await installed(world, cast)) } }
    },
    // Nothing is sent but words.
    hears: customers(400),
  },
]
