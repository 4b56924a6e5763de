import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { type Actor, assertCustomer, isCustomer } from '../access/rules/actor.ts'
import { claimUnprovedAccount } from '../accounts/email-change.ts'
import { refuseBraked } from '../accounts/limits.ts'
import { customerToActFor } from '../accounts/people.ts'
import { snapshot } from '../appointments/book.ts'
import { moveTo, placementAt } from '../appointments/reschedule.ts'
import { activeStates, affectedUserIds } from '../appointments/rules/appointment.ts'
import { type AppointmentRow, lockAppointment } from '../appointments/transition.ts'
import { stateIn } from '../appointments/visibility.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { type AddressRow, addresses, projects, tasks } from '../platform/database/schema/projects.ts'
import { assertVersion } from '../platform/database/versions.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { heldProject, homeOrOther, openProjectOf, type ProjectOwner } from '../projects/open-project.ts'
import { assertNotQuoted, assertQuotedHome } from '../projects/quoted-home.ts'
import type { Locality } from '../projects/rules/address.ts'
import { pinAfter } from '../projects/rules/pin.ts'
import { noSuchCode, stateOfCode } from '../projects/rules/postal-codes.ts'
import type { Address } from '../projects/rules/schema.ts'
import { lockAndCheck, lockingStaffing } from '../scheduling/choose.ts'
import { toMinutes } from '../shared/calendar.ts'
import { municipalityLabel } from '../shared/places.ts'
import { refuse } from '../shared/refusal.ts'
import { bookedAtHome, nameOf, type VisitMove, visitMovesFor } from './booked-visit.ts'
import { areaReason, takesTasks } from './tasks.ts'

/**
 * `version` is the one the form was shown with, null for a first address; `moveVisit` says that a booked visit moves to
 * the new address.
 */
type AddressInput = {
  address: Address
  version: number | null
  moveVisit: boolean
  /** The visits that the form showed, their ids joined by commas, '' for none; undefined when the form did not say. */
  visitSeen?: string | undefined
  /** The time that the customer chose for a visit that no assignee can make at the new address at its own time. */
  newStart?: Date | null
}

/** Saves the address of the customer's own home, or of `other`, which opens its project: see `save`. */
export async function saveAddress(
  db: Db,
  actor: Actor,
  input: AddressInput,
  now: Date,
  other: string | null = null,
): Promise<readonly AppointmentRow[]> {
  assertCustomer(actor)
  return save(db, actor, homeOrOther(actor, actor, other), input, now)
}

/** The manager corrects the address of a customer, or enters it: see `save`. */
export async function correctAddress(
  db: Db,
  actor: Actor,
  { id, projectId }: ProjectOwner,
  input: AddressInput,
  now: Date,
): Promise<readonly AppointmentRow[]> {
  const customer = await customerToActFor(db, actor, id)
  return save(db, actor, { id: customer.id, projectId }, input, now)
}

/**
 * Saves the address of a customer's open project, and moves booked visits there when asked. All of it happens, or
 * nothing. Returns the state of the moved visits.
 */
async function save(
  db: Db,
  actor: Actor,
  customer: ProjectOwner,
  input: AddressInput,
  now: Date,
): Promise<readonly AppointmentRow[]> {
  const address = await asVerified(db, customer, input.address)
  const { moveVisit, newStart = null } = input
  // Before times are offered for the other address; checked again on the locked rows.
  const open = await openProjectOf(db, customer)
  if (open) await assertQuotedHome(db, open.id, address, actor)
  const moves = moveVisit ? await visitMovesFor(db, actor, customer, address, newStart, now) : []
  const followed = await transaction(
    db,
    async (tx) => {
      if (!isCustomer(actor)) await claimUnprovedAccount(tx, customer.id, actor.id, now)
      const projectId = await heldProject(tx, customer, actor.id)
      await assertQuotedHome(tx, projectId, address, actor)
      const form = { ...input, address }
      const saved = await write(tx, actor, projectId, form, customer.opener !== undefined)
      if (!saved) return []
      await refuseUnseenVisit(tx, projectId, input)
      const moved: AppointmentRow[] = []
      for (const move of moves) moved.push(await followToAddress(tx, actor, move, saved, now))
      await followArea(tx, customer, saved, now)
      return moved
    },
    moves.length > 0 ? lockingStaffing : '',
  )
  announce(db, { people: concerned(customer, moves, followed) })
  return followed
}

const concerned = (
  customer: Pick<Actor, 'id'>,
  moves: readonly VisitMove[],
  followed: readonly AppointmentRow[],
) => [customer.id, ...[...moves.map(({ visit }) => visit), ...followed].flatMap(affectedUserIds)]

/** An address with the office's own answer about its code and municipality, where there is one. */
async function asVerified(db: Db, customer: ProjectOwner, address: Address) {
  const known = (await openProjectOf(db, customer))?.address
  const isTheSame =
    known?.areaVerifiedAt &&
    known.postalCode === address.postalCode &&
    [known.municipality, municipalityLabel(known.municipality)].includes(address.municipality)
  if (!isTheSame) return { ...address, areaVerifiedAt: null }
  const { area, areaVerifiedAt, municipality, regionGroup, state } = known
  return { ...address, ...({ area, municipality, regionGroup, state } as Locality), areaVerifiedAt }
}

/** Saves and records an address. Null where `opens` and the form was sent before: its home is stored already. */
async function write(
  tx: Tx,
  actor: Actor,
  projectId: string,
  { address, version }: { address: Awaited<ReturnType<typeof asVerified>>; version: number | null },
  opens: boolean,
): Promise<AddressRow | null> {
  const [current] = await tx.select().from(addresses).where(present(projectId))
  if (opens && current && version === null && isWholly(current, address)) return null
  await assertVersion(tx, actor, 'address', current ?? { id: projectId, version: null }, version)
  const [written] = current
    ? await tx
        .update(addresses)
        .set({ ...address, ...pinAfter(current, address), version: current.version + 1 })
        .where(eq(addresses.id, current.id))
        .returning()
    : await tx
        .insert(addresses)
        .values({ ...address, projectId })
        .returning()
  const saved = written ?? refuse('internal')
  const { area, id, postalCode } = saved
  const event = { entity: 'address', entityId: id, actorId: actor.id, data: { postalCode, area } } as const
  await record(tx, { ...event, name: current ? 'update' : 'create' })
  return saved
}

/** Whether a stored address is as it was typed, also beside its place. */
const isWholly = (current: AddressRow, address: Partial<AddressRow>) =>
  Object.entries(address).every(([name, value]) => `${current[name as keyof AddressRow]}` === `${value}`)

/** A visit was booked since the form was opened: its customer was not asked whether it moves. */
async function refuseUnseenVisit(tx: Tx, projectId: string, { visitSeen }: AddressInput) {
  if (visitSeen === undefined) return
  const seen = visitSeen.split(',')
  const booked = await tx
    .select({ id: appointments.id, folio: appointments.folio, service: appointments.service })
    .from(appointments)
    .where(
      and(
        eq(appointments.projectId, projectId),
        inArray(appointments.service, bookedAtHome),
        stateIn(['requested', 'assigned']),
      ),
    )
  const unseen = booked.find(({ id }) => !seen.includes(id))
  if (unseen)
    refuse('aborted', `Mientras tanto se agendó la ${nameOf(unseen)}. Di si también va a esta dirección.`)
}

/** A postal code that cannot be judged: the office calls, once for each home; a settled home needs no call. */
export async function followArea(
  tx: Tx,
  customer: Pick<Actor, 'id'>,
  { area, projectId }: Pick<AddressRow, 'area' | 'projectId'>,
  now: Date,
): Promise<void> {
  if (area === 'to_verify') await askForCall(tx, customer, projectId)
  else await endAreaTask(tx, projectId, now)
}

async function endAreaTask(tx: Tx, projectId: string, now: Date): Promise<void> {
  const open = and(eq(tasks.projectId, projectId), eq(tasks.reason, areaReason), isNull(tasks.doneAt))
  await tx.update(tasks).set({ doneAt: now, result: 'El domicilio cambió.' }).where(open)
}

async function askForCall(tx: Tx, customer: Pick<Actor, 'id'>, projectId: string): Promise<void> {
  await tx.execute(sql`
    insert into ${tasks} (subject, reason, person_id, project_id, phone)
    select 'Verificar si llegamos al domicilio', ${areaReason}, ${customer.id}, ${projectId}, (select phone from ${users} where id = ${customer.id})
    where not exists (select 1 from ${tasks} where project_id = ${projectId} and reason = ${areaReason} and done_at is null)`)
}

/**
 * Removes the current address from the project; refused while an appointment is booked there. It is kept, never
 * deleted.
 */
export async function archiveAddress(db: Db, actor: Actor, version: number, now: Date): Promise<void> {
  assertCustomer(actor)
  await transaction(db, async (tx) => {
    const projectId = await heldProject(tx, actor)
    await assertNotQuoted(tx, projectId)
    const [archived] = await tx
      .update(addresses)
      .set({ archivedAt: now, version: version + 1 })
      .where(and(present(projectId), eq(addresses.version, version)))
      .returning({ id: addresses.id })
    if (!archived) refuse('aborted')
    // Checked once the address is locked: a concurrent booking there has ended by now, or finds it gone.
    const [waiting] = await tx
      .select({ folio: appointments.folio })
      .from(appointments)
      .where(
        and(
          eq(appointments.projectId, projectId),
          stateIn(activeStates),
          ne(appointments.service, 'videocall'),
        ),
      )
    if (waiting)
      refuse(
        'failed-precondition',
        `Tienes la cita ${waiting.folio} en este domicilio. Primero cámbiala o pide ayuda.`,
      )
    await endAreaTask(tx, projectId, now)
    await record(tx, { entity: 'address', entityId: archived.id, actorId: actor.id, name: 'archive' })
  })
  announce(db, { people: [actor.id] })
}

/**
 * Records that a customer outside our area wants a notice when we serve it. With a code, it is kept as their home first,
 * with nothing else of it; not in the place of one that we may serve.
 */
export async function askForNotice(
  db: Db,
  actor: Actor,
  now: Date,
  postalCode?: string | undefined,
  other: string | null = null,
): Promise<void> {
  assertCustomer(actor)
  await transaction(db, async (tx) => {
    const projectId = await heldProject(tx, homeOrOther(actor, actor, other))
    if (postalCode) await keepCode(tx, projectId, postalCode)
    const [asked] = await tx
      .update(addresses)
      .set({ wantsNoticeAt: now })
      .where(and(present(projectId), eq(addresses.area, 'outside')))
      .returning({ id: addresses.id })
    if (!asked) refuse('failed-precondition', 'Tu domicilio ya está en nuestra zona.')
    await record(tx, { entity: 'address', entityId: asked.id, actorId: actor.id, name: 'ask_for_notice' })
  })
}

async function keepCode(tx: Tx, projectId: string, postalCode: string) {
  const state = stateOfCode(postalCode) ?? refuse('invalid-argument', noSuchCode)
  const place = {
    postalCode,
    state,
    regionGroup: state === 'edomex' ? state : null,
    area: 'outside' as const,
  }
  const blank = { municipality: '', colonia: '', street: '', outerNumber: '', dwelling: '', parking: '' }
  const [current] = await tx.select().from(addresses).where(present(projectId))
  if (current && current.area !== 'outside')
    refuse('failed-precondition', 'Ya tienes un domicilio guardado. Quítalo antes si te cambias de casa.')
  if (!current) await tx.insert(addresses).values({ ...blank, ...place, projectId })
  else if (current.postalCode !== postalCode)
    await tx
      .update(addresses)
      .set({ ...blank, ...place, innerNumber: null, version: current.version + 1 })
      .where(eq(addresses.id, current.id))
}

const present = (projectId: string) => and(eq(addresses.projectId, projectId), isNull(addresses.archivedAt))

/** Writes the new address in a booked visit, its assignee locked and checked again. Returns its state then. */
async function followToAddress(
  tx: Tx,
  actor: Actor,
  { visit, check }: VisitMove,
  address: AddressRow,
  now: Date,
): Promise<AppointmentRow> {
  // First the row, then the day: the order in which assigning and confirming hold them.
  const held = await lockAppointment(tx, actor, visit.id)
  await assertVersion(tx, actor, 'appointment', held, visit.version)
  const place = { municipality: address.municipality, address: snapshot(address) }
  if (actor.id === held.customerId) await refuseBraked(tx, actor.id)
  if (!check) return writePlace(tx, actor, held, place, held.assigneeId)
  const { personId, question, start } = check
  const { staffing } = question
  if (start !== toMinutes(held.startsAt)) {
    const outcome = await moveTo(tx, actor, held, { start, personId, staffing, place, because: 'ours' }, now)
    return 'against' in outcome ? refuse('aborted', meanwhile) : outcome
  }
  const placement = placementAt(held, { start, promised: true, place })
  const against = await lockAndCheck(tx, staffing, placement, personId, now)
  if (against?.length !== 0) refuse('aborted', meanwhile)
  return writePlace(tx, actor, held, place, personId)
}

const meanwhile = 'Mientras tanto cambió la agenda. Vuelve a guardar.'

async function writePlace(
  tx: Tx,
  actor: Actor,
  held: AppointmentRow,
  place: Pick<AppointmentRow, 'municipality' | 'address'>,
  personId: string | null,
): Promise<AppointmentRow> {
  const stays = personId === held.assigneeId
  const [moved] = await tx
    .update(appointments)
    .set({
      ...place,
      sequence: held.sequence + 1,
      version: sql`${appointments.version} + 1`,
      ...(!stays && { assigneeId: personId, confirmedAt: null, state: 'requested' as const }),
    })
    .where(eq(appointments.id, held.id))
    .returning()
  if (!moved) return refuse('aborted')
  await record(tx, {
    entity: 'appointment',
    entityId: held.id,
    actorId: actor.id,
    name: 'change_address',
    fromState: held.state,
    toState: moved.state,
    data: { from: areaOf(held), to: areaOf(moved), assigneeId: moved.assigneeId },
  })
  await tell(tx, held, stays)
  return moved
}

/** Notifies the customer's calendar of the new address; a confirmed assignee of both addresses, or of another one. */
async function tell(tx: Tx, held: AppointmentRow, stays: boolean) {
  const about = {
    appointmentId: held.id,
    was: { startsAt: held.startsAt.toISOString(), zone: held.municipality },
  }
  await enqueue(tx, 'letter', { ...about, letter: 'changed', to: 'customer' })
  if (!held.assigneeId || !held.confirmedAt) return
  const letter = stays ? ('changed' as const) : ('no_person' as const)
  await enqueue(tx, 'letter', { ...about, letter, to: 'person', personId: held.assigneeId })
}

/** The history is never erased, so it keeps the part of town and not the address. */
const areaOf = ({ address }: Pick<AppointmentRow, 'address'>) =>
  address && { postalCode: address.postalCode, municipality: address.municipality }

/** The home, as it was shown, and whether we serve it. */
type AreaAnswer = { taskId: string; version: number; answer: 'yes' | 'no' }

/** Answers whether we serve a home that its postal code does not decide; a letter is sent either way. */
export async function verifyArea(
  db: Db,
  actor: Actor,
  { answer, taskId, version }: AreaAnswer,
  now: Date,
): Promise<void> {
  if (!takesTasks(actor)) refuse('permission-denied')
  const customerId = await transaction(db, async (tx) => {
    const [task] = await tx
      .update(tasks)
      .set({ doneAt: now, takenBy: actor.id, result: answer === 'yes' ? 'Sí llegamos.' : 'No llegamos.' })
      .where(and(eq(tasks.id, taskId), eq(tasks.reason, areaReason), isNull(tasks.doneAt)))
      .returning({ projectId: tasks.projectId })
    if (!task?.projectId) return refuse('failed-precondition', 'Alguien más ya lo atendió.')
    const { projectId } = task
    const area = answer === 'yes' ? 'served' : 'outside'
    const [home] = await tx
      .update(addresses)
      .set({ area, areaVerifiedAt: now, version: sql`${addresses.version} + 1` })
      .where(and(present(projectId), eq(addresses.area, 'to_verify'), eq(addresses.version, version)))
      .returning({ id: addresses.id })
    if (!home) return refuse('aborted', 'Su domicilio cambió. Actualiza la página y revísalo de nuevo.')
    const event = { entity: 'address', entityId: home.id, actorId: actor.id, name: 'verify' } as const
    await record(tx, { ...event, data: { area } })
    const letter = answer === 'yes' ? ('area_served' as const) : ('area_outside' as const)
    await enqueue(tx, 'letter', { letter, projectId, to: 'customer' })
    const [project] = await tx
      .select({ customerId: projects.customerId })
      .from(projects)
      .where(eq(projects.id, projectId))
    return project!.customerId
  })
  announce(db, { people: [customerId] })
}
