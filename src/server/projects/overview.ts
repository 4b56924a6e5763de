import type { Actor } from '../../domain/access/actor.ts'
import type { Modules } from '../../domain/access/routes.ts'
import { isActive, type Service, services } from '../../domain/appointments/appointment.ts'
import { type Hindrance, hindranceOf } from '../../domain/appointments/rules.ts'
import { callSteps, callTurns } from '../../domain/calls/room.ts'
import { unseenCase } from '../../domain/cfe/case.ts'
import type { Area } from '../../domain/projects/address.ts'
import { noMoney, type ReadyPart, readyParts } from '../../domain/projects/next-step.ts'
import {
  fullProjectStatusOf,
  isInstalled,
  isVisited,
  noProject,
  projectStatusOf,
  readyFactsOf,
} from '../../domain/projects/project.ts'
import type { ProjectStatus, Stage } from '../../domain/projects/stages.ts'
import { appointmentsOfProject } from '../appointments/appointments-queries.ts'
import { type OwnCall, ownCallOf } from '../calls/queries.ts'
import { openCasePart } from '../cfe/rows.ts'
import type { Db } from '../platform/database/client.ts'
import { projectMoney } from '../quotes/project-money.ts'
import { openFaultSince } from '../reports/faults-queries.ts'
import { type OwnMoveOffer, ownMoveOffers } from '../scheduling/absences-queries.ts'
import { factsOfProject, openProjectOf } from './projects-queries.ts'

export type OwnAppointment = Awaited<ReturnType<typeof appointmentsOfProject>>[number]

/** One service of a project: what is booked, what was, and what keeps the next one from being booked. */
export type OwnService = {
  active: OwnAppointment | null
  /** Another time for what is booked, which waits for an answer. */
  moveOffer: OwnMoveOffer | null
  past: readonly OwnAppointment[]
  hindrance: Hindrance | null
}

/** What a customer's pages show of the project: how far it is, whose turn, since when, the next step, and its appointments. */
export type Overview = ProjectStatus & {
  projectId: string | null
  area: Area | 'none'
  address: { street: string; municipality: string } | null
  /** Of which services the customer is asked about another time. */
  asked: readonly Service[]
  services: Record<Service, OwnService>
  /** The room of the call that is booked. */
  call: OwnCall | null
  /** What an installation needs, done or not. */
  ready: readonly ReadyPart[]
}

/** The customer's open project, computed from its parts, for the screens that are on; one that does not exist yet waits for its address. */
export async function overviewOf(db: Db, actor: Actor, now: Date, on: Modules): Promise<Overview> {
  const [project, offers] = await Promise.all([openProjectOf(db, actor.id), ownMoveOffers(db, actor, now)])
  const [appointments, money, cfeCase] = project
    ? await Promise.all([
        appointmentsOfProject(db, actor.id, project.id),
        projectMoney(db, project.id, now),
        openCasePart(db, project.id),
      ])
    : [[], noMoney, null]
  const shownCase = cfeCase && !on.has('gesties') ? unseenCase(cfeCase) : cfeCase
  const facts = project ? factsOfProject(project, appointments, money, shownCase) : noProject
  const faultSince = project && isInstalled(facts) ? await openFaultSince(db, actor.id, project.id) : null
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
  return {
    ...fullProjectStatusOf(facts, { askedSince, faultSince }),
    // A room that is open goes before everything else, however far the project is.
    ...(call?.turn && { ...callTurns[call.turn], next: callSteps[call.turn], since: null }),
    call,
    asked,
    projectId: project?.id ?? null,
    area: facts.area,
    address: project?.address
      ? { street: streetLine(project.address), municipality: project.address.municipality }
      : null,
    services: of,
    ready: readyParts(readyFactsOf(facts), isVisited(facts), facts.money),
  }
}

/** How far a customer's open project is, for staff who speak with them. */
export async function stageFor(db: Db, customerId: string, now: Date): Promise<Stage> {
  const project = await openProjectOf(db, customerId)
  if (!project) return projectStatusOf(noProject).stage
  const appointments = await appointmentsOfProject(db, customerId, project.id)
  const money = await projectMoney(db, project.id, now)
  const cfeCase = await openCasePart(db, project.id)
  return projectStatusOf(factsOfProject(project, appointments, money, cfeCase)).stage
}

/** "Londres 247, Del Carmen", as people say an address. */
export const streetLine = (address: { street: string; outerNumber: string; colonia: string }) =>
  `${address.street} ${address.outerNumber}, ${address.colonia}`
