import { eq } from 'drizzle-orm'
import { noModules } from '../../../src/access/rules/routes.ts'
import { refreshClients } from '../../../src/customers/clients.ts'
import { leadingStatuses, overviewOf, projectStatusesOf } from '../../../src/customers/overview.ts'
import { appointments, faults, sheets } from '../../../src/platform/database/schema/appointments.ts'
import { acceptQuote } from '../../../src/quotes/accept.ts'
import { clientOf, clientTrailOf, joined } from '../../kit/agencies.ts'
import { hour, storeVisit, visitAtHome } from '../../kit/appointments.ts'
import {
  ally,
  db,
  fixture,
  fromNow,
  manager,
  newHome,
  newPerson,
  openOnce,
  people,
  runSql,
  sendJobsOnce,
  setRow,
  storeRows,
  technician,
} from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { storeSent, visited } from '../../kit/quotes.ts'

openOnce()
sendJobsOnce()

const now = () => new Date()
const requested = { state: 'requested', confirmedAt: null } as const
const later = (hours: number) => fromNow(hours * hour)

/** Customers at each stage, and whose turn it is there. */
async function everywhere(): Promise<[Person, stage: string][]> {
  const { analyst: maker } = people
  const made: [Person, string][] = []
  const add = async (stage: string, arrange: (customer: Person) => Promise<unknown>) => {
    const customer = await newPerson()
    await arrange(customer)
    made.push([customer, stage])
  }
  const installed = async (customer: Person) =>
    visitAtHome(customer, later(-40), {
      service: 'installation',
      minutes: 240,
      state: 'done',
      outcome: 'completed',
      assigneeId: technician.id,
    })
  await add('without a home', async () => {})
  await add('with a home', (customer) => newHome(customer))
  await add('with a visit requested', async (customer) => visitAtHome(customer, later(30), requested))
  await add('with a report in review', async (customer) => {
    const visit = await visited(customer, technician)
    await db.update(sheets).set({ state: 'submitted' }).where(eq(sheets.appointmentId, visit.id))
  })
  await add('with a home that is not viable', (customer) =>
    visited(customer, technician, undefined, {
      feasibility: 'not_viable',
      feasibilityReason: 'Sin espacio en el tablero.',
    }),
  )
  await add('with a quote', (customer) => storeSent({ customer, technician, maker }))
  await add('with an accepted quote', async (customer) => {
    const { digest, id } = await storeSent({ customer, technician, maker })
    const input = { version: 2, digest: digest!, option: 'essential', addOns: [], name: 'C', ip: '' }
    await acceptQuote(db, customer.actor, id, input, now())
  })
  await add('installed', installed)
  await add('with a fault', async (customer) => {
    const { id: appointmentId } = await installed(customer)
    const { id } = customer
    await storeRows(faults, { id, appointmentId, customerId: id, description: 'No carga.' })
  })
  return made
}

test('clients listed together have the stage and turn that their own pages show', async () => {
  const all = await everywhere()
  const together = leadingStatuses(
    await projectStatusesOf(
      db,
      all.map(([{ id }]) => id),
      now(),
    ),
  )
  const stages = new Set<string>()
  for (const [{ actor, id }, where] of all) {
    const { since, stage, waitingOn } = await overviewOf(db, actor, now(), noModules)
    const listed = together.get(id)!
    expect([where, listed.stage, listed.waitingOn]).toEqual([where, stage, waitingOn])
    expect([where, listed.since]).toEqual([where, since])
    stages.add(`${stage} ${waitingOn}`)
  }
  expect(stages.size).toBe(8)
})

test('a change of stage is recorded once with an event, a change of turn only in the row', async () => {
  const customer = await newPerson()
  const id = await joined(customer, ally)
  await refreshClients(db, now())
  expect(await clientOf(id)).toMatchObject({ stage: 'intake', waitingOn: 'customer' })
  const visit = await storeVisit(fixture, customer, await newHome(customer), later(30), requested)
  await refreshClients(db, now(), { agencyId: ally.agencyId! })
  expect(await clientOf(id)).toMatchObject({ stage: 'visit', waitingOn: 'manager' })
  const assigned = { state: 'assigned', assigneeId: technician.id, confirmedAt: now() } as const
  await setRow(appointments, visit, assigned)
  await refreshClients(db, now())
  expect(await clientOf(id)).toMatchObject({ stage: 'visit', waitingOn: 'technician' })
  expect(await clientTrailOf(id)).toEqual(['stage invited intake', 'stage intake visit'])
  // Another agency's refresh leaves it alone.
  await setRow(appointments, visit, { state: 'cancelled' })
  await refreshClients(db, now(), { agencyId: manager.id })
  expect((await clientOf(id)).stage).toBe('visit')
})

test('concurrent refreshes and changes end at the stage of the project, with consecutive events', async () => {
  const customer = await newPerson()
  const id = await joined(customer, ally)
  const at = await visitAtHome(customer, later(50), requested)
  for (const state of ['cancelled', 'requested', 'cancelled', 'requested', 'cancelled'] as const)
    await Promise.all([
      setRow(appointments, at, { state }),
      ...Array.from({ length: 6 }, () => refreshClients(db, now())),
    ])
  await refreshClients(db, now())
  expect(await clientOf(id)).toMatchObject({ stage: 'intake', waitingOn: 'customer' })
  const moves = (await clientTrailOf(id)).map((line) => line.split(' ').slice(1))
  for (const [n, [from]] of moves.entries()) expect(from).toBe(moves[n - 1]?.[1] ?? 'invited')
})

test('a queue full of one customer does not hold up another', async () => {
  const busy = await newPerson()
  const last = await newPerson()
  await joined(busy, ally)
  await runSql`insert into stage_checks (customer_id) select ${busy.id}::uuid from generate_series(1, 200)`
  const id = await joined(last, ally)
  await refreshClients(db, now(), { agencyId: ally.agencyId! })
  expect((await clientOf(id)).stage).toBe('intake')
})
