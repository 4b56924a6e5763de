import { and, asc, desc, eq, inArray, ne, or, type SQL, sql } from 'drizzle-orm'
import { type Actor, isCustomer, type StaffKind } from '../../domain/access/actor.ts'
import { failedStates } from '../../domain/appointments/appointment.ts'
import { vehicleInWords } from '../../domain/projects/equipment.ts'
import { answerInWords } from '../../domain/reports/answer-words.ts'
import { judgeAnswer, personalAnswers } from '../../domain/reports/answers.ts'
import { type Agreed, voltsAtCharger } from '../../domain/reports/limits.ts'
import { calculationOf, isAsked, questionOf, sectionsOf } from '../../domain/reports/progress.ts'
import {
  type Answers,
  type AnswerValue,
  isSent,
  type SheetKind,
  sheetLabels,
  sheetStateFacts,
  sheetStates,
} from '../../domain/reports/report.ts'
import { fullName } from '../../domain/shared/format.ts'
import type { AppointmentRow } from '../appointments/transition.ts'
import { visibleTo } from '../appointments/visibility.ts'
import type { Db, Queryable, Tx } from '../platform/database/client.ts'
import { listed } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { appointments, faults, sheetAnswers, sheets } from '../platform/database/schema/appointments.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { acceptedMetres } from '../quotes/project-money.ts'

type About = Pick<AppointmentRow, 'address' | 'projectId'>

/** The known answers: of the home and its equipment, and, for an installation, the findings of its visit. */
export async function prefilledFor(db: Queryable, about: About, kind: SheetKind): Promise<Answers> {
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
    return { ...taken(kind, { customerName, ...(await fromVisit(db, agreed, about.projectId)) }), ...agreed }
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
  return { ...known, asksHouse: true }
}

/** The agreed values of an installation: from the approved visit, with the accepted metres. They are not answers. */
export async function agreedFor(db: Queryable, projectId: string): Promise<Agreed> {
  const visit = await approvedVisit(db, projectId)
  const answers = visit ? await answersOf(db, visit.id) : {}
  const { chargerDistance, conductor } = answers
  const accepted = await acceptedMetres(db, projectId)
  return {
    agreedConductor: typeof conductor === 'string' ? conductor : null,
    agreedBreaker: calculationOf(answers)?.circuit.breaker ?? null,
    agreedMetres: accepted ?? (typeof chargerDistance === 'number' ? chargerDistance : null),
    agreedVolts: voltsAtCharger(answers),
  }
}

/** The approved visit of a project, the latest; null before there is one. */
export async function approvedVisit(db: Queryable, projectId: string): Promise<AppointmentRow | null> {
  const [found] = await db
    .select({ visit: appointments })
    .from(appointments)
    .innerJoin(sheets, eq(sheets.appointmentId, appointments.id))
    .where(and(eq(appointments.projectId, projectId), eq(sheets.kind, 'visit'), eq(sheets.state, 'approved')))
    .orderBy(desc(sheets.reviewedAt))
    .limit(1)
  return found?.visit ?? null
}

export async function answersOf(db: Queryable, appointmentId: string): Promise<Answers> {
  const stored = await db
    .select({ name: sheetAnswers.name, value: sheetAnswers.value })
    .from(sheetAnswers)
    .where(eq(sheetAnswers.appointmentId, appointmentId))
  return Object.fromEntries(stored.map(({ name, value }) => [name, value]))
}

async function fromVisit(db: Queryable, agreed: Agreed, projectId: string): Promise<Answers> {
  const visit = await approvedVisit(db, projectId)
  if (!visit) return {}
  const { chargerBrand, chargerModel } = await answersOf(db, visit.id)
  return { conductor: agreed.agreedConductor, breaker: agreed.agreedBreaker, chargerBrand, chargerModel }
}

/** Only values that the questions accept: the home's own form may allow what the sheet does not. */
function taken(kind: SheetKind, known: Answers): Answers {
  const judged = Object.entries(known).flatMap(([name, value]): [string, AnswerValue][] => {
    const question = questionOf(kind, name)
    const answer = question && judgeAnswer(question, value)
    return answer && 'value' in answer && answer.value !== null ? [[name, answer.value]] : []
  })
  return Object.fromEntries(judged)
}

/** The written answers about a customer's home that they may read, sheet by sheet, by the words of its questions. */
export async function ownReports(db: Db, customerId: string) {
  const found = await db
    .select({ sheet: sheets, folio: appointments.folio })
    .from(sheets)
    .innerJoin(appointments, eq(appointments.id, sheets.appointmentId))
    .where(and(eq(appointments.customerId, customerId), ne(sheets.state, 'draft')))
    .orderBy(asc(sheets.submittedAt))
  return Promise.all(
    found.map(async ({ folio, sheet }) => ({
      Folio: folio,
      Documento: sheetLabels[sheet.kind],
      Estado: sheetStateFacts[sheet.state].label,
      Enviado: sheet.submittedAt,
      'Garantía hasta': sheet.warrantyUntil,
      ...(await answersInWords(db, sheet)),
    })),
  )
}

async function answersInWords(db: Db, { appointmentId, kind }: typeof sheets.$inferSelect) {
  const answers = await answersOf(db, appointmentId)
  return Object.fromEntries(
    sectionsOf[kind]
      .flatMap(({ questions }) => questions)
      .filter((question) => isAsked(question, answers))
      .map((question) => [question.label, answerInWords(question, answers[question.name])]),
  )
}

/**
 * For a deleted customer, their name and numbers are erased; findings and work at the home stay, as for every visit.
 */
export async function forgetReports(tx: Tx, customerId: string): Promise<void> {
  const theirs = tx
    .select({ id: appointments.id })
    .from(appointments)
    .where(eq(appointments.customerId, customerId))
  await tx
    .delete(sheetAnswers)
    .where(and(inArray(sheetAnswers.appointmentId, theirs), inArray(sheetAnswers.name, [...personalAnswers])))
  await tx.update(faults).set({ description: '–' }).where(eq(faults.customerId, customerId))
}

/**
 * The faults that a customer reported of their installations, in their own words; the photos are among their pictures.
 */
export async function ownReportedFaults(db: Db, customerId: string) {
  const rows = await db
    .select({ fault: faults, folio: appointments.folio })
    .from(faults)
    .innerJoin(appointments, eq(appointments.id, faults.appointmentId))
    .where(eq(faults.customerId, customerId))
    .orderBy(asc(faults.createdAt), asc(faults.id))
  return rows.map(({ fault, folio }) => ({
    Folio: folio,
    'Lo que escribiste': fault.description,
    Reportada: fault.createdAt,
    Resuelta: fault.closedAt,
  }))
}

const none = sql`false`

/** An installer reads the approved report of the visit, regardless of its author and age. */
const ofOwnInstallation = (actor: Actor) =>
  sql`${sheets.kind} = 'visit' and ${sheets.state} = 'approved' and exists (
    select 1 from appointments installation where installation.project_id = ${appointments.projectId}
      and installation.service = 'installation' and installation.state not in (${listed(failedStates)})
      and installation.assignee_id = ${actor.id} and installation.confirmed_at is not null
      and installation.starts_at between now() - interval '30 days' and now() + interval '60 days')`

const seenByStaff: Record<StaffKind, (actor: Actor) => SQL | undefined> = {
  manager: () => undefined,
  analyst: () => undefined,
  tecnician: (actor) => or(visibleTo(actor), ofOwnInstallation(actor)),
  gester: (actor) => and(visibleTo(actor), inArray(sheets.state, sheetStates.filter(isSent))),
  alliate: () => none,
}

/** The sheets an actor may see, joined with their appointments; a customer's own once they are sent. */
export const sheetVisibleTo = (actor: Actor): SQL | undefined =>
  isCustomer(actor)
    ? and(eq(appointments.customerId, actor.id), ne(sheets.state, 'draft'))
    : seenByStaff[actor.kind](actor)
