import type { Actor } from '../../domain/access/actor.ts'
import type { Address } from '../../domain/projects/schema.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { takeOver } from '../accounts/take-over.ts'
import { record } from '../platform/database/changes.ts'
import { type Db, transaction } from '../platform/database/database.ts'
import { addresses } from '../platform/database/schema/project-schema.ts'
import { announce } from '../platform/live/announcements.ts'
import { activeCustomer } from '../users/active-customer.ts'
import { followArea } from './changes.ts'
import { heldProject } from './projects-changes.ts'
import { demandQuotedHome } from './quoted-home.ts'

/** The manager writes down the address of a customer who calls and has given none. */
export async function giveAddress(
  db: Db,
  actor: Actor,
  customerId: string,
  address: Address,
  now: Date,
): Promise<void> {
  const customer = await activeCustomer(db, actor, customerId)
  await transaction(db, async (tx) => {
    await takeOver(tx, customerId, actor.id, now)
    const projectId = await heldProject(tx, customer, actor.id)
    await demandQuotedHome(tx, projectId, address)
    const [saved] = await tx
      .insert(addresses)
      .values({ ...address, projectId })
      .onConflictDoNothing()
      .returning({ id: addresses.id })
    if (!saved) refuse('aborted', 'Este cliente ya tiene domicilio.')
    const data = { postalCode: address.postalCode, area: address.area }
    await record(tx, { entity: 'address', entityId: saved.id, actorId: actor.id, name: 'create', data })
    await followArea(tx, customer, { ...address, projectId }, now)
  })
  announce(db, { people: [customerId] })
}
