import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { appointments, callSittings } from '../../src/platform/database/schema/appointments.ts'
import { storeVisit, type Visit } from '../kit/appointments.ts'
import type { Fixture } from '../kit/fixture.ts'
import { enter, fixture, rowWhere } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { openServers, type Servers } from '../kit/two-servers.ts'
import { openPage, type Page } from './page.ts'

export let town: Servers
export let here: Servers['servers'][0]
export let there: Servers['servers'][0]
export let people: Awaited<ReturnType<Servers['people']>>
/** A call that begins now, of people whom each test has for itself. */
export let call: Visit
export let customer: Person
export let analyst: Person

const pages: Page[] = []

/** Two processes for a file, and for each test a call that begins now. */
export function openTown() {
  beforeAll(async () => {
    town = await openServers()
    enter(town as unknown as Fixture)
    ;[here, there] = town.servers as [typeof here, typeof there]
    people = await town.people()
  })
  beforeEach(async () => {
    for (const { socket } of pages.splice(0)) socket.terminate()
    ;({ call, customer, analyst } = await newCall())
  })
  afterAll(() => {
    for (const { socket } of pages) socket.terminate()
    return town.close()
  })
}

export async function newCall(set: Partial<Visit> = {}) {
  const customer = await town.person({ name: 'Camila', lastname: 'Cruz' })
  const analyst = await town.person({ kind: 'analyst', name: 'Andrés', lastname: 'Arce' })
  const call = await storeVisit(fixture, customer, await town.home(customer), set.startsAt ?? new Date(), {
    service: 'videocall',
    minutes: 30,
    municipality: null,
    assigneeId: analyst.id,
    interest: '02',
    ...set,
  })
  return { call, customer, analyst }
}

/** A page with its socket open, ended with the test. */
export async function open(server: typeof here, as: Person, page?: string, of = call.id): Promise<Page> {
  const made = await openPage(server, of, as, page)
  pages.push(made)
  return made
}

/** Both sides in the room, the customer here and the analyst there. */
export async function bothJoin() {
  const mine = await open(here, customer)
  const theirs = await open(there, analyst)
  const sitting = await mine.joins()
  const other = await theirs.joins()
  await mine.sees(({ peer }) => peer?.sitting === other)
  return { mine, theirs, sitting, other }
}

export const stored = async () => (await rowWhere(appointments, { id: call.id }))!

export const sittings = () =>
  town.db
    .select()
    .from(callSittings)
    .where(eq(callSittings.appointmentId, call.id))
    .orderBy(callSittings.joinedAt, callSittings.id)
