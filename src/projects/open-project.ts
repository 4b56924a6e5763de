import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { type Actor, assertCustomer, isStaff } from '../access/rules/actor.ts'
import type { CasePart } from '../cfe/rules/case.ts'
import { type Db, isId, prepared, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { literals, record } from '../platform/database/lists.ts'
import { oncePerPage } from '../platform/database/reads.ts'
import { users } from '../platform/database/schema/accounts.ts'
import type { appointments } from '../platform/database/schema/appointments.ts'
import { type AddressRow, addresses, projects, tasks } from '../platform/database/schema/projects.ts'
import { refuseVersion } from '../platform/database/versions.ts'
import { announce } from '../platform/live/announcements.ts'
import type { Condition } from '../reports/rules/report.ts'
import { refuse } from '../shared/refusal.ts'
import { conditionsHere } from './conditions.ts'
import { type Equipment, tellsSomething } from './rules/equipment.ts'
import { againstOtherHome, firstFree, homeIsOver, whichHome } from './rules/homes.ts'
import { type MoneyFacts, noMoney } from './rules/next-step.ts'
import type { ProjectFacts } from './rules/project.ts'
import type { ProjectPart } from './rules/stages.ts'

export type OpenProject = typeof projects.$inferSelect & {
  address: AddressRow | null
  conditions: readonly Condition[]
}

/**
 * A customer, and which of their open projects is meant. Without one it is the only one; where they have several,
 * nothing chooses for them: what asks is refused.
 */
export type ProjectOwner = {
  id: string
  projectId?: string | null | undefined
  /** Who may open the named one where there is none: another home, whose address is being saved. */
  opener?: Actor | undefined
}

/** The owner of a form's home, or of another one with the id `other`, which the actor opens with it. */
export const homeOrOther = (actor: Actor, owner: ProjectOwner, other: string | null): ProjectOwner =>
  other === null ? owner : { id: owner.id, projectId: other, opener: actor }

const openProject = prepared((db) =>
  db
    .select({ project: projects, address: addresses, conditions: conditionsHere })
    .from(projects)
    .leftJoin(addresses, and(eq(addresses.projectId, projects.id), isNull(addresses.archivedAt)))
    .where(
      and(
        eq(projects.customerId, sql.placeholder('customerId')),
        isNull(projects.closedAt),
        sql`(${sql.placeholder('projectId')}::uuid is null or ${projects.id} = ${sql.placeholder('projectId')}::uuid)`,
      ),
    )
    .limit(2)
    .prepare('open_project'),
)

/** The order of a customer's projects: the open ones by their places, then the newest. */
export const openFirst = [
  sql`${projects.closedAt} is not null`,
  sql`case when ${projects.closedAt} is null then ${projects.place} end`,
  desc(projects.createdAt),
]

/** A project's own row, or undefined; the caller has checked access. */
export const projectRow = oncePerPage(async (db: Queryable, id: string) => {
  const [row] = isId(id) ? await db.select().from(projects).where(eq(projects.id, id)) : []
  return row
})

const readOpenProject = oncePerPage(
  async (db: Queryable, customerId: string, projectId: string | null): Promise<OpenProject | null> => {
    const [row, other] = await openProject(db).execute({ customerId, projectId })
    if (other) refuse('failed-precondition', whichHome)
    return row ? { ...row.project, address: row.address, conditions: row.conditions } : null
  },
)

/**
 * The open project of a customer that is meant, with its current address, or null before either exists. Refused where
 * there are several and none is named.
 */
export const openProjectOf = (
  db: Queryable,
  { id, projectId = null }: ProjectOwner,
): Promise<OpenProject | null> => readOpenProject(db, id, projectId)

/**
 * The facts of a stored project for the rules: its appointments and, where whose turn it is matters, its money and its
 * case with CFE.
 */
export const factsOfProject = (
  {
    address,
    createdAt,
    ...project
  }: Pick<
    OpenProject,
    | 'address'
    | 'createdAt'
    | 'closedAt'
    | 'lostReason'
    | 'quoteAcceptedAt'
    | 'depositPaidAt'
    | 'permitNeeded'
    | 'permitReceivedAt'
    | 'permitValidAt'
    | 'permitReturned'
    | 'conditions'
  >,
  appointments: readonly ProjectPart[],
  money: MoneyFacts = noMoney,
  cfeCase: CasePart | null = null,
): ProjectFacts => ({
  area: address?.area ?? 'none',
  since: address?.updatedAt ?? createdAt,
  appointments,
  quoteAcceptedAt: project.quoteAcceptedAt,
  depositPaidAt: project.depositPaidAt,
  permitNeeded: project.permitNeeded,
  permitReceivedAt: project.permitReceivedAt,
  permitValidAt: project.permitValidAt,
  permitReturned: project.permitReturned,
  conditions: project.conditions,
  money,
  cfeCase,
  lostAt: project.lostReason ? project.closedAt : null,
})

/**
 * The open project of a customer that is meant, its row locked. One that is named and has ended is refused; where none
 * is open, one is created: two first saves at once create one.
 */
export async function heldProject(tx: Tx, owner: ProjectOwner, actorId = owner.id): Promise<string> {
  const { id: customerId, opener, projectId } = owner
  const open = and(eq(projects.customerId, customerId), isNull(projects.closedAt))
  const meant = projectId ? and(open, eq(projects.id, projectId)) : open
  const [held, other] = await tx.select({ id: projects.id }).from(projects).where(meant).for('update')
  if (other) return refuse('failed-precondition', whichHome)
  if (held) return held.id
  if (projectId && !opener) return refuse('aborted', homeIsOver)
  const place = opener ? await placeAmong(tx, customerId, isStaff(opener) || opener.emailVerified) : 1
  const made = await openIn(tx, customerId, place, actorId, projectId)
  if (made) return made
  // Opened between the two statements: the next try finds it, unless it is another's or has ended.
  if (!projectId) return heldProject(tx, owner, actorId)
  const [theirs] = await tx.select({ id: projects.id }).from(projects).where(meant).for('update')
  return theirs?.id ?? refuse('aborted')
}

/** Opens a project in a place among its customer's open ones; null where that place is taken. */
export async function openIn(
  tx: Tx,
  customerId: string,
  place: number,
  actorId: string,
  id?: string | null,
): Promise<string | null> {
  const [made] = await tx
    .insert(projects)
    .values({ customerId, place, ...(id && { id }) })
    .onConflictDoNothing()
    .returning({ id: projects.id })
  if (made) await record(tx, { entity: 'project', entityId: made.id, actorId, name: 'open' })
  return made?.id ?? null
}

/** A free place for another open project of a customer; refused where there are as many as one may have. */
export async function placeAmong(tx: Tx, customerId: string, isVerified = true): Promise<number> {
  const open = await tx
    .select({ place: projects.place })
    .from(projects)
    .where(and(eq(projects.customerId, customerId), isNull(projects.closedAt)))
  const against = againstOtherHome(isVerified, open.length)
  if (against) refuse('failed-precondition', against)
  return firstFree(open.map(({ place }) => place))
}

/** Has a customer's pages show another of their open projects, where an address does not name one. */
export async function chooseProject(db: Db, actor: Actor, projectId: string, now: Date): Promise<void> {
  assertCustomer(actor)
  const own = and(eq(projects.id, projectId), eq(projects.customerId, actor.id), isNull(projects.closedAt))
  const chosen = await db.update(projects).set({ chosenAt: now }).where(own).returning({ id: projects.id })
  if (chosen.length === 0) refuse('failed-precondition', homeIsOver)
}

/** The tables whose rows keep a project from being discarded. */
const holding =
  'appointments slot_wishes tasks conditions quotes payments refunds documents invoices cfe_cases'.split(' ')

/**
 * Closes an open project that holds nothing: its home was never given, or was removed, and nothing was booked, quoted,
 * paid or handed in for it. The only one stays. Sent again, it changes nothing more.
 */
export async function discardHome(db: Db, actor: Actor, id: string, now: Date): Promise<void> {
  assertCustomer(actor)
  const { id: customerId } = actor
  await transaction(db, async (tx) => {
    const own = eq(projects.customerId, customerId)
    const all = await tx.select().from(projects).where(own).orderBy(projects.id).for('update')
    const held = all.find((one) => one.id === id) ?? refuse('aborted')
    if (held.closedAt) return
    if (!all.some((other) => other !== held && !other.closedAt))
      refuse('failed-precondition', 'Es tu único domicilio: cámbialo en lugar de descartarlo.')
    const { rows } = await tx.execute(
      sql`select 1 where ${sql.join(
        holding.map((table) => sql`exists (select from ${sql.raw(table)} where project_id = ${held.id})`),
        sql` or `,
      )} or exists (select from addresses where project_id = ${held.id} and archived_at is null)`,
    )
    if (rows.length > 0)
      refuse('failed-precondition', 'Este domicilio ya tiene datos o citas, así que no se descarta.')
    await tx
      .update(projects)
      .set({ closedAt: now, lostReason: 'duplicado', version: next })
      .where(eq(projects.id, held.id))
    const data = { reason: 'duplicado' }
    await record(tx, { entity: 'project', entityId: held.id, actorId: customerId, name: 'lose', data })
  })
  announce(db, { people: [customerId] })
}

/** The open projects of a customer with their homes, in the order of their places: what a switch between them shows. */
export const openHomesOf = (db: Db, customerId: string) =>
  db
    .select({ id: projects.id, street: addresses.street, outerNumber: addresses.outerNumber })
    .from(projects)
    .leftJoin(addresses, and(eq(addresses.projectId, projects.id), isNull(addresses.archivedAt)))
    .where(and(eq(projects.customerId, customerId), isNull(projects.closedAt)))
    .orderBy(asc(projects.place))

/** The home of a project in a list, in SQL: said where its customer has others under way, else null. */
export const homeAmong = (project: AnyPgColumn, customer: AnyPgColumn) => sql<string | null>`(
  select home.street || ' ' || home.outer_number from addresses home where home.project_id = ${project} and home.archived_at is null
    and exists (select from projects other where other.customer_id = ${customer} and other.closed_at is null and other.id <> ${project}))`

/** The same in a list that goes back to what ended: said where its customer has, or had, other projects. */
export const homeAmongAll = (project: AnyPgColumn, customer: AnyPgColumn) => sql<string | null>`(
  select home.street || ' ' || home.outer_number from addresses home where home.project_id = ${project} and home.archived_at is null
    and exists (select from projects other where other.customer_id = ${customer} and other.id <> ${project}))`

type Ended = Pick<typeof appointments.$inferSelect, 'id' | 'folio' | 'customerId' | 'projectId'>

/** Ends without the purpose reached, each with the words of its task. */
const subjects = {
  not_possible: (folio: string) => `No fue posible ${folio}: acuerda con el cliente qué sigue`,
  half_done: (folio: string) => `Quedó incompleta ${folio}: acuerda con el cliente cuándo se termina`,
  no_show: (folio: string) => `No se presentó a ${folio}: acuerda otro horario con el cliente`,
  called_off: (folio: string) => `Se canceló ${folio}: acuerda otro horario con el cliente`,
}
type WithoutAim = keyof typeof subjects

/**
 * An appointment ended without its purpose reached: creates a task for the next step, urgent where an installation failed
 * tests.
 */
export const askForNextStep = (
  tx: Tx,
  ended: Ended,
  reason: WithoutAim,
  failed: readonly { label: string }[] = [],
) =>
  askToCallCustomer(tx, ended, {
    subject: [
      subjects[reason](ended.folio),
      ...(failed.length > 0
        ? [
            `No pasó: ${failed.map(({ label }) => label).join(', ')}. Dile que no use el cargador y confirma que quedó sin energía.`,
          ]
        : []),
    ].join('. '),
    reason,
    urgent: failed.length > 0,
  })

/**
 * A part of the statement that books ("booked"; the rest are its values): the task after the previous appointment of the
 * same service is done.
 */
export const nextStepTaken = `update tasks set done_at = :now, taken_by = :actorId, result = 'Se agendó ' || booked.folio || '.',
      version = version + 1, updated_at = now() from booked
    where done_at is null and project_id = :projectId and reason in (${literals(Object.keys(subjects))})
      and appointment_id in (select id from appointments where project_id = :projectId and service = :service)`

/** The reason of a task in which the manager decides whether an appointment is reopened. */
export const claimReason = 'claim'

type About = Pick<typeof appointments.$inferSelect, 'id' | 'customerId' | 'projectId'>

/** A task, urgent by default: to phone the customer of an appointment. */
export async function askToCallCustomer(
  tx: Tx,
  { customerId, id, projectId }: About,
  what: { subject: string; reason: string; urgent?: boolean },
): Promise<void> {
  const [customer] = await tx.select({ phone: users.phone }).from(users).where(eq(users.id, customerId))
  await tx.insert(tasks).values({
    urgent: true,
    ...what,
    personId: customerId,
    projectId,
    appointmentId: id,
    phone: customer?.phone ?? null,
  })
}

const next = sql`${projects.version} + 1`

/** Stores car and charger as the first booking gave them; existing values stay. */
export async function noteEquipment(tx: Tx, projectId: string, equipment: Equipment): Promise<void> {
  if (!tellsSomething(equipment)) return
  await tx
    .update(projects)
    .set({ ...equipment, version: next })
    .where(and(eq(projects.id, projectId), isNull(projects.vehicle), isNull(projects.charger)))
}

/** A customer changes car and charger of the open project, in the version that the form showed. */
export async function saveEquipment(
  db: Db,
  actor: Actor,
  equipment: Equipment,
  version: number,
): Promise<void> {
  assertCustomer(actor)
  const id = await transaction(db, async (tx) => {
    const own = await openProjectOf(tx, actor)
    const { id } = own ?? refuse('aborted')
    const [saved] = await tx
      .update(projects)
      .set({ ...equipment, version: next })
      .where(and(eq(projects.id, id), isNull(projects.closedAt), eq(projects.version, version)))
      .returning({ id: projects.id })
    if (!saved) return refuseVersion(tx, actor, { entity: 'project', id })
    await record(tx, { entity: 'project', entityId: id, actorId: actor.id, name: 'change_equipment' })
    return id
  })
  announce(db, { people: [actor.id, id] })
}

/** The project's row, locked until the transaction ends: every transaction about money locks it first. */
export async function lockProject(tx: Tx, id: string): Promise<LockedProject> {
  const [row] = await tx.select().from(projects).where(eq(projects.id, id)).for('update')
  return row ?? refuse('not-found')
}

export type LockedProject = typeof projects.$inferSelect
