import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { claimUnprovedAccount } from '../accounts/email-change.ts'
import { customerToActFor } from '../accounts/people.ts'
import { cancelHeld } from '../appointments/cancel.ts'
import { openFaultSince } from '../appointments/faults.ts'
import { activeStates, affectedUserIds, underWayStates } from '../appointments/rules/appointment.ts'
import type { Caller } from '../appointments/rules/schema.ts'
import { type AppointmentRow, lockAppointment } from '../appointments/transition.ts'
import { stateIn } from '../appointments/visibility.ts'
import { endUnfiledCases } from '../cfe/commands.ts'
import { unfiledStates } from '../cfe/rules/case.ts'
import { cancelChargeRows } from '../payments/apply-ledger.ts'
import { type Db, isId, type Tx, transaction } from '../platform/database/client.ts'
import { listed, record } from '../platform/database/lists.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { cfeCases } from '../platform/database/schema/cfe.ts'
import { payments, quotes } from '../platform/database/schema/payments.ts'
import { addresses, projects, tasks } from '../platform/database/schema/projects.ts'
import { announce } from '../platform/live/announcements.ts'
import type { LockedProject } from '../projects/open-project.ts'
import {
  heldProject,
  lockProject,
  openIn,
  openProjectOf,
  type ProjectOwner,
  placeAmong,
  projectRow,
} from '../projects/open-project.ts'
import { assertQuotedHome } from '../projects/quoted-home.ts'
import { losesProjects, reopensProjects } from '../projects/rules/project.ts'
import type { Address, Losing } from '../projects/rules/schema.ts'
import { lostReasons } from '../projects/rules/stages.ts'
import { openQuoteStates } from '../quotes/rules/quote.ts'
import { factsOfQuote, withdrawHeld } from '../quotes/transition.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import { refuse } from '../shared/refusal.ts'
import { createCustomer } from '../users/commands.ts'
import { followArea } from './addresses.ts'
import { projectStatusesOf } from './overview.ts'

/**
 * How a customer's project ended, `wanted` or else the open one or the newest, for those who may change that; null for
 * others, and where there is none.
 */
export async function endingOf(db: Db, actor: Actor, customerId: string, wanted: string | null, now: Date) {
  if (!losesProjects(actor)) return null
  const [statuses, named] = await Promise.all([
    projectStatusesOf(db, [customerId], now),
    wanted ? projectRow(db, wanted) : undefined,
  ])
  const [first] = statuses
  if (!first?.projectId) return null
  const project = named?.customerId === customerId ? named : await projectRow(db, first.projectId)
  if (!project) return null
  const { closedAt, id, lostNote, lostReason } = project
  return {
    id,
    // An older one has ended.
    stage: statuses.find(({ projectId }) => projectId === id)?.stage ?? null,
    closedAt,
    lostReason,
    lostNote,
    mayReopen: reopensProjects(actor),
    /** Whether another one is under way, next to which it would be reopened. */
    otherOpen: statuses.some(({ isOpen, projectId }) => isOpen && projectId !== id),
  }
}

export type ProjectEnding = NonNullable<Awaited<ReturnType<typeof endingOf>>>

/**
 * Marks a project as lost: booked appointments are cancelled, open quotes withdrawn, and demands ended. Accepted, paid
 * or filed matters must be settled first by an authorized user; sent again, it has no further effect.
 */
export async function loseProject(db: Db, actor: Actor, input: Losing, now: Date): Promise<void> {
  if (!losesProjects(actor)) refuse('permission-denied')
  const { settings } = await currentStaffing(db)
  const people = await transaction(db, async (tx) => {
    const project = await lockProject(tx, input.projectId)
    if (project.closedAt && project.lostReason === input.reason) return []
    if (project.closedAt) refuse('failed-precondition', 'Este proyecto ya está cerrado.')
    await refuseUnsettled(tx, project.id)
    const reason = `No se concretó: ${lostReasons[input.reason]}`
    const cancelled: AppointmentRow[] = []
    for (const id of await bookedIn(tx, actor, project.id)) {
      const held = await lockAppointment(tx, actor, id)
      const closing = { reason: 'otro' as const, note: reason }
      cancelled.push(held, await cancelHeld(tx, actor, held, closing, now, settings))
    }
    await takeBackQuotes(tx, actor, project, reason, now)
    await cancelChargeRows(
      tx,
      and(eq(payments.projectId, project.id), eq(payments.state, 'pending')),
      reason,
      now,
    )
    await endUnfiledCases(tx, { projectId: project.id, reason, now })
    await tx
      .update(tasks)
      .set({ doneAt: now, takenBy: actor.id, result: reason })
      .where(and(eq(tasks.projectId, project.id), isNull(tasks.doneAt)))
    await tx
      .update(projects)
      .set({
        closedAt: now,
        lostReason: input.reason,
        lostNote: input.note,
        version: sql`${projects.version} + 1`,
      })
      .where(eq(projects.id, project.id))
    await record(tx, {
      entity: 'project',
      entityId: project.id,
      actorId: actor.id,
      name: 'lose',
      reason: input.note ?? reason,
      data: { reason: input.reason },
    })
    return [project.customerId, project.id, ...cancelled.flatMap(affectedUserIds)]
  })
  announce(db, { people })
}

/** The reason of a task that asks the manager to close a project. */
const askReason = 'lose_project'

/**
 * Asks the manager to close a project with a booked appointment, which only they cancel: a task, one for each project at
 * a time.
 */
export async function askToLose(db: Db, actor: Actor, input: Losing): Promise<void> {
  if (!losesProjects(actor)) refuse('permission-denied')
  await transaction(db, async (tx) => {
    const { closedAt, customerId, id } = await lockProject(tx, input.projectId)
    if (closedAt) refuse('failed-precondition', 'Este proyecto ya está cerrado.')
    const asked = and(eq(tasks.projectId, id), eq(tasks.reason, askReason), isNull(tasks.doneAt))
    const [known] = await tx.select({ id: tasks.id }).from(tasks).where(asked)
    if (known) return
    const [booked] = await bookedAppointments(tx, id)
    const why = [lostReasons[input.reason], input.note].filter(Boolean).join('. ')
    await tx.insert(tasks).values({
      subject: `Cerrar el proyecto como No concretado, lo pide ${actor.name}: «${why}»`,
      reason: askReason,
      personId: customerId,
      projectId: id,
      appointmentId: booked?.id ?? null,
    })
  })
  announce(db, { people: [] })
}

/** The matters to settle first: work under way or done, an accepted quote, a proof, a case filed with CFE. */
async function refuseUnsettled(tx: Tx, projectId: string): Promise<void> {
  const [work] = await tx
    .select({ folio: appointments.folio, state: appointments.state })
    .from(appointments)
    .where(
      and(
        eq(appointments.projectId, projectId),
        sql`(${appointments.state} in (${listed(underWayStates)})
          or ${appointments.service} = 'installation' and ${appointments.state} = 'done' and coalesce(${appointments.outcome}, 'completed') = 'completed')`,
      ),
    )
    .limit(1)
  if (work?.state === 'done')
    refuse('failed-precondition', 'Su instalación ya está hecha: no se puede perder.')
  if (work) refuse('failed-precondition', `La cita ${work.folio} está en curso. Espera a que termine.`)
  const [agreed] = await tx
    .select({ folio: quotes.folio })
    .from(quotes)
    .where(and(eq(quotes.projectId, projectId), eq(quotes.state, 'accepted')))
    .limit(1)
  if (agreed)
    refuse(
      'failed-precondition',
      `Su cotización ${agreed.folio} está aceptada. Primero cancélala, para que se proponga su reembolso.`,
    )
  const [proof] = await tx
    .select({ folio: payments.folio })
    .from(payments)
    .where(and(eq(payments.projectId, projectId), eq(payments.state, 'in_review')))
    .limit(1)
  if (proof) refuse('failed-precondition', `Primero revisa el comprobante de ${proof.folio}.`)
  const [filed] = await tx
    .select({ folio: cfeCases.folio })
    .from(cfeCases)
    .where(
      and(
        eq(cfeCases.projectId, projectId),
        isNull(cfeCases.closedAt),
        sql`${cfeCases.state} not in (${listed(unfiledStates)})`,
      ),
    )
    .limit(1)
  if (filed)
    refuse('failed-precondition', `Su trámite ${filed.folio} sigue abierto con CFE. Ciérralo primero.`)
}

/** The booked appointments; only a manager cancels them. */
async function bookedIn(tx: Tx, actor: Actor, projectId: string): Promise<string[]> {
  const booked = await bookedAppointments(tx, projectId)
  if (booked[0] && !reopensProjects(actor))
    refuse('failed-precondition', `Tiene la cita ${booked[0].folio}. Pide a la gerencia que la cancele.`)
  return booked.map(({ id }) => id)
}

const bookedAppointments = (tx: Tx, projectId: string) =>
  tx
    .select({ id: appointments.id, folio: appointments.folio })
    .from(appointments)
    .where(and(eq(appointments.projectId, projectId), stateIn(activeStates)))

async function takeBackQuotes(tx: Tx, actor: Actor, project: LockedProject, reason: string, now: Date) {
  const open = await tx
    .select()
    .from(quotes)
    .where(
      and(
        eq(quotes.projectId, project.id),
        inArray(quotes.state, ['draft', ...openQuoteStates, 'changes_requested']),
      ),
    )
    .for('update')
  for (const quote of open) {
    const held = { quote, facts: await factsOfQuote(tx, quote, project) }
    await withdrawHeld(tx, actor, held, reason, now)
  }
}

/** Reopens a lost project, beside the others of its customer. */
export async function reopenProject(db: Db, actor: Actor, projectId: string): Promise<void> {
  if (!reopensProjects(actor)) refuse('permission-denied')
  if (!isId(projectId)) refuse('not-found')
  const customerId = await transaction(db, async (tx) => {
    const project = await lockProject(tx, projectId)
    if (!project.closedAt) return project.customerId
    if (!project.lostReason) refuse('failed-precondition', 'Este proyecto concluyó: no se reabre.')
    const place = await placeAmong(tx, project.customerId)
    await tx
      .update(projects)
      .set({ place, closedAt: null, lostReason: null, lostNote: null, version: project.version + 1 })
      .where(eq(projects.id, projectId))
    await record(tx, { entity: 'project', entityId: projectId, actorId: actor.id, name: 'reopen' })
    return project.customerId
  })
  announce(db, { people: [customerId, projectId] })
}

/** A customer whose charger is installed and paid begins another project; sent again, it is the same one. */
export async function startAnother(db: Db, actor: Actor, owner: ProjectOwner, now: Date): Promise<void> {
  const { id: customerId } = owner
  if (actor.id !== customerId && !reopensProjects(actor)) refuse('permission-denied')
  await transaction(db, async (tx) => {
    const open = await openProjectOf(tx, owner)
    const status = (await projectStatusesOf(tx, [customerId], now)).find(
      ({ projectId }) => projectId === open?.id,
    )
    if (!open || !status || status.stage === 'intake') return
    const { closedAt, id, place, version } = await lockProject(tx, open.id)
    if (closedAt) return
    if (status.stage !== 'closed')
      refuse('failed-precondition', 'Tu proyecto todavía no termina. En cuanto termine puedes empezar otro.')
    if (await openFaultSince(tx, customerId, id))
      refuse('failed-precondition', 'Primero atendemos la falla que reportaste.')
    await tx
      .update(projects)
      .set({ closedAt: now, version: version + 1 })
      .where(eq(projects.id, id))
    await record(tx, { entity: 'project', entityId: id, actorId: actor.id, name: 'conclude' })
    // In the place that has become free: beside those that go on.
    await openIn(tx, customerId, place, actor.id)
  })
  announce(db, { people: [customerId] })
}

/** The manager enters the address of a caller who has none stored. */
export async function giveAddress(
  db: Db,
  actor: Actor,
  { id: customerId, ...which }: ProjectOwner,
  address: Address,
  now: Date,
): Promise<void> {
  const { id } = await customerToActFor(db, actor, customerId)
  await transaction(db, async (tx) => {
    await claimUnprovedAccount(tx, customerId, actor.id, now)
    if (!(await giveHome(tx, actor, { ...which, id }, { ...address, notice: false }, now)))
      refuse('aborted', 'Este cliente ya tiene domicilio.')
  })
  announce(db, { people: [customerId] })
}

/**
 * The manager registers a new caller with their home, in one change; a home outside our area is kept for the notice that
 * we arrived. Sent twice, it is one customer with one home. Returns the customer's id.
 */
export async function registerCaller(
  db: Db,
  actor: Actor,
  { caller, home }: { caller: Caller; home: NewHome | null },
  now: Date,
): Promise<string> {
  const id = await transaction(db, async (tx) => {
    const made = await createCustomer(tx, actor, caller, now)
    if (home) await giveHome(tx, actor, { id: made }, home, now)
    return made
  })
  announce(db, { people: [id] })
  return id
}

type NewHome = Address & { notice: boolean }

/** Answers whether the home was stored: not where the customer has one. */
async function giveHome(
  tx: Tx,
  actor: Actor,
  customer: ProjectOwner,
  { notice, ...address }: NewHome,
  now: Date,
): Promise<boolean> {
  const projectId = await heldProject(tx, customer, actor.id)
  await assertQuotedHome(tx, projectId, address, actor)
  const wantsNoticeAt = notice && address.area === 'outside' ? now : null
  const [saved] = await tx
    .insert(addresses)
    .values({ ...address, projectId, wantsNoticeAt })
    .onConflictDoNothing()
    .returning({ id: addresses.id })
  if (!saved) return false
  const about = { entity: 'address', entityId: saved.id, actorId: actor.id }
  const data = { postalCode: address.postalCode, area: address.area }
  await record(tx, { ...about, name: 'create', data })
  if (wantsNoticeAt) await record(tx, { ...about, name: 'ask_for_notice' })
  await followArea(tx, customer, { ...address, projectId }, now)
  return true
}
