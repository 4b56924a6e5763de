import type { Actor } from '../../domain/actor.ts'
import { isActive } from '../../domain/appointment.ts'
import {
  type ProjectFacts,
  type Stage,
  stageOf,
  turnLine,
  type Waiting,
  waitingOn,
} from '../../domain/project.ts'
import { appointmentsOfProject } from '../appointments/queries.ts'
import type { Db } from '../database/database.ts'
import { openProjectOf } from './queries.ts'

type Visits = Awaited<ReturnType<typeof appointmentsOfProject>>

/** What a customer's pages show of the project: how far it is, whose turn, since when, and its technical visits. */
export type Overview = {
  stage: Stage
  line: string
  waitingOn: Waiting
  since: Date | null
  address: { street: string; municipality: string } | null
  canBook: boolean
  active: Visits[number] | null
  past: Visits
}

/** The customer's open project, computed from its parts; one that does not exist yet waits for its address. */
export async function overviewOf(db: Db, actor: Actor): Promise<Overview> {
  const project = await openProjectOf(db, actor.id)
  const visits = project ? await appointmentsOfProject(db, actor.id, project.id) : []
  const technical = visits.filter(({ service }) => service === 'technical_visit')
  const facts: ProjectFacts = {
    area: project?.address?.area ?? 'none',
    visits: technical.map(({ state }) => state),
  }
  const active = technical.find(({ state }) => isActive(state)) ?? null
  const latest = active ?? technical[0]
  return {
    stage: stageOf(facts),
    line: turnLine(facts),
    waitingOn: waitingOn(facts),
    since: latest?.since ?? project?.address?.updatedAt ?? project?.createdAt ?? null,
    address: project?.address
      ? { street: streetLine(project.address), municipality: project.address.municipality }
      : null,
    canBook: facts.area === 'served' && !active,
    active,
    past: technical.filter((visit) => visit !== active),
  }
}

/** "Londres 247, Del Carmen", as people say an address. */
export const streetLine = (address: { street: string; outerNumber: string; colonia: string }) =>
  `${address.street} ${address.outerNumber}, ${address.colonia}`
