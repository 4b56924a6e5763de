import { randomUUID } from 'node:crypto'
import { desc, eq } from 'drizzle-orm'
import type { Actor, StaffKind } from '../../src/access/rules/actor.ts'
import type { Affected } from '../../src/appointments/staffing-change.ts'
import type { Tx } from '../../src/platform/database/client.ts'
import { invitations, sessions, timeOff, users } from '../../src/platform/database/schema/accounts.ts'
import { appointments } from '../../src/platform/database/schema/appointments.ts'
import { documents } from '../../src/platform/database/schema/payments.ts'
import { settings } from '../../src/platform/database/schema/projects.ts'
import { staffPapers } from '../../src/platform/database/schema/staff.ts'
import type { Jobs } from '../../src/platform/jobs/queues.ts'
import { paperKey } from '../../src/platform/storage/drive.ts'
import { changeStaffing } from '../../src/scheduling/change-staffing.ts'
import { settingsKey } from '../../src/scheduling/roster.ts'
import {
  addDays,
  dayOf,
  daysFrom,
  minuteAt,
  statutoryHolidays,
  toDate,
  toMinutes,
} from '../../src/shared/calendar.ts'
import { localDay } from '../../src/shared/format.ts'
import { Refusal } from '../../src/shared/refusal.ts'
import type { Decisions } from '../../src/users/rules/staffing-change.ts'
import { newEmail } from './accounts.ts'
import { type storeVisit, type Visit, visitAtHome } from './appointments.ts'
import { openedJob } from './delivered.ts'
import type { Fixture } from './fixture.ts'
import { db, fixture, post, rowsWhere, rowWhere, runSql, storeRows } from './open.ts'
import type { Person } from './people.ts'

export const profile = { name: 'Eva', lastname: 'Luna', phone: '5511112222' }

export const userOf = async ({ id }: { id: string }) => (await rowWhere(users, { id }))!
export const userByEmail = (email: string) => rowWhere(users, { email })
export const sessionsOf = ({ id }: { id: string }) => rowsWhere(sessions, { userId: id })

/** The last invitation to an e-mail. */
export const invitationTo = async (email: string) =>
  (
    await db
      .select()
      .from(invitations)
      .where(eq(invitations.email, email))
      .orderBy(desc(invitations.createdAt))
  )[0]!

/** The code in the last letter to an e-mail that waits to be sent. */
export async function codeTo(email: string): Promise<string> {
  const { id } = await invitationTo(email)
  const { rows } = await runSql<{
    data: Jobs['account-letter']
  }>`select data from pgboss.job where data ->> 'invitationId' = ${id} order by created_on desc limit 1`
  return openedJob(rows[0]!.data).code!
}

/** The manager's form. */
export const invite = (manager: Person, email: string, kind: StaffKind = 'analyst', agencyId = '') =>
  post('/admin/users', { intent: 'invite', email, kind, agencyId }, manager)

/** An invitation that was sent, with its code. */
export async function invited(manager: Person, email = newEmail(), kind: StaffKind = 'analyst') {
  const answer = await invite(manager, email, kind)
  if (answer.status !== 303) throw new Error(`Not invited: ${answer.status}`)
  return { email, code: await codeTo(email), id: (await invitationTo(email)).id }
}

/** The manager's form of a user's role; the version is the one that stands now, unless given. */
export const changeRole = async (
  by: Person,
  of: { id: string },
  role: string,
  form: Record<string, string> = {},
) => {
  const version = String((await userOf(of)).version)
  return post(`/admin/users/${of.id}`, { intent: 'role', version, role, agencyId: '', ...form }, by)
}

export const changeActive = async (
  by: Person,
  of: { id: string },
  active: 'yes' | 'no',
  form: Record<string, string> = {},
) => {
  const version = String((await userOf(of)).version)
  return post(`/admin/users/${of.id}`, { intent: 'active', version, active, ...form }, by)
}

type Stored = Parameters<typeof storeVisit>[4]

/** A working Tuesday, Wednesday or Thursday ahead without a holiday, far enough for every notice; `nth` counts them. */
export function workday(nth = 0): string {
  const days = daysFrom(toMinutes(new Date()), 40).slice(4)
  const free = days.filter(
    ({ date, weekday }) =>
      weekday >= 1 && weekday <= 3 && !statutoryHolidays(Number(date.slice(0, 4))).includes(date),
  )
  return free[nth]!.date
}

export const at = (date: string, time: string) => toDate(minuteAt(date, time))

/** A visit of a new customer's in Coyoacán, assigned to a user, confirmed unless set otherwise. */
export async function visitFor(person: Person | null, startsAt: Date, input: Stored = {}) {
  const customer = await fixture.person({ name: 'Camila' })
  return visitAtHome(customer, startsAt, {
    ...(person ? { assigneeId: person.id } : { state: 'requested' as const, confirmedAt: null }),
    ...input,
  })
}

/** What a booking leaves: the person is provisional. */
export const provisional = { state: 'requested', confirmedAt: null } as const

export const now = async ({ id }: Pick<Visit, 'id'>, _world: Fixture) =>
  (await rowWhere(appointments, { id }))!

/** The kinds of change that can touch appointments. */
export const changes = {
  deactivate:
    ({ id }: Person) =>
    async (tx: Tx) => {
      await tx.update(users).set({ active: false }).where(eq(users.id, id))
    },
  off:
    ({ id }: Person, from: Date, to: Date) =>
    async (tx: Tx) => {
      const during = `[${from.toISOString()},${to.toISOString()})`
      await tx.insert(timeOff).values({ personId: id, during, approvedAt: new Date() })
    },
  settings: (value: object) => async (tx: Tx) => {
    await tx
      .insert(settings)
      .values({ key: settingsKey, value })
      .onConflictDoUpdate({ target: settings.key, set: { value } })
  },
}

export type Outcome = { refused: Refusal | null; affected: Affected[]; errors: Record<string, string> }

/** Tries a change; answers what it was refused with, if it was. */
export async function tries(
  actor: Actor,
  change: (tx: Tx) => Promise<unknown>,
  decisions: Partial<Decisions> = {},
): Promise<Outcome> {
  try {
    await changeStaffing(db, actor, { change, now: new Date(), ...decisions })
    return { refused: null, affected: [], errors: {} }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const details = (error.details ?? {}) as Partial<Outcome>
    return { refused: error, affected: details.affected ?? [], errors: details.errors ?? {} }
  }
}

/** The whole local day of a moment. */
export function dayAround(moment: Date) {
  const { date } = dayOf(toMinutes(moment))
  return [at(date, '00:00'), at(addDays(date, 1), '00:00')] as const
}

/** Stores a paper with its file that ends in ten days. */
export async function storePaper(
  { id: personId }: Pick<Person, 'id'>,
  input: Partial<typeof staffPapers.$inferInsert> = {},
) {
  const documentId = randomUUID()
  const file = { name: 'papel.pdf', type: 'application/pdf', bytes: 8, sha256: 'a'.repeat(64) } as const
  await fixture.drive.put(paperKey({ id: documentId }), Buffer.from('%PDF-1.4'), file.type)
  await storeRows(documents, { ...file, id: documentId, purpose: 'staff_paper', uploadedBy: personId })
  const term = { issued: '2024-01-10', expires: addDays(localDay(new Date()), 10) }
  const paper = { kind: 'ec0118', number: 'D-0001', ...term } as const
  const [row] = await storeRows(staffPapers, { ...paper, personId, documentId, ...input })
  return row!
}
