import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { isPerformer, performers } from '../../domain/appointments/appointment.ts'
import { isMunicipality, type MunicipalitySlug } from '../../domain/shared/places.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { managesPeople } from '../../domain/users/user.ts'
import { type Db, isId, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { personZones, shifts, timeOff, users } from '../platform/database/schema/accounts.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { lockingAllStaffing } from '../scheduling/choose.ts'
import { isTimeOffOpen, timeOffBounds } from './own-time-off.ts'
import { changeSchedule, type VersionedDecisions } from './schedule-changes.ts'

/** What waits for a manager's answer: of people who carry appointments out, and not over. */
const waiting = (actor: Actor, personId?: string): SQL | undefined =>
  and(
    managesPeople(actor) ? undefined : sql`false`,
    isTimeOffOpen,
    sql`upper(${timeOff.during}) > now()`,
    eq(users.active, true),
    inArray(users.kind, [...performers]),
    personId === undefined ? undefined : isId(personId) ? eq(timeOff.personId, personId) : sql`false`,
  )

/** The requests for time off that a manager has to answer, the soonest first: everybody's, or one person's. */
export const openTimeOffRequests = (db: Db, actor: Actor, personId?: string) =>
  db
    .select({
      id: timeOff.id,
      personId: timeOff.personId,
      person: users.fullName,
      ...timeOffBounds,
      reason: timeOff.reason,
    })
    .from(timeOff)
    .innerJoin(users, eq(users.id, timeOff.personId))
    .where(waiting(actor, personId))
    .orderBy(sql`lower(${timeOff.during})`, asc(timeOff.id))

export type TimeOffRequest = Awaited<ReturnType<typeof openTimeOffRequests>>[number]

type Answering = { timeOffId: string }

/** Gives the time off that was asked for, and settles the appointments it touches. */
export const approveTimeOff = (
  db: Db,
  actor: Actor,
  personId: string,
  wish: VersionedDecisions & Answering,
  now: Date,
) =>
  changeSchedule(db, actor, personId, wish, now, async (tx) => {
    const [given] = await tx
      .update(timeOff)
      .set({ approvedAt: now, approvedBy: actor.id })
      .where(openOne(personId, wish))
      .returning(timeOffBounds)
    if (!given) return refuse('failed-precondition', answered)
    const { timeOffId } = wish
    await enqueue(tx, 'letter', { letter: 'time_off_answered', timeOffId, to: 'person' })
    return { name: 'approve_time_off', data: given }
  })

/** Says no to a request, and why: the person reads it. */
export async function refuseTimeOff(
  db: Db,
  actor: Actor,
  personId: string,
  wish: Answering & { refusal: string },
  now: Date,
): Promise<void> {
  if (!managesPeople(actor)) refuse('permission-denied')
  await transaction(
    db,
    async (tx) => {
      const [refused] = await tx
        .update(timeOff)
        .set({ refusedAt: now, refusedBy: actor.id, refusedReason: wish.refusal })
        .where(openOne(personId, wish))
        .returning(timeOffBounds)
      if (!refused) refuse('failed-precondition', answered)
      const event = { name: 'refuse_time_off', data: refused }
      await record(tx, { entity: 'user', entityId: personId, actorId: actor.id, ...event })
      const { timeOffId } = wish
      await enqueue(tx, 'letter', { letter: 'time_off_answered', timeOffId, to: 'person' })
    },
    lockingAllStaffing,
  )
  announce(db, { people: [personId], desk: false })
}

const answered = 'Esa solicitud ya se respondió, o se retiró.'

const openOne = (personId: string, { timeOffId }: Answering) =>
  and(isId(personId) ? eq(timeOff.personId, personId) : sql`false`, eq(timeOff.id, timeOffId), isTimeOffOpen)

export type Absence = { id: string; from: Date; to: Date; reason: string | null }

/** When and where somebody works, for the manager; null for whoever has no appointments to carry out. */
export async function scheduleOf(db: Db, actor: Actor, personId: string) {
  if (!managesPeople(actor) || !isId(personId)) return null
  const [person] = await db
    .select({ id: users.id, kind: users.kind, version: users.version })
    .from(users)
    .where(eq(users.id, personId))
  if (!person || !isPerformer(person.kind)) return null
  const [weekly, zones, absences, requests] = await Promise.all([
    weekOf(db, personId),
    db.select().from(personZones).where(eq(personZones.personId, personId)),
    absencesOf(db, personId),
    openTimeOffRequests(db, actor, personId),
  ])
  return {
    ...{ id: person.id, kind: person.kind, version: person.version },
    shifts: weekly,
    zones: zones
      .map(({ municipality }) => municipality)
      .filter((slug): slug is MunicipalitySlug => isMunicipality(slug)),
    absences,
    requests,
  }
}

export type Schedule = NonNullable<Awaited<ReturnType<typeof scheduleOf>>>

const weekOf = (db: Db, personId: string) =>
  db
    .select({ weekday: shifts.weekday, from: shifts.starts, to: shifts.ends })
    .from(shifts)
    .where(eq(shifts.personId, personId))
    .orderBy(asc(shifts.weekday), asc(shifts.starts))

/** What is over is history, and not shown. */
const absencesOf = (db: Db, personId: string): Promise<Absence[]> =>
  db
    .select({
      id: timeOff.id,
      ...timeOffBounds,
      reason: timeOff.reason,
    })
    .from(timeOff)
    .where(
      and(
        eq(timeOff.personId, personId),
        sql`${timeOff.approvedAt} is not null and upper(${timeOff.during}) > now()`,
      ),
    )
    .orderBy(sql`lower(${timeOff.during})`, asc(timeOff.id))
