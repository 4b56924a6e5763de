import type { Service } from '../../domain/appointments/appointment.ts'
import { type Hindrance, hindranceOf } from '../../domain/appointments/rules.ts'
import { notReadyWords, readyParts } from '../../domain/projects/next-step.ts'
import {
  isInstalled,
  isVisited,
  noProject,
  type ProjectFacts,
  readyFactsOf,
} from '../../domain/projects/project.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import type { Db } from '../platform/database/database.ts'
import { factsOfProject, type OpenProject, openProjectOf } from '../projects/queries.ts'
import { demandQuotedHome } from '../projects/quoted-home.ts'
import { openFaultSince } from '../reports/faults-queries.ts'
import { appointmentsOfProject } from './queries.ts'

/** What keeps a customer from booking a service, and the project it would be booked for. */
export type Bookable = { hindrance: Hindrance | null; project: OpenProject | null; facts: ProjectFacts }

const factsFor = async (db: Db, customerId: string, project: OpenProject | null) =>
  project ? factsOfProject(project, await appointmentsOfProject(db, customerId, project.id)) : noProject

/** Whether a customer can book this service now, and if not, what stands in the way. */
export async function bookableProject(db: Db, customerId: string, service: Service): Promise<Bookable> {
  const project = await openProjectOf(db, customerId)
  const facts = await factsFor(db, customerId, project)
  const faultSince = project && isInstalled(facts) ? await openFaultSince(db, customerId, project.id) : null
  return { hindrance: hindranceOf(service, facts, faultSince), project, facts }
}

/** Refuses what nobody may book yet, or again, in words that say what is missing and whose turn it is. */
export async function refuseUnready(db: Db, customerId: string, service: Service): Promise<void> {
  const { hindrance, facts, project } = await bookableProject(db, customerId, service)
  if (hindrance === 'not_ready')
    refuse('failed-precondition', notReadyWords(readyParts(readyFactsOf(facts), isVisited(facts))))
  if (hindrance === 'concluded') refuse('failed-precondition', concludedWords)
  if (service === 'installation' && project?.address) await demandQuotedHome(db, project.id, project.address)
  if (hindrance === 'finished') refuse('failed-precondition', 'Tu instalación ya está hecha.')
}

const concludedWords =
  'Tu cargador ya está instalado. Si algo falla, repórtalo o empieza otro proyecto en Instalación.'
