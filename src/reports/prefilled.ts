import { and, desc, eq, lt } from 'drizzle-orm'
import type { AppointmentRow } from '../appointments/transition.ts'
import { isGranted } from '../cfe/rules/case.ts'
import type { Queryable } from '../platform/database/client.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { appointments, sheetAnswers, sheets } from '../platform/database/schema/appointments.ts'
import { cfeCases } from '../platform/database/schema/cfe.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { conditionsOf } from '../projects/conditions.ts'
import { acceptedMetres } from '../projects/project-money.ts'
import { addressLine } from '../projects/rules/address.ts'
import { vehicleInWords } from '../projects/rules/equipment.ts'
import { fullName } from '../shared/format.ts'
import { judgeAnswer } from './rules/answers.ts'
import { conduitFor, type Supply } from './rules/circuit.ts'
import { type Agreed, failedTests, voltsAtCharger } from './rules/limits.ts'
import {
  bearsWith,
  calculationOf,
  findingsOf,
  holding,
  limitIn,
  mostAmpsOf,
  whyHeld,
} from './rules/passport.ts'
import { measurementsOf, questionOf } from './rules/progress.ts'
import { keptFromEarlier } from './rules/proposals.ts'
import {
  type Answers,
  type AnswerValue,
  type Finding,
  type Held,
  type SheetKind,
  sheetKindOf,
} from './rules/report.ts'

type About = Pick<AppointmentRow, 'address' | 'projectId' | 'startsAt'>

/**
 * The known answers: of the home and its equipment, for an installation the findings of its visit, and what an earlier
 * appointment of the same kind found there.
 */
export async function prefilledFor(db: Queryable, about: About, kind: SheetKind): Promise<Answers> {
  const [given, earlier] = await Promise.all([givenFor(db, about, kind), earlierOf(db, about, kind)])
  return { ...given, ...taken(kind, keptFromEarlier(kind, earlier, given)) }
}

async function givenFor(db: Queryable, about: About, kind: SheetKind): Promise<Answers> {
  const [root] = await db
    .select({
      vehicle: projects.vehicle,
      charger: projects.charger,
      name: users.name,
      lastname: users.lastname,
    })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.customerId))
    .where(eq(projects.id, about.projectId))
  if (!root) return {}
  const { charger, lastname, name } = root
  const customerName = about.address?.receiverName ?? fullName({ name, lastname })
  if (kind === 'installation') {
    const agreed = await agreedFor(db, about.projectId)
    const known = taken(kind, { customerName, ...(await chargerOfVisit(db, about.projectId)) })
    return { ...known, ...agreed, asksGround: true, asksPlate: true, asksReadings: true }
  }
  const known = taken(kind, {
    customerName,
    dwelling: about.address?.dwelling,
    cfeServiceNumber: about.address?.cfeServiceNumber,
    vehicle: vehicleInWords(root.vehicle),
    chargerSupplier: charger?.origin,
    chargerBrand: charger?.brand,
    chargerKilowatts: charger?.kilowatts,
  })
  return { ...known, asksHouse: true, asksPhases: true, asksFeeder: true }
}

/** What the customer of a visit gave, as its report would begin today; the caller may review it. */
export async function givenForVisit(db: Queryable, appointmentId: string): Promise<Answers> {
  const { address, projectId, startsAt } = appointments
  const [visit] = await db
    .select({ address, projectId, startsAt })
    .from(appointments)
    .where(eq(appointments.id, appointmentId))
  return visit ? givenFor(db, visit, 'visit') : {}
}

/** What was answered last in earlier reports of this kind at the same home, sent or not. */
async function earlierOf(db: Queryable, about: About, kind: SheetKind): Promise<Answers> {
  const { address, id, projectId, startsAt } = appointments
  const rows = await db
    .select({ id, address, name: sheetAnswers.name, value: sheetAnswers.value })
    .from(appointments)
    .innerJoin(sheets, and(eq(sheets.appointmentId, id), eq(sheets.kind, kind)))
    .innerJoin(sheetAnswers, eq(sheetAnswers.appointmentId, id))
    .where(and(eq(projectId, about.projectId), lt(startsAt, about.startsAt)))
    .orderBy(desc(startsAt), desc(id))
  const here = about.address && addressLine(about.address)
  const there = rows.filter((row) => row.address && addressLine(row.address) === here)
  // Of what was answered more than once, the newest comes last and stays.
  return Object.fromEntries(there.toReversed().map(({ name, value }) => [name, value]))
}

/** The agreed values of an installation: from the approved visit, with the accepted metres. They are not answers. */
export async function agreedFor(db: Queryable, projectId: string): Promise<Agreed> {
  const [answers, accepted, conditions] = await Promise.all([
    approvedVisit(db, projectId).then((visit) => (visit ? answersOf(db, visit.id) : ({} as Answers))),
    acceptedMetres(db, projectId),
    conditionsOf(db, projectId),
  ])
  const owesWorks = conditions.some(({ isMet, kind }) => kind === 'works' && !isMet)
  const held = conditions.find(({ blocksBooking }) => blocksBooking)
  const { chargerDistance, chargerSupply, supply } = answers
  const found = calculationOf(answers)
  const circuit = found?.circuit
  const choice = circuit?.choices.find(({ gauge }) => gauge === answers.conductor)
  return {
    agreedConductor: typeof answers.conductor === 'string' ? answers.conductor : null,
    agreedBreaker: circuit?.breaker ?? null,
    agreedAmps: circuit?.amps ?? null,
    agreedMost: mostAmpsOf(answers),
    agreedFeederDrop: found?.demand?.feederDrop ?? null,
    agreedGround: choice?.ground ?? null,
    agreedConduit: choice?.ground ? conduitFor(choice.gauge, choice.ground, chargerSupply as Supply) : null,
    agreedMetres: accepted ?? (typeof chargerDistance === 'number' ? chargerDistance : null),
    agreedVolts: voltsAtCharger(answers),
    agreedSupply: typeof chargerSupply === 'string' ? chargerSupply : null,
    agreedHouse: typeof supply === 'string' ? supply : null,
    agreedTerminals75: answers.terminals75 === true,
    agreedLimit: limitIn(conditions),
    agreedHeld: held ? whyHeld[held.kind] : null,
    agreedWorks: owesWorks ? String(answers.feasibilityReason ?? '') : null,
  }
}

/** The approved visit of a project, the latest, or the latest before a moment; null where there is none. */
export async function approvedVisit(
  db: Queryable,
  projectId: string,
  before?: Date,
): Promise<AppointmentRow | null> {
  const isApproved = and(eq(sheets.kind, 'visit'), eq(sheets.state, 'approved'))
  const isEarlier = before && lt(appointments.startsAt, before)
  const [found] = await db
    .select({ visit: appointments })
    .from(appointments)
    .innerJoin(sheets, eq(sheets.appointmentId, appointments.id))
    .where(and(eq(appointments.projectId, projectId), isApproved, isEarlier))
    .orderBy(desc(sheets.reviewedAt))
    .limit(1)
  return found?.visit ?? null
}

/** What a visit's report finds, without what CFE has granted already. */
export async function findingsFor(db: Queryable, projectId: string, answers: Answers): Promise<Finding[]> {
  const cases = await db.select().from(cfeCases).where(eq(cfeCases.projectId, projectId))
  const granted = cases.filter((one) => one.kind !== 'name_change' && isGranted(one))
  const isCovered = ({ kind }: Finding) =>
    granted.some((one) => {
      if (one.kind !== 'load_increase') return kind === 'second_meter' || kind === 'load_increase'
      const { approvedKilowatts } = one
      return kind === one.kind && (approvedKilowatts === null || bearsWith(answers, approvedKilowatts))
    })
  return findingsOf(answers).filter((finding) => !isCovered(finding))
}

/** What keeps an installation's record from being approved, by the conditions of its project. */
export async function heldFor(db: Queryable, projectId: string, { chargerSet }: Answers): Promise<Held[]> {
  const [conditions, cases] = await Promise.all([
    conditionsOf(db, projectId),
    db.select({ kind: cfeCases.kind }).from(cfeCases).where(eq(cfeCases.projectId, projectId)),
  ])
  const isStateable = cases.every(({ kind }) => kind === 'name_change')
  return holding(conditions, typeof chargerSet === 'number' ? chargerSet : null).map(({ kind }) => ({
    kind,
    why: whyHeld[kind],
    isStateable,
  }))
}

export async function answersOf(db: Queryable, appointmentId: string): Promise<Answers> {
  const stored = await db
    .select({ name: sheetAnswers.name, value: sheetAnswers.value })
    .from(sheetAnswers)
    .where(eq(sheetAnswers.appointmentId, appointmentId))
  return Object.fromEntries(stored.map(({ name, value }) => [name, value]))
}

type Tested = About & Pick<AppointmentRow, 'id' | 'service'>

/**
 * The tests that an installation failed, by its record as it is now; a test that it did not make failed where the one
 * before did. The caller may know of it.
 */
export async function failedTestsOf(db: Queryable, { id, service, ...about }: Tested) {
  if (sheetKindOf[service] !== 'installation') return []
  const [agreed, answers, earlier] = await Promise.all([
    agreedFor(db, about.projectId),
    answersOf(db, id),
    earlierOf(db, about, 'installation'),
  ])
  const before = Object.fromEntries(
    measurementsOf('installation').map(({ name }) => [name, earlier[name] ?? null]),
  )
  return failedTests({ ...agreed, ...before, ...answers })
}

async function chargerOfVisit(db: Queryable, projectId: string): Promise<Answers> {
  const visit = await approvedVisit(db, projectId)
  if (!visit) return {}
  const { chargerBrand, chargerModel } = await answersOf(db, visit.id)
  return { chargerBrand, chargerModel }
}

/** Only values that the questions accept: the home's own form may allow what the report does not. */
function taken(kind: SheetKind, known: Answers): Answers {
  const judged = Object.entries(known).flatMap(([name, value]): [string, AnswerValue][] => {
    const question = questionOf(kind, name)
    const answer = question && judgeAnswer(question, value)
    return answer && 'value' in answer && answer.value !== null ? [[name, answer.value]] : []
  })
  return Object.fromEntries(judged)
}
