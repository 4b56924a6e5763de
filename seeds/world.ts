import { hashPassword } from 'better-auth/crypto'
import { sql } from 'drizzle-orm'
import type { Actor } from '../src/domain/access/actor.ts'
import { type Modules, noModules } from '../src/domain/access/routes.ts'
import type { PersonRow } from '../src/domain/scheduling/roster.ts'
import { defaultSettings } from '../src/domain/settings/settings-schema.ts'
import { toDate, toMinutes } from '../src/domain/shared/calendar.ts'
import { municipalities } from '../src/domain/shared/places.ts'
import { demoPassword } from '../src/server/app/start.ts'
import { type Db, type Tx, transaction } from '../src/server/platform/database/client.ts'
import {
  accounts,
  consents,
  personZones,
  shifts,
  users,
} from '../src/server/platform/database/schema/accounts.ts'
import { agencies } from '../src/server/platform/database/schema/projects.ts'
import type { Drive } from '../src/server/platform/storage/drive.ts'
import { writeInvitation } from '../src/server/users/invite.ts'
import { writeAllies, writeStandings } from './allies.ts'
import { writeCases } from './cases.ts'
import { payoutStory } from './commissions.ts'
import {
  askedCustomer,
  bookingCustomer,
  distantCustomer,
  otherCustomers,
  owingCustomer,
  readyCustomer,
  waitingCustomer,
} from './customers.ts'
import { demoDeals, type RootedDeal } from './deals.ts'
import { endOf, type RootedVisit, type WrittenVisit, writeVisits } from './history.ts'
import { fiscalStory, writeSettings } from './house.ts'
import { inThePast, play } from './past.ts'
import { demoAgencies, demoStaff, invitedAnalyst, newcomer } from './people.ts'
import { type Arrival, type Rooted, writeProjects } from './projects.ts'
import { reportOf } from './sheets.ts'
import { dealStory } from './stories.ts'
import { demoTies } from './ties.ts'
import { type DemoVisit, planVisits, visitCount } from './visits.ts'

type Ids = ReadonlyMap<string, string>

/** Any constant: of two processes that start at once the second waits, and then finds the users there. */
const lockKey = 726_010
const aDay = 1440

const workers = demoStaff.filter(({ kind }) => kind === 'tecnician' || kind === 'analyst')
const manager = demoStaff.find(({ kind }) => kind === 'manager')!
const analyst = demoStaff.find(({ kind }) => kind === 'analyst')!
const gester = demoStaff.find(({ kind }) => kind === 'gester')!
const allies = demoStaff.filter(({ kind }) => kind === 'alliate')
/** The terms and the privacy notice that all users agreed to, and the clients whom an ally registered. */
const consentVersion = '2025-01'
/** All staff work during the opening hours. */
const weekly = defaultSettings.hours.flatMap((hours, weekday) => (hours ? [{ weekday, ...hours }] : []))
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

/**
 * Fills an empty database with users and visits around `now`, and `drive` with their pictures; where any user exists,
 * it does nothing. A module's data are written only where the module is on.
 */
export async function loadDemo(db: Db, now: Date, drive?: Drive, on: Modules = noModules): Promise<void> {
  await transaction(db, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${lockKey})`)
    if ((await tx.select({ id: users.id }).from(users).limit(1)).length > 0) return
    const arrivals = arrivalsAt(toMinutes(now))
    const agencyId = await writeAgencies(tx)
    const ids = await writePeople(tx, arrivals, agencyId, now)
    await writeWorkingHours(tx, ids)
    await writeInvitation(tx, invitedAnalyst, ids.get(manager.email)!, now)
    await writeSettings(tx, ids.get(manager.email)!, now)
    const roots = await writeProjects(tx, arrivals, { agencyId, ids })
    const rooted = rootedVisits(arrivals, roots, ids)
    const [installations, others] = [
      rooted.filter(isInstallation),
      rooted.filter((one) => !isInstallation(one)),
    ]
    const visits = await writeVisits(tx, others, drive)
    const managerId = ids.get(manager.email)!
    const allyIds = allies.map(({ email }) => ids.get(email)!)
    const ofAllies = { agencyId, allyIds, managerId, consentVersion, now }
    const comers = arrivals.map(({ joined, of }, n) => ({ of, joined, customerId: roots[n]!.customerId }))
    const allied = await writeAllies(tx, comers, ofAllies)
    const deals = rootedDeals(tx, visits, installations, drive)
    await playDeals(tx, deals, { agencyId, ids, now }, drive)
    if (on.has('gesties')) await writeCases(tx, deals, { gesterId: ids.get(gester.email)!, now }, drive)
    await writeStandings(tx, allied, ofAllies)
  })
}

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
    return { of, customer, visits, joined, ofAgency: demoTies.has(of) }
  })
  const joined = toDate(now - 2 * aDay)
  return [{ of: -1, customer: bookingCustomer, visits: [], joined, ofAgency: false }, ...comers]
}

/** Returns the id of the allies' agency. */
async function writeAgencies(tx: Tx): Promise<string> {
  const [made] = await tx
    .insert(agencies)
    .values([...demoAgencies])
    .returning({ id: agencies.id })
  return made!.id
}

/** Writes all users, with the one password they share; returns ids by e-mail. */
async function writePeople(tx: Tx, arrivals: readonly Arrival[], agencyId: string, now: Date): Promise<Ids> {
  const opened = toDate(toMinutes(now) - 730 * aDay)
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
  const made = await tx
    .insert(users)
    .values(rows)
    .returning({ id: users.id, email: users.email, at: users.termsAcceptedAt })
  const password = await hashPassword(demoPassword)
  await tx
    .insert(accounts)
    .values(made.map(({ id }) => ({ userId: id, accountId: id, providerId: 'credential', password })))
  const agreed = { kind: 'terms', given: true, version: consentVersion, source: 'signup' } as const
  await tx.insert(consents).values(made.map(({ at, id }) => ({ ...agreed, userId: id, at: at ?? now })))
  return new Map(made.map(({ id, email }) => [email, id]))
}

const since = (time: Date) => ({
  emailVerified: true,
  signedUpAt: time,
  createdAt: time,
  updatedAt: time,
  termsVersion: consentVersion,
  termsAcceptedAt: time,
})

async function writeWorkingHours(tx: Tx, ids: Ids): Promise<void> {
  const hours = workers.flatMap(({ email }) =>
    weekly.map(({ weekday, from, to }) => ({ personId: ids.get(email)!, weekday, starts: from, ends: to })),
  )
  const served = workers.flatMap(({ email, zones }) =>
    zones.map((municipality) => ({ personId: ids.get(email)!, municipality })),
  )
  await tx.insert(shifts).values(hours)
  await tx.insert(personZones).values(served)
}

const rootedVisits = (arrivals: readonly Arrival[], roots: readonly Rooted[], ids: Ids): RootedVisit[] =>
  arrivals.flatMap(({ customer, visits }, n) =>
    visits.map((visit) => {
      const performerId = ids.get(workers[visit.person]!.email)!
      return { ...visit, ...roots[n]!, customer, performerId, managerId: ids.get(manager.email)! }
    }),
  )

const isInstallation = ({ service }: DemoVisit) => service === 'installation'

/** Every visit that led to a quote, with the installation that followed; in the order of the quotes. */
function rootedDeals(
  tx: Tx,
  visits: readonly WrittenVisit[],
  installations: readonly RootedVisit[],
  drive: Drive | undefined,
): RootedDeal[] {
  const deals = visits.flatMap((visit) => {
    const deal = visit.service === 'technical_visit' && demoDeals.get(visit.of)
    if (!deal) return []
    const { customer, customerId, id: visitId, managerId, of, projectId, start: visitStart } = visit
    const followed = installations.find((one) => one.of === of)
    const write = async () => {
      const [written] = await writeVisits(tx, [followed!], drive)
      return written!.id
    }
    const installation = followed ? { bookedAt: followed.bookedAt, end: endOf(followed), write } : null
    const whose = { of, customer, customerId, projectId, managerId, report: reportOf(of) }
    return [{ ...whose, deal, visitId, visitStart, installation }]
  })
  return deals.sort((a, b) => madeAt(a) - madeAt(b))
}

const madeAt = ({ deal, visitStart }: RootedDeal) => visitStart + deal.versions[0]!.made

/** Runs every deal by the product's own commands, at past moments. */
async function playDeals(
  tx: Tx,
  deals: readonly RootedDeal[],
  { agencyId, ids, now }: { agencyId: string; ids: Ids; now: Date },
  drive: Drive = nowhere,
): Promise<void> {
  const actors = await actorsIn(tx)
  const staff = ({ email }: { email: string }) => actors.get(ids.get(email)!)!
  const crew = { drive, now, analyst: staff(analyst), manager: staff(manager) }
  await inThePast(tx, async (past) => {
    const stage = { ...crew, past }
    const stories = deals.flatMap((deal) => {
      const own = { ...stage, customer: actors.get(deal.customerId)! }
      return [dealStory(deal, own), fiscalStory(deal, own)]
    })
    await play(past, [...stories, payoutStory(deals, agencyId, stage)])
  })
}

/** All users as actors, by id. */
async function actorsIn(tx: Tx): Promise<ReadonlyMap<string, Actor>> {
  const { agencyId, email, emailVerified, id, kind, lastname, name, role } = users
  const rows = await tx.select({ agencyId, email, emailVerified, id, kind, lastname, name, role }).from(users)
  return new Map(rows.map((row) => [row.id, { ...row, twoFactor: false } as Actor]))
}

/** Stores nothing: without a drive, papers have rows only. */
const nowhere: Drive = {
  demandRoom: async () => undefined,
  put: async () => undefined,
  get: async () => null,
  delete: async () => undefined,
  async *all() {},
}
