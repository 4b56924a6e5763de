import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import type { Modules } from '../access/rules/routes.ts'
import { openFaultSince, openFaultsOf } from '../appointments/faults.ts'
import { appointmentsOfProject, partsOfProjects } from '../appointments/project-appointments.ts'
import { isActive, type Service, services } from '../appointments/rules/appointment.ts'
import { type OwnCall, ownCallOf } from '../calls/queries.ts'
import { callSteps, callTurns } from '../calls/rules/room.ts'
import { openCasePart, openCaseParts } from '../cfe/rows.ts'
import { caseStatus, unseenCase } from '../cfe/rules/case.ts'
import { askedSinceOf, type OwnMoveOffer, ownMoveOffers } from '../dispatch/move-offers.ts'
import type { Db, Queryable, Tx } from '../platform/database/client.ts'
import { oncePerPage } from '../platform/database/reads.ts'
import { addresses, projects } from '../platform/database/schema/projects.ts'
import { conditionsHere } from '../projects/conditions.ts'
import { factsOfProject, openFirst, openProjectOf, type ProjectOwner } from '../projects/open-project.ts'
import { projectMoney, projectsMoney } from '../projects/project-money.ts'
import type { Area } from '../projects/rules/address.ts'
import { homeNames } from '../projects/rules/homes.ts'
import { noMoney, type ReadyPart, readyParts } from '../projects/rules/next-step.ts'
import {
  type Hindrance,
  hindranceOf,
  isInstalled,
  isVisited,
  noProject,
  projectStatusOf,
  readyFactsOf,
  turnsOf,
} from '../projects/rules/project.ts'
import { type ProjectStatus, type Stage, stages } from '../projects/rules/stages.ts'
import { limitIn } from '../reports/rules/passport.ts'
import type { Prepared } from './rules/customer-home.ts'

export type OwnAppointment = Awaited<ReturnType<typeof appointmentsOfProject>>[number]

/** One service of a project: the booked appointment, the past ones, and what prevents booking the next one. */
export type OwnService = {
  active: OwnAppointment | null
  /** An offer of another time for the booked appointment, which waits for an answer. */
  moveOffer: OwnMoveOffer | null
  past: readonly OwnAppointment[]
  hindrance: Hindrance | null
}

/**
 * The project on a customer's pages: its stage, whose turn it is and since when, the next step, and its appointments.
 */
export type Overview = ProjectStatus & {
  projectId: string | null
  /** All that is owed or waited for; the first is its status. */
  turns: readonly ProjectStatus[]
  area: Area | 'none'
  address: { street: string; municipality: string; wantsNotice: boolean } | null
  /** What is known already of all that is prepared for a visit. */
  prepared: Prepared
  /** The services for which the customer is asked about another time. */
  asked: readonly Service[]
  services: Record<Service, OwnService>
  /** The room of the booked call. */
  call: OwnCall | null
  /** The requirements of an installation, done or not. */
  ready: readonly ReadyPart[]
  /** The amperes that the charger may take until CFE gives the home more load; null where nothing limits it. */
  limit: number | null
}

/** The customer's open project, computed from its parts, for the screens that are on; one that does not exist yet waits for its address. */
export async function overviewOf(db: Db, actor: Actor, now: Date, on: Modules): Promise<Overview> {
  const [project, offers] = await Promise.all([openProjectOf(db, actor), ownMoveOffers(db, actor, now)])
  const [appointments, money, cfeCase, openFault] = project
    ? await Promise.all([
        appointmentsOfProject(db, actor.id, project.id),
        projectMoney(db, project.id, now),
        openCasePart(db, project.id),
        openFaultSince(db, actor.id, project.id),
      ])
    : [[], noMoney, null, null]
  const shownCase = cfeCase && !on.has('gesties') ? unseenCase(cfeCase) : cfeCase
  const facts = project ? factsOfProject(project, appointments, money, shownCase) : noProject
  const faultSince = isInstalled(facts) ? openFault : null
  const own = (service: Service): OwnService => {
    const those = appointments.filter((one) => one.service === service)
    const active = those.find(({ state }) => isActive(state)) ?? null
    return {
      active,
      moveOffer: offers.find(({ appointmentId }) => appointmentId === active?.id) ?? null,
      past: those.filter((one) => one !== active),
      hindrance: hindranceOf(service, facts, faultSince),
    }
  }
  const of = Object.fromEntries(services.map((service) => [service, own(service)])) as Overview['services']
  const asked = services.filter((service) => of[service].moveOffer)
  const booked = of.videocall.active
  const call = booked && (await ownCallOf(db, actor.id, booked, now))
  const askedSince = (asked[0] && of[asked[0]].moveOffer?.since) ?? null
  const turns = turnsOf(facts, { askedSince, faultSince })
  const [{ charge, ...status }] = turns
  return {
    ...status,
    // An open room takes precedence, whatever the project's stage.
    ...(call?.turn
      ? { ...callTurns[call.turn], next: callSteps[call.turn], since: null }
      : charge && { charge }),
    turns,
    call,
    asked,
    projectId: project?.id ?? null,
    area: facts.area,
    address: project?.address
      ? {
          street: streetLine(project.address),
          municipality: project.address.municipality,
          wantsNotice: project.address.wantsNoticeAt !== null,
        }
      : null,
    prepared: {
      bill: Boolean(project?.address?.cfeServiceNumber),
      car: Boolean(project?.vehicle?.model),
      access: Boolean(project?.address?.gateNotes || project?.address?.receiverName),
    },
    services: of,
    ready: readyParts(readyFactsOf(facts), isVisited(facts), facts.money, shownCase && caseStatus(shownCase)),
    limit: limitIn(facts.conditions),
  }
}

/** The stage of a customer's open project, for staff who speak with them about it. */
export async function stageFor(db: Db, customer: ProjectOwner, now: Date): Promise<Stage> {
  const project = await openProjectOf(db, customer)
  if (!project) return projectStatusOf(noProject).stage
  const [appointments, money, cfeCase] = await Promise.all([
    appointmentsOfProject(db, customer.id, project.id),
    projectMoney(db, project.id, now),
    openCasePart(db, project.id),
  ])
  return projectStatusOf(factsOfProject(project, appointments, money, cfeCase)).stage
}

/** "Londres 247, Del Carmen", as people say an address. */
export const streetLine = (address: { street: string; outerNumber: string; colonia: string }) =>
  `${address.street} ${address.outerNumber}, ${address.colonia}`

/** A project's stage, whose turn it is and since when; of a customer without a project, that of none. */
export type ProjectStatusSummary = Pick<ProjectStatus, 'stage' | 'waitingOn' | 'since' | 'line'> & {
  customerId: string
  projectId: string | null
  isOpen: boolean
}

/**
 * The statuses of some customers' projects, the open ones in the order of their places before those that ended, of which
 * the older ones are left out once they are written down: each as on their own home page, without the state of a call's room, which concerns only them. The
 * number of queries does not depend on the number of customers.
 */
export const projectStatusesOf = oncePerPage(readStatuses)

async function readStatuses(
  db: Queryable,
  customerIds: readonly string[],
  now: Date,
): Promise<ProjectStatusSummary[]> {
  const statuses = (await readTurns(db, customerIds, now)).map(
    ({ closedAt, customerId, id, turns: [{ line, since, stage, waitingOn }] }): ProjectStatusSummary => ({
      stage,
      waitingOn,
      since,
      line,
      customerId,
      projectId: id,
      isOpen: closedAt === null,
    }),
  )
  const known = new Set(statuses.map(({ customerId }) => customerId))
  const none = projectStatusOf(noProject)
  for (const customerId of customerIds)
    if (!known.has(customerId)) statuses.push({ ...none, customerId, projectId: null, isOpen: false })
  return statuses
}

/** The open homes of a customer by their places, each with its name and all that is owed or waited for there. */
export const ownHomes = oncePerPage(async (db: Queryable, customerId: string, now: Date) => {
  const open = (await readTurns(db, [customerId], now)).filter(({ closedAt }) => closedAt === null)
  const names = homeNames(open.map(({ address, id }) => ({ ...noStreet, ...address, id })))
  return open.map(({ address, chosenAt, id, turns }) => ({
    id,
    name: names.get(id)!,
    hasAddress: address !== null,
    chosenAt,
    turns,
  }))
})

const noStreet = { street: null, outerNumber: null }

async function readTurns(db: Queryable, customerIds: readonly string[], now: Date) {
  const current = await currentProjects(db, customerIds)
  const ids = current.map(({ id }) => id)
  const [parts, money, cases, faults, asked] = await Promise.all([
    partsOfProjects(db, ids),
    projectsMoney(db, ids, now),
    openCaseParts(db, ids),
    openFaultsOf(db, ids),
    askedSinceOf(db, customerIds, now),
  ])
  return current.map((project) => {
    const { id } = project
    const facts = factsOfProject(project, parts.get(id) ?? [], money.get(id), cases.get(id))
    const beside = { askedSince: asked.get(id) ?? null, faultSince: faults.get(id) ?? null }
    return { ...project, turns: turnsOf(facts, beside) }
  })
}

/** The open projects of each customer, and of the closed ones the newest and those whose end is not written down yet. */
async function currentProjects(db: Queryable, customerIds: readonly string[]) {
  const rows = await db
    .select({ project: projects, address: addresses, conditions: conditionsHere })
    .from(projects)
    .leftJoin(addresses, sql`${eq(addresses.projectId, projects.id)} and ${addresses.archivedAt} is null`)
    .where(
      and(
        inArray(projects.customerId, [...customerIds]),
        sql`(${projects.closedAt} is null
          or not exists (select from projects later where later.customer_id = ${projects.customerId}
            and later.closed_at is not null and (later.created_at, later.id) > (${projects.createdAt}, ${projects.id}))
          or exists (select from project_standings kept where kept.project_id = ${projects.id} and kept.updated_at < ${projects.closedAt}))`,
      ),
    )
    .orderBy(projects.customerId, ...openFirst)
  return rows.map(({ project, ...row }) => ({ ...project, ...row }))
}

/**
 * Of each customer the status that stands for them where one is shown: the project under way that is furthest, before one
 * that is concluded, before one that ended.
 */
export function leadingStatuses(
  statuses: readonly ProjectStatusSummary[],
): Map<string, ProjectStatusSummary> {
  const leading = new Map<string, ProjectStatusSummary>()
  const rank = ({ isOpen, stage }: ProjectStatusSummary) =>
    !isOpen ? -2 : stage === 'closed' ? -1 : stages.indexOf(stage)
  for (const status of statuses) {
    const before = leading.get(status.customerId)
    if (!before || rank(status) > rank(before)) leading.set(status.customerId, status)
  }
  return leading
}

/**
 * Locks the project statuses of some customers, as rows that are created where missing: the parts are read only after
 * that, so that no older reading overwrites a newer one.
 */
export async function lockProjectStatuses(tx: Tx, customerIds: readonly string[]): Promise<void> {
  const ids = [...customerIds]
  await tx.execute(sql`insert into project_standings (project_id, customer_id)
    select id, customer_id from projects where customer_id = any(${sql.param(ids)}::uuid[]) order by id on conflict do nothing`)
  await tx.execute(sql`select 1 from project_standings where customer_id = any(${sql.param(ids)}::uuid[])
    order by project_id for no key update`)
}

/** Writes projects' statuses; unchanged rows stay as they are. */
export async function saveProjectStatuses(
  tx: Tx,
  statuses: readonly ProjectStatusSummary[],
  now: Date,
): Promise<void> {
  const told = statuses.filter(({ projectId }) => projectId !== null)
  const of = <Value>(read: (status: ProjectStatusSummary) => Value) => told.map(read)
  await tx.$client.query({
    name: 'write_standings',
    text: `update project_standings kept set stage = told.stage, waiting_on = told.waiting_on, since = told.since, updated_at = $5
        from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[]) as told (project_id, stage, waiting_on, since)
        where kept.project_id = told.project_id
          and (kept.stage, kept.waiting_on, kept.since) is distinct from (told.stage, told.waiting_on, told.since)`,
    values: [
      of(({ projectId }) => projectId),
      of(({ stage }) => stage),
      of(({ waitingOn }) => waitingOn),
      of(({ since }) => since),
      now,
    ],
  })
}
