import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Actor, assertCustomer } from '../../domain/access/actor.ts'
import type { CasePart } from '../../domain/cfe/case.ts'
import { type Equipment, tellsSomething } from '../../domain/projects/equipment.ts'
import { type MoneyFacts, noMoney } from '../../domain/projects/next-step.ts'
import type { ProjectFacts } from '../../domain/projects/project.ts'
import type { ProjectPart } from '../../domain/projects/stages.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, isId, prepared, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { literals, record } from '../platform/database/lists.ts'
import { oncePerPage } from '../platform/database/reads.ts'
import { users } from '../platform/database/schema/accounts.ts'
import type { appointments } from '../platform/database/schema/appointments.ts'
import { type AddressRow, addresses, projects, tasks } from '../platform/database/schema/projects.ts'
import { announce } from '../platform/live/announcements.ts'

export type OpenProject = typeof projects.$inferSelect & { address: AddressRow | null }

const openProject = prepared((db) =>
  db
    .select({ project: projects, address: addresses })
    .from(projects)
    .leftJoin(addresses, and(eq(addresses.projectId, projects.id), isNull(addresses.archivedAt)))
    .where(and(eq(projects.customerId, sql.placeholder('customerId')), isNull(projects.closedAt)))
    .prepare('open_project'),
)

/** A project's own row, or undefined; the caller has checked access. */
export const projectRow = oncePerPage(async (db: Queryable, id: string) => {
  const [row] = isId(id) ? await db.select().from(projects).where(eq(projects.id, id)) : []
  return row
})

/** The customer's one open project with its current address, or null before either exists. */
export const openProjectOf = oncePerPage(
  async (db: Queryable, customerId: string): Promise<OpenProject | null> => {
    const [row] = await openProject(db).execute({ customerId })
    return row ? { ...row.project, address: row.address } : null
  },
)

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
  money,
  cfeCase,
  lostAt: project.lostReason ? project.closedAt : null,
})

/** The customer's open project, created when there is none, its row locked: two first saves at once create one. */
export async function heldProject(
  tx: Tx,
  customer: Pick<Actor, 'id'>,
  actorId = customer.id,
): Promise<string> {
  const [made] = await tx
    .insert(projects)
    .values({ customerId: customer.id })
    .onConflictDoNothing()
    .returning({ id: projects.id })
  if (made) {
    await record(tx, { entity: 'project', entityId: made.id, actorId, name: 'open' })
    return made.id
  }
  const [open] = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.customerId, customer.id), isNull(projects.closedAt)))
    .for('update')
  // Closed between the two statements: the next try opens a new one.
  return open?.id ?? heldProject(tx, customer, actorId)
}

type Ended = Pick<typeof appointments.$inferSelect, 'id' | 'folio' | 'customerId' | 'projectId'>

/** Ends without the purpose reached, each with the words of its task. */
const subjects = {
  not_possible: (folio: string) => `No fue posible ${folio}: acuerda con el cliente qué sigue`,
  half_done: (folio: string) => `Quedó a medias ${folio}: acuerda con el cliente cuándo se termina`,
  no_show: (folio: string) => `No se presentó a ${folio}: acuerda otro horario con el cliente`,
  called_off: (folio: string) => `Se canceló ${folio}: acuerda otro horario con el cliente`,
}
type WithoutAim = keyof typeof subjects

/** An appointment ended without its purpose reached: creates a task for the next step. */
export const askForNextStep = (tx: Tx, ended: Ended, reason: WithoutAim) =>
  askToCallCustomer(tx, ended, { subject: subjects[reason](ended.folio), reason, urgent: false })

/**
 * A part of the statement that books ("booked"; the rest are its values): the task after the previous appointment of the
 * same service is done.
 */
export const nextStepTaken = (value: Record<'project' | 'service' | 'actor' | 'now', string>) =>
  `update tasks set done_at = ${value.now}, taken_by = ${value.actor}, result = 'Se agendó ' || booked.folio || '.',
      version = version + 1, updated_at = now() from booked
    where done_at is null and project_id = ${value.project} and reason in (${literals(Object.keys(subjects))})
      and appointment_id in (select id from appointments where project_id = ${value.project} and service = ${value.service})`

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
    const mine = and(eq(projects.customerId, actor.id), isNull(projects.closedAt))
    const [saved] = await tx
      .update(projects)
      .set({ ...equipment, version: next })
      .where(and(mine, eq(projects.version, version)))
      .returning({ id: projects.id })
    if (!saved) return refuse('aborted')
    await record(tx, { entity: 'project', entityId: saved.id, actorId: actor.id, name: 'change_equipment' })
    return saved.id
  })
  announce(db, { people: [actor.id, id] })
}
