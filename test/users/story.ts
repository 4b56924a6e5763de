import { randomUUID } from 'node:crypto'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { StaffKind } from '../../src/domain/access/actor.ts'
import { invitations, sessions, users } from '../../src/server/platform/database/schema/accounts.ts'
import { events } from '../../src/server/platform/database/schema/projects.ts'
import type { Jobs } from '../../src/server/platform/jobs/queues.ts'
import { openedJob } from '../kit/jobs.ts'
import type { Person } from '../kit/people.ts'
import type { World } from '../kit/world.ts'

export const password = 'una-frase-larga'
export const profile = { name: 'Eva', lastname: 'Luna', phone: '5511112222' }
export const newEmail = () => `invitada-${randomUUID().slice(0, 8)}@prueba.mx`

export const userOf = async (world: World, { id }: { id: string }) =>
  (await world.db.select().from(users).where(eq(users.id, id)))[0]!
export const userByEmail = async (world: World, email: string) =>
  (await world.db.select().from(users).where(eq(users.email, email)))[0]
export const sessionsOf = (world: World, { id }: { id: string }) =>
  world.db.select().from(sessions).where(eq(sessions.userId, id))

/** The names of what happened to a person, the last first. */
export const trailOf = async (world: World, { id }: { id: string }) => {
  const trail = await world.db
    .select({ name: events.name })
    .from(events)
    .where(and(eq(events.entity, 'user'), eq(events.entityId, id)))
    .orderBy(desc(events.id))
  return trail.map(({ name }) => name)
}

/** The last invitation to an e-mail. */
export const invitationTo = async (world: World, email: string) =>
  (
    await world.db
      .select()
      .from(invitations)
      .where(eq(invitations.email, email))
      .orderBy(desc(invitations.createdAt))
  )[0]!

/** The code in the last letter to an e-mail that waits to be sent. */
export async function codeTo(world: World, email: string): Promise<string> {
  const { id } = await invitationTo(world, email)
  const { rows } = await world.db.execute<{ data: Jobs['account-letter'] }>(
    sql`select data from pgboss.job where data ->> 'invitationId' = ${id} order by created_on desc limit 1`,
  )
  return openedJob(rows[0]!.data).code!
}

/** The manager's form. */
export const invite = (
  world: World,
  manager: Person,
  email: string,
  kind: StaffKind = 'analyst',
  agencyId = '',
) => world.post('/admin/users', { intent: 'invite', email, kind, agencyId }, manager)

/** An invitation that was sent, with its code. */
export async function invited(
  world: World,
  manager: Person,
  email = newEmail(),
  kind: StaffKind = 'analyst',
) {
  const answer = await invite(world, manager, email, kind)
  if (answer.status !== 303) throw new Error(`Not invited: ${answer.status}`)
  return { email, code: await codeTo(world, email), id: (await invitationTo(world, email)).id }
}

/** The manager's form of somebody's role; the version is the one that stands now, unless given. */
export const changeRole = async (
  world: World,
  by: Person,
  of: { id: string },
  role: string,
  form: Record<string, string> = {},
) => {
  const version = String((await userOf(world, of)).version)
  return world.post(`/admin/users/${of.id}`, { intent: 'role', version, role, agencyId: '', ...form }, by)
}

export const changeActive = async (
  world: World,
  by: Person,
  of: { id: string },
  active: 'yes' | 'no',
  form: Record<string, string> = {},
) => {
  const version = String((await userOf(world, of)).version)
  return world.post(`/admin/users/${of.id}`, { intent: 'active', version, active, ...form }, by)
}
