import { hashPassword } from 'better-auth/crypto'
import type { Actor } from '../src/access/rules/actor.ts'
import { expireCodes } from '../src/agencies/client-invitations.ts'
import { syncCommissions } from '../src/agencies/commission-commands.ts'
import { demoPassword } from '../src/app/start.ts'
import { refreshClients } from '../src/customers/clients.ts'
import { expirePayments } from '../src/payments/rows.ts'
import { type Db, type Queryable, type Tx, transaction } from '../src/platform/database/client.ts'
import { accounts, consents, users } from '../src/platform/database/schema/accounts.ts'
import { agencies } from '../src/platform/database/schema/projects.ts'
import type { Drive } from '../src/platform/storage/drive.ts'
import { expireQuotes, lapseQuotes } from '../src/quotes/jobs.ts'
import type { PersonRow } from '../src/scheduling/rules/roster.ts'
import { toDate, toMinutes } from '../src/shared/calendar.ts'
import { municipalities } from '../src/shared/places.ts'
import { agencyStories, comingStory, secondHomeStory } from './allies.ts'
import { appointmentStory } from './appointments.ts'
import { caseStories } from './cases.ts'
import { dealStory, faultStory } from './deal-stories.ts'
import { demoDeals, type PlannedDeal } from './deals.ts'
import { commissionStory, fiscalStory, officeStory } from './office.ts'
import { inThePast, play, type Stage, type Story } from './past.ts'
import {
  analystEmail,
  askedCustomer,
  bookingCustomer,
  consentVersion,
  type DemoCustomer,
  demoAgencies,
  demoStaff,
  distantCustomer,
  managerEmail,
  newcomer,
  openFor,
  otherCustomers,
  owingCustomer,
  readyCustomer,
  twoHomesCustomer,
  waitingCustomer,
  weekly,
  workers,
} from './people.ts'
import { drawReports } from './reports.ts'
import { type DemoVisit, endOf, planVisits, visitCount } from './visits.ts'

export { advanceDay } from './advance.ts'

/** A customer of the demo world: when the account was created, and the plan of the appointments. */
type Arrival = {
  /** The position in the list of customers with a visit. */
  of: number
  customer: DemoCustomer
  joined: Date
  visits: readonly DemoVisit[]
}

/** Any constant: of two processes that start at once the second waits, and then finds the users there. */
const lockKey = 726_010
const aDay = 1440

const zoneOf = (municipality: string) => municipalities.findIndex(({ slug }) => slug === municipality)

/** The customers with a visit, in the order of the plan and of the deals (deals.ts). */
const usual = [waitingCustomer, ...otherCustomers]
const visited = [
  ...usual.slice(0, 8),
  readyCustomer,
  ...usual.slice(8, 37),
  askedCustomer,
  owingCustomer,
  ...usual.slice(37),
].slice(0, visitCount)

/** Of a hundred parts of the work, how many the drawing is. */
const drawingShare = 40

/** A second process waits for as long as the first one loads, and a slow machine may stop for a while between two steps. */
const alone = `set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; select pg_advisory_xact_lock(${lockKey})`

/**
 * Fills an empty database with users and visits around `now`, and `drive` with their pictures; where any user exists,
 * it does nothing. `told` hears of how many of a hundred parts are done.
 */
export async function loadDemo(
  db: Db,
  now: Date,
  drive: Drive = nowhere,
  told: (percent: number) => void = () => undefined,
): Promise<void> {
  // Waits for another process that loads it, however long that takes.
  if (await transaction(db, hasUsers, alone)) return
  const arrivals = arrivalsAt(toMinutes(now))
  await drawAhead(now, (done) => told(Math.floor(done * drawingShare)))
  const load = async (tx: Tx) => {
    if (await hasUsers(tx)) return
    const agencyId = await writeAgencies(tx)
    const actors = await writePeople(tx, arrivals, agencyId, now)
    const actor = (email: string) => actors.get(email)!
    await inThePast(tx, async (past) => {
      const people = { actor, manager: actor(managerEmail), analyst: actor(analystEmail) }
      const stage = { past, drive, now, ...people }
      const round = async (at: Date) => {
        await expireQuotes(past.db, at)
        await expirePayments(past.db, at)
        await lapseQuotes(past.db, at)
        await expireCodes(past.db, at)
        await syncCommissions(past.db, at)
        await refreshClients(past.db, at, { agencyId })
      }
      await play(past, storiesOf(arrivals, agencyId, stage), round, (done) =>
        told(drawingShare + Math.floor(done * (100 - drawingShare))),
      )
      await past.at(now)
      await round(now)
      await refreshClients(past.db, now)
    })
  }
  await transaction(db, load, alone)
}

/** Draws the pictures of the demo world of a moment, which are kept until it is loaded; `told` hears which part is done. */
export async function drawAhead(now: Date, told: (done: number) => void = () => undefined): Promise<void> {
  const visits = arrivalsAt(toMinutes(now)).flatMap((arrival) => arrival.visits)
  await drawReports(visits, told)
}

const hasUsers = async (db: Queryable) => (await db.select({ id: users.id }).from(users).limit(1)).length > 0

/** All that happens before `now`, each course of events by itself. */
function storiesOf(arrivals: readonly Arrival[], agencyId: string, stage: Stage): Story[] {
  const deals = arrivals.flatMap(dealOf).sort((a, b) => madeAt(a) - madeAt(b))
  return [
    officeStory(stage),
    ...agencyStories(agencyId, stage),
    ...arrivals.map((arrival) => comingStory(arrival, stage)),
    secondHomeStory(stage),
    ...arrivals.flatMap(({ customer, visits }) =>
      visits.map((visit) => {
        const performer = stage.actor(workers[visit.person]!.email)
        return appointmentStory(visit, customer, performer, stage)
      }),
    ),
    ...deals.flatMap((deal) => [dealStory(deal, stage), fiscalStory(deal, stage)]),
    commissionStory(deals, agencyId, stage),
    ...caseStories(deals, stage),
    faultStory(deals, stage),
  ]
}

/** The deal that a customer's visit led to, if any. */
function dealOf({ customer, of, visits }: Arrival): PlannedDeal[] {
  const deal = demoDeals.get(of)
  const planned = (service: DemoVisit['service']) => visits.find((visit) => visit.service === service)
  const [visit, installation] = [planned('technical_visit'), planned('installation')]
  if (!deal || !visit) return []
  const installed = installation?.state === 'done' ? endOf(installation) : null
  return [{ deal, of, customer, visitStart: visit.start, installed }]
}

const madeAt = ({ deal, visitStart }: PlannedDeal) => visitStart + deal.versions[0]!.made

function arrivalsAt(now: number): Arrival[] {
  const crew = workers.map(
    ({ email, kind, zones }): PersonRow => ({
      id: email,
      kind: kind === 'analyst' ? 'analyst' : 'tecnician',
      active: true,
      zones: zones.map(zoneOf),
      shifts: weekly,
      timeOff: [],
    }),
  )
  const zones = visited.map(({ address }) => zoneOf(address.municipality))
  const plan = planVisits(crew, zones, now)
  const comers = [...visited, distantCustomer].map((customer, of): Arrival => {
    const visits = plan.filter((visit) => visit.of === of)
    const joined = toDate(Math.min(...visits.map(({ bookedAt }) => bookedAt)) - 60)
    return { of, customer, visits, joined }
  })
  const joined = toDate(now - 2 * aDay)
  const withoutVisit = [bookingCustomer, twoHomesCustomer].map((customer) => ({
    of: -1,
    customer,
    visits: [],
    joined,
  }))
  return [...withoutVisit, ...comers]
}

/** Returns the id of the allies' agency. */
async function writeAgencies(tx: Tx): Promise<string> {
  const [made] = await tx
    .insert(agencies)
    .values([...demoAgencies])
    .returning({ id: agencies.id })
  return made!.id
}

/**
 * Writes all users, with the one password they share: rows, because a sign-up opens a session by its own clock. Returns
 * them by e-mail.
 */
async function writePeople(
  tx: Tx,
  arrivals: readonly Arrival[],
  agencyId: string,
  now: Date,
): Promise<ReadonlyMap<string, Actor>> {
  const opened = toDate(toMinutes(now) - openFor * aDay)
  const rows = [
    ...demoStaff.map(({ email, name, kind, phone }) => ({
      email,
      name,
      lastname: 'Demo',
      phone,
      role: 'staff' as const,
      kind,
      ...(kind === 'alliate' && { agencyId }),
      ...since(opened),
    })),
    ...arrivals.map(({ customer: { address, ...person }, joined }) => ({ ...person, ...since(joined) })),
    { email: newcomer, ...since(toDate(toMinutes(now) - aDay)) },
  ]
  const made = await tx.insert(users).values(rows).returning()
  const password = await hashPassword(demoPassword)
  await tx
    .insert(accounts)
    .values(made.map(({ id }) => ({ userId: id, accountId: id, providerId: 'credential', password })))
  const agreed = { kind: 'terms', given: true, version: consentVersion, source: 'signup' } as const
  await tx
    .insert(consents)
    .values(made.map(({ id, termsAcceptedAt }) => ({ ...agreed, userId: id, at: termsAcceptedAt ?? now })))
  return new Map(
    made.map(({ email, emailVerified, id, kind, lastname, name, role, agencyId }) => {
      const who = { id, email, emailVerified, name, lastname, role, kind, agencyId }
      return [email, { ...who, twoFactor: false } as Actor]
    }),
  )
}

const since = (time: Date) => ({
  emailVerified: true,
  signedUpAt: time,
  createdAt: time,
  updatedAt: time,
  termsVersion: consentVersion,
  termsAcceptedAt: time,
})

/** Stores nothing: without a drive, papers have rows only. */
const nowhere: Drive = {
  demandRoom: async () => undefined,
  put: async () => undefined,
  get: async () => null,
  delete: async () => undefined,
  async *all() {},
}
