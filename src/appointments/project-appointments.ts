import { and, desc, eq, inArray, isNotNull, or, sql } from 'drizzle-orm'
import { type Actor, isOffice } from '../access/rules/actor.ts'
import { type Db, isId, prepared, type Queryable } from '../platform/database/client.ts'
import { historyOf } from '../platform/database/lists.ts'
import { oncePerPage } from '../platform/database/reads.ts'
import { visitCards } from '../platform/database/schema/accounts.ts'
import { appointments, calls, sheets } from '../platform/database/schema/appointments.ts'
import { addresses, projects } from '../platform/database/schema/projects.ts'
import {
  factsOfProject,
  type OpenProject,
  openProjectOf,
  type ProjectOwner,
} from '../projects/open-project.ts'
import { assertQuotedHome } from '../projects/quoted-home.ts'
import {
  missingForInstallation,
  missingWords,
  notReadyWords,
  readyParts,
} from '../projects/rules/next-step.ts'
import { pinAt } from '../projects/rules/pin.ts'
import { customerIdFor } from '../projects/rules/pipeline.ts'
import {
  type Hindrance,
  hindranceOf,
  isInstalled,
  isVisited,
  noProject,
  type ProjectFacts,
  readyFactsOf,
} from '../projects/rules/project.ts'
import type { ProjectPart } from '../projects/rules/stages.ts'
import { refuse } from '../shared/refusal.ts'
import { carWords } from '../users/rules/user.ts'
import type { BookingContext } from './booking-request.ts'
import { faultsAbout, openFaultSince } from './faults.ts'
import { reportTurn } from './report-and-call.ts'
import { type AppointmentState, type Facts, isActive, type Service } from './rules/appointment.ts'
import { readsFirstNamesOnly } from './rules/list.ts'
import { missedStepOf } from './rules/nobody-came.ts'
import { runningLateOf } from './rules/running-late.ts'
import { type AppointmentRow, factsOf } from './transition.ts'
import { appointmentFacts, assignee, customer, presentHome, stateIn, visibleTo } from './visibility.ts'

/** What a sheet's answer to a question is, beside its appointment. */
const answered = (name: 'feasibility' | 'feasibilityReason') => sql<string | null>`(
  select value #>> '{}' from sheet_answers where appointment_id = ${appointments.id} and name = ${sql.raw(`'${name}'`)})`

/** What a report that nobody came is judged by. */
const reportOfAbsence = {
  setOutAt: appointments.setOutAt,
  timeSetAt: appointments.timeSetAt,
  nobodyCameAt: appointments.nobodyCameAt,
  nobodyCameAnswer: appointments.nobodyCameAnswer,
  nobodyCameAnsweredAt: appointments.nobodyCameAnsweredAt,
}

/** What an assignee told of being late is judged by. */
const reportOfDelay = {
  runningLateMinutes: appointments.runningLateMinutes,
  runningLateAt: appointments.runningLateAt,
}

/** What the standing of some projects asks of their appointments, by project, the latest first. */
export async function partsOfProjects(
  db: Queryable,
  projectIds: readonly string[],
): Promise<Map<string, ProjectPart[]>> {
  const rows = await db
    .select({
      projectId: appointments.projectId,
      service: appointments.service,
      state: appointments.state,
      outcome: appointments.outcome,
      since: appointments.updatedAt,
      told: reportOfAbsence,
      sheetState: reportTurn,
      sheetSince: sql<Date | null>`coalesce(${sheets.reviewedAt}, ${sheets.submittedAt})`.mapWith(
        sheets.submittedAt,
      ),
      feasibility: answered('feasibility'),
      reason: answered('feasibilityReason'),
    })
    .from(appointments)
    .leftJoin(sheets, eq(sheets.appointmentId, appointments.id))
    .where(inArray(appointments.projectId, [...projectIds]))
    .orderBy(desc(appointments.startsAt))
  return Map.groupBy(
    rows.map(({ feasibility, reason, sheetSince, sheetState, told, ...part }) => ({
      ...part,
      missed: missedStepOf({ ...told, state: part.state }),
      report: reportOf(sheetState, sheetSince, whyNot(feasibility, reason)),
    })),
    ({ projectId }) => projectId,
  )
}

/** A sheet's outcome for others: a draft is its author's only. */
const reportOf = (
  state: (typeof sheets.$inferSelect)['state'] | null,
  since: Date | null,
  notViable: string | null,
) => (state && state !== 'draft' && since ? { state, since, notViable } : null)

/** Why an installation is not possible as things are; null where it is. */
const whyNot = (feasibility: string | null, reason: string | null) =>
  feasibility === 'not_viable' ? (reason ?? '') : null

const ofProject = prepared((db) =>
  db
    .select({
      ...appointmentFacts,
      assignee: sql<string | null>`nullif(${assignee.fullName}, '')`,
      car: { vehicle: visitCards.vehicle, colour: visitCards.colour, plates: visitCards.plates },
      credential: visitCards.credential,
      photoTag: visitCards.photoTag,
      confirmed: sql<boolean>`${appointments.confirmedAt} is not null`,
      interest: appointments.interest,
      outcome: appointments.outcome,
      closingReason: appointments.closingReason,
      closingNote: appointments.closingNote,
      notes: appointments.notes,
      nobodyCameAt: appointments.nobodyCameAt,
      version: appointments.version,
      since: appointments.updatedAt,
      told: reportOfAbsence,
      delay: reportOfDelay,
      startedAt: appointments.startedAt,
      customerWaitingSince: appointments.customerWaitingSince,
      customerCameAt: appointments.customerCameAt,
      callBackAskedAt: appointments.callBackAskedAt,
      takenOverAt: appointments.takenOverAt,
      keepsWaitingAt: calls.keepsWaitingAt,
      summary: calls.summary,
      nextSteps: calls.nextSteps,
      sheetState: reportTurn,
      sheetSince: sql<Date | null>`coalesce(${sheets.reviewedAt}, ${sheets.submittedAt})`.mapWith(
        sheets.submittedAt,
      ),
      feasibility: answered('feasibility'),
      feasibilityReason: answered('feasibilityReason'),
    })
    .from(appointments)
    .leftJoin(calls, eq(calls.appointmentId, appointments.id))
    .leftJoin(sheets, eq(sheets.appointmentId, appointments.id))
    .leftJoin(assignee, eq(assignee.id, appointments.assigneeId))
    .leftJoin(visitCards, eq(visitCards.userId, appointments.assigneeId))
    .where(
      and(
        eq(appointments.projectId, sql.placeholder('projectId')),
        eq(appointments.customerId, sql.placeholder('customerId')),
      ),
    )
    .orderBy(desc(appointments.startsAt))
    .prepare('appointments_of_project'),
)

/** A customer's appointments in a project, the latest first. A provisional assignee is left out. */
export const appointmentsOfProject = oncePerPage(async (db: Db, customerId: string, projectId: string) => {
  const rows = await ofProject(db).execute({ customerId, projectId })
  return rows.map(
    ({
      delay,
      feasibility,
      feasibilityReason,
      sheetSince,
      sheetState,
      told,
      car,
      credential,
      photoTag,
      ...row
    }) => ({
      ...row,
      who:
        row.confirmed && isActive(row.state)
          ? {
              car: car && carWords({ ...car, plates: null }),
              plates: car?.plates ?? null,
              credential,
              photoTag,
            }
          : null,
      missed: missedStepOf({ ...told, state: row.state }),
      runningLate: runningLateOf({ ...row, ...told, ...delay }, new Date()),
      assignee: row.confirmed ? row.assignee : null,
      report: reportOf(sheetState, sheetSince, whyNot(feasibility, feasibilityReason)),
    }),
  )
})

/** What a customer has booked of a service now; null where that is nothing. */
export async function bookedNow(db: Db, owner: ProjectOwner, service: Service) {
  const project = await openProjectOf(db, owner)
  const all = project ? await appointmentsOfProject(db, owner.id, project.id) : []
  return all.find((one) => one.service === service && isActive(one.state)) ?? null
}

/**
 * A customer's installations that were carried out to the end, the newest first: of the project that is meant, and of all
 * that are closed.
 */
export async function completedInstallations(db: Db, { id, projectId }: ProjectOwner) {
  return db
    .select({ id: appointments.id, startsAt: appointments.startsAt })
    .from(appointments)
    .innerJoin(projects, eq(projects.id, appointments.projectId))
    .where(
      and(
        eq(appointments.customerId, id),
        projectId ? or(eq(projects.id, projectId), isNotNull(projects.closedAt)) : undefined,
        eq(appointments.service, 'installation'),
        eq(appointments.state, 'done'),
        eq(appointments.outcome, 'completed'),
      ),
    )
    .orderBy(desc(appointments.startsAt))
}

/** What keeps a customer from booking a service, and the project it would be booked for. */
type Bookable = { hindrance: Hindrance | null; project: OpenProject | null; facts: ProjectFacts }

const readinessFactsOf = async (db: Db, customerId: string, project: OpenProject | null) =>
  project ? factsOfProject(project, await appointmentsOfProject(db, customerId, project.id)) : noProject

/** Whether a customer can book this service now, and if not, what stands in the way. */
export async function bookableProject(
  db: Db,
  { id, projectId }: ProjectOwner,
  service: Service,
): Promise<Bookable> {
  const project = await openProjectOf(db, { id, projectId })
  const facts = await readinessFactsOf(db, id, project)
  const faultSince = project && isInstalled(facts) ? await openFaultSince(db, id, project.id) : null
  return { hindrance: hindranceOf(service, facts, faultSince), project, facts }
}

/**
 * Refuses a booking that is not possible yet, or again, in words that say what is missing: to its customer with whose
 * turn it is, and to staff who book for a caller.
 */
export async function refuseUnready(
  db: Db,
  { customerId, isCaller, projectId }: Pick<BookingContext, 'customerId' | 'isCaller' | 'projectId'>,
  service: Service,
): Promise<void> {
  const { hindrance, facts, project } = await bookableProject(db, { id: customerId, projectId }, service)
  if (hindrance === 'not_ready')
    refuse('failed-precondition', isCaller ? theirMissing(facts) : ownMissing(facts))
  if (hindrance === 'concluded') refuse('failed-precondition', isCaller ? theyConcluded : concluded)
  if (service === 'installation' && project?.address)
    await assertQuotedHome(db, project.id, project.address, { role: isCaller ? 'staff' : 'customer' })
  if (hindrance === 'finished')
    refuse('failed-precondition', `${isCaller ? 'Su' : 'Tu'} instalación ya está hecha.`)
}

const ownMissing = (facts: ProjectFacts) => notReadyWords(readyParts(readyFactsOf(facts), isVisited(facts)))
const theirMissing = (facts: ProjectFacts) =>
  `Todavía no se puede agendar su instalación. ${missingWords(missingForInstallation(readyFactsOf(facts)))}`

const concluded =
  'Tu cargador ya está instalado. Si algo falla, repórtalo o empieza otro proyecto en Instalación.'
const theyConcluded = 'Su cargador ya está instalado. Para otro cargador empieza un proyecto nuevo.'

const detailed = {
  appointment: appointments,
  customer,
  assignee: { id: assignee.id, name: assignee.fullName, phone: assignee.phone },
  home: addresses,
  vehicle: projects.vehicle,
  charger: projects.charger,
}

/** One appointment with its people, as far as the actor may see; null when it does not exist for them. */
export async function appointmentFor(db: Db, actor: Actor, id: string, states: readonly AppointmentState[]) {
  if (!isId(id)) return null
  const [row] = await db
    .select(detailed)
    .from(appointments)
    .innerJoin(projects, eq(projects.id, appointments.projectId))
    .innerJoin(customer, eq(customer.id, appointments.customerId))
    .leftJoin(addresses, presentHome)
    .leftJoin(assignee, eq(assignee.id, appointments.assigneeId))
    .where(and(eq(appointments.id, id), stateIn(states), visibleTo(actor)))
  if (!row) return null
  const { appointment } = row
  const person = row.assignee?.id
    ? {
        id: row.assignee.id,
        name: row.assignee.name,
        phone: isOffice(actor) && actor.id !== row.assignee.id ? row.assignee.phone : null,
      }
    : null
  const { id: customerId, name, lastname, phone, email } = row.customer
  const common = {
    id: appointment.id,
    folio: appointment.folio,
    service: appointment.service,
    state: appointment.state,
    startsAt: appointment.startsAt,
    minutes: appointment.minutes,
    confirmed: appointment.confirmedAt !== null,
    version: appointment.version,
  }
  if (readsFirstNamesOnly(actor))
    return {
      ...common,
      folio: '',
      confirmed: false,
      // The account and the folio are not shown to them.
      projectId: null,
      customer: { id: '', fileId: null, name, lastname: null, phone: null, email: null },
      assignee: null,
      address: null,
      pin: null,
      notes: null,
      closingNote: null,
      startedAt: null,
      municipality: null,
      interest: null,
      vehicle: null,
      charger: null,
      ending: null,
      nobodyCameAt: null,
      missed: null,
      runningLate: null,
      faults: [],
    }
  const [ending, faults] = await Promise.all([
    isActive(appointment.state) ? null : endingOf(db, appointment),
    faultsAbout(db, id),
  ])
  return {
    ...common,
    projectId: appointment.projectId,
    customer: { id: customerId, fileId: customerIdFor(actor, customerId), name, lastname, phone, email },
    assignee: person,
    address: appointment.address,
    pin: pinAt(appointment.address, row.home),
    notes: appointment.notes,
    closingNote: appointment.closingNote,
    startedAt: appointment.startedAt,
    municipality: appointment.municipality,
    interest: appointment.interest,
    vehicle: row.vehicle,
    charger: row.charger,
    ending,
    nobodyCameAt: appointment.nobodyCameAt,
    missed: missedStepOf(appointment),
    runningLate: runningLateOf(appointment, new Date()),
    faults,
  }
}

/** How an appointment ended: its outcome, the reason, and the author. No name is the system. A no-show also says its proofs. */
async function endingOf(db: Db, { closingReason, id, late, outcome }: AppointmentRow) {
  const [last] = await historyOf(db, 'appointment', id, 1)
  const { calledAt, metres } = (last?.data ?? {}) as { calledAt?: string; metres?: number }
  const proofs = { calledAt: calledAt ? new Date(calledAt) : null, metres: metres ?? null }
  const when = { madeAt: last?.madeAt ?? null, at: last?.at ?? null }
  return { outcome, closingReason, late, ...when, by: last?.actor ?? null, ...proofs }
}

/** What the rules ask about an appointment the actor sees; null when it does not exist for them. Not for the page's data. */
export async function factsFor(db: Db, actor: Actor, id: string): Promise<Facts | null> {
  if (!isId(id)) return null
  const [row] = await db
    .select({ appointment: appointments })
    .from(appointments)
    .innerJoin(projects, eq(projects.id, appointments.projectId))
    .where(and(eq(appointments.id, id), visibleTo(actor)))
  return row ? factsOf(row.appointment) : null
}

export type AppointmentDetail = NonNullable<Awaited<ReturnType<typeof appointmentFor>>>
