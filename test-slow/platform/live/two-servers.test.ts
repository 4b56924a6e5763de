import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appointments } from '../../../src/server/platform/database/schema/appointments.ts'
import { bookBy, customersOf, startsOn } from '../../../test/appointments/history/town.ts'
import type { Person } from '../../../test/kit/people.ts'
import { openServers, type Servers } from '../../../test/kit/two-servers.ts'
import { changed, type Ear, listenAs } from '../../../test/platform/live/ear.ts'

let town: Servers
beforeAll(async () => {
  town = await openServers()
})
afterAll(() => town.close())

test('what is changed at one server is heard at the other within two seconds, by those it concerns and by nobody else', async () => {
  const [here, there] = town.servers as [Servers['servers'][0], Servers['servers'][0]]
  const people: Record<string, Person> = await town.people()
  const [customer] = (await customersOf(town, 1)) as [Person]
  const everybody: [string, Person][] = [...Object.entries(people), ['its customer', customer]]
  const ears: [string, Ear][] = []
  for (const [name, person] of everybody)
    for (const server of [here, there]) ears.push([name, await listenAs(server, person)])
  const hearing = async (change: () => Promise<unknown>, names: string[]) => {
    // What was announced before still travels, and a server has to have begun to listen.
    await wait(300)
    for (const [, ear] of ears) ear.forget()
    await change()
    await Promise.all(ears.filter(([name]) => names.includes(name)).map(([, ear]) => ear.hears()))
    await wait(100)
    const told = ears.filter(([, ear]) => ear.heard() !== '')
    expect(told.map(([name]) => name).toSorted()).toEqual([...names, ...names].toSorted())
    for (const [, ear] of told) expect(ear.heard().replaceAll(changed, '')).toBe('')
  }
  const desk = ['manager', 'analyst']
  await hearing(() => bookBy(here, customer, 'technical_visit', startsOn(0)[4]!), [...desk, 'its customer'])
  const [visit] = await town.db.select().from(appointments)
  const form = { intent: 'give', version: String(visit!.version), assigneeId: people.technician!.id }
  await hearing(
    () => there.post(`/admin/assignations/${visit!.id}.data`, form, people.manager!),
    [...desk, 'its customer', 'technician'],
  )
  for (const [, ear] of ears) await ear.close()
})
