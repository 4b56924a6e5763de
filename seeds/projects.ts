import type { Tx } from '../src/server/platform/database/client.ts'
import { addresses, events, projects } from '../src/server/platform/database/schema/projects.ts'
import type { DemoCustomer } from './customers.ts'
import type { DemoVisit } from './visits.ts'

/** A customer of the demo world: when the account was created, and its project. */
export type Arrival = {
  /** Their position in the list of customers with a visit. */
  of: number
  customer: DemoCustomer
  joined: Date
  visits: readonly DemoVisit[]
  ofAgency: boolean
}
export type Rooted = { customerId: string; projectId: string }

/** A project with an address for every customer, with its history; in the order given. */
export async function writeProjects(
  tx: Tx,
  arrivals: readonly Arrival[],
  { agencyId, ids }: { agencyId: string; ids: ReadonlyMap<string, string> },
): Promise<Rooted[]> {
  const rows = arrivals.map(({ customer, joined, ofAgency }) => ({
    customerId: ids.get(customer.email)!,
    agencyId: ofAgency ? agencyId : null,
    createdAt: joined,
    updatedAt: joined,
  }))
  const made = await tx.insert(projects).values(rows).returning({ id: projects.id })
  const rooted = made.map(({ id }, n) => ({ projectId: id, customerId: rows[n]!.customerId }))
  await tx.insert(addresses).values(
    arrivals.map(({ customer, joined }, n) => {
      return { ...customer.address, projectId: rooted[n]!.projectId, createdAt: joined, updatedAt: joined }
    }),
  )
  await tx.insert(events).values(
    rooted.map(({ customerId, projectId }, n) => {
      const at = arrivals[n]!.joined
      return { entity: 'project', entityId: projectId, actorId: customerId, name: 'open', at }
    }),
  )
  return rooted
}
