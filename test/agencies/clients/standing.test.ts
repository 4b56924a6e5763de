import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { noModules } from '../../../src/domain/access/routes.ts'
import { refreshClients } from '../../../src/server/agencies/clients.ts'
import { appointments, faults } from '../../../src/server/platform/database/schema/appointments.ts'
import { leadingStatuses, overviewOf, projectStatusesOf } from '../../../src/server/projects/overview.ts'
import { acceptQuote } from '../../../src/server/quotes/accept.ts'
import { clientOf, clientTrailOf, joined } from '../../kit/agencies.ts'
import { hour, storeVisit } from '../../kit/appointments.ts'
import { openOnce, people, sendJobsOnce, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { storeSent, visited } from '../../kit/quotes.ts'

openOnce()
sendJobsOnce()

const now = () => new Date()
const later = (hours: number) => new Date(Date.now() + hours * hour)

/** Customers, each somewhere else on the way, by where they are. */
async function everywhere(): Promise<Record<string, Person>> {
  const person = () => world.person()
  const { analyst: maker, technician } = people
  const [none, home, asked, inReview, notViable, offered, accepted, installed, faulty] = await Promise.all(
    Array.from({ length: 9 }, person),
  )
  await world.home(home!)
  await storeVisit(world, asked!, await world.home(asked!), later(30), {
    state: 'requested',
    confirmedAt: null,
  })
  const visit = await visited(world, inReview!, technician)
  await world.db.execute(sql`update sheets set state = 'submitted' where appointment_id = ${visit.id}`)
  await visited(world, notViable!, technician, undefined, {
    feasibility: 'not_viable',
    feasibilityReason: 'Sin espacio en el tablero.',
  })
  await storeSent(world, { customer: offered!, technician, maker })
  const quote = await storeSent(world, { customer: accepted!, technician, maker })
  const wish = { version: 2, digest: quote.digest!, option: 'essential', addOns: [], name: 'C', ip: '' }
  await acceptQuote(world.db, accepted!.actor, quote.id, wish, now())
  for (const one of [installed!, faulty!]) {
    const done = await storeVisit(world, one, await world.home(one), later(-40), {
      service: 'installation',
      folio: `IN-${one.id.slice(-8)}`,
      minutes: 240,
      state: 'done',
      outcome: 'completed',
      assigneeId: technician.id,
    })
    if (one === faulty)
      await world.db.insert(faults).values({
        id: one.id,
        appointmentId: done.id,
        customerId: one.id,
        description: 'No carga.',
      })
  }
  return {
    none: none!,
    home: home!,
    asked: asked!,
    inReview: inReview!,
    notViable: notViable!,
    offered: offered!,
    accepted: accepted!,
    installed: installed!,
    faulty: faulty!,
  }
}

test('many at once stand as each one’s own home says', async () => {
  const all = await everywhere()
  const ids = Object.values(all).map(({ id }) => id)
  const together = leadingStatuses(await projectStatusesOf(world.db, ids, now()))
  const stages: string[] = []
  for (const [where, person] of Object.entries(all)) {
    const { since, stage, waitingOn } = await overviewOf(world.db, person.actor, now(), noModules)
    const { since: from, ...told } = together.get(person.id)!
    expect([where, { stage, waitingOn }, since?.getTime()]).toEqual([
      where,
      { stage: told.stage, waitingOn: told.waitingOn },
      from?.getTime(),
    ])
    stages.push(`${stage} ${waitingOn}`)
  }
  expect(new Set(stages).size).toBe(8)
})

test('a stage that changes is told once, with its event; whose turn it is only in the row', async () => {
  const { ally, manager } = people
  const customer = await world.person()
  const id = await joined(world, customer, ally)
  await refreshClients(world.db, now())
  expect(await clientOf(world, id)).toMatchObject({ stage: 'intake', waitingOn: 'customer' })
  const home = await world.home(customer)
  const visit = await storeVisit(world, customer, home, later(30), { state: 'requested', confirmedAt: null })
  await refreshClients(world.db, now(), { agencyId: ally.agencyId! })
  expect(await clientOf(world, id)).toMatchObject({ stage: 'visit', waitingOn: 'manager' })
  const assigned = { state: 'assigned', assigneeId: people.technician.id, confirmedAt: now() } as const
  await world.db.update(appointments).set(assigned).where(eq(appointments.id, visit.id))
  await refreshClients(world.db, now())
  expect(await clientOf(world, id)).toMatchObject({ stage: 'visit', waitingOn: 'technician' })
  expect(await clientTrailOf(world, id)).toEqual(['stage invited intake', 'stage intake visit'])
  // Of an agency that is not theirs nobody is looked at.
  await world.db.update(appointments).set({ state: 'cancelled' }).where(eq(appointments.id, visit.id))
  await refreshClients(world.db, now(), { agencyId: manager.id })
  expect((await clientOf(world, id)).stage).toBe('visit')
})

test('many rounds at once, and changes meanwhile, end where the project stands', async () => {
  const { ally } = people
  const customer = await world.person()
  const id = await joined(world, customer, ally)
  const at = await storeVisit(world, customer, await world.home(customer), later(50), {
    state: 'requested',
    confirmedAt: null,
  })
  const states = ['cancelled', 'requested', 'cancelled', 'requested', 'cancelled'] as const
  for (const state of states)
    await Promise.all([
      world.db.update(appointments).set({ state }).where(eq(appointments.id, at.id)),
      ...Array.from({ length: 6 }, () => refreshClients(world.db, now())),
    ])
  await refreshClients(world.db, now())
  expect(await clientOf(world, id)).toMatchObject({ stage: 'intake', waitingOn: 'customer' })
  const told = (await clientTrailOf(world, id)).map((line) => line.split(' ').slice(1))
  // Each begins where the one before ended.
  for (const [n, [from]] of told.entries()) expect(from).toBe(told[n - 1]?.[1] ?? 'invited')
})

test('of a queue that is long, and mostly of one customer, nobody is left behind', async () => {
  const { ally } = people
  const [busy, last] = [await world.person(), await world.person()]
  await joined(world, busy, ally)
  await world.db.execute(
    sql`insert into stage_checks (customer_id) select ${busy.id}::uuid from generate_series(1, 200)`,
  )
  const id = await joined(world, last, ally)
  await refreshClients(world.db, now(), { agencyId: ally.agencyId! })
  expect((await clientOf(world, id)).stage).toBe('intake')
})
