import { and, asc, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { type Actor, hasName, isCustomer } from '../access/rules/actor.ts'
import { contactChanged } from '../accounts/changes.ts'
import { type Begun, beginEmailChange, claimUnprovedAccount, orTaken } from '../accounts/email-change.ts'
import { countTry } from '../accounts/limits.ts'
import { contactsOf } from '../accounts/people.ts'
import { tellOfPhone } from '../accounts/phone-code.ts'
import { isPerformer, performers } from '../appointments/rules/appointment.ts'
import { type Db, isId, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { personZones, shifts, timeOff, users } from '../platform/database/schema/accounts.ts'
import { assertVersion } from '../platform/database/versions.ts'
import { happened } from '../platform/follows.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { changeStaffing } from '../scheduling/change-staffing.ts'
import { lockingAllStaffing } from '../scheduling/choose.ts'
import type { MinuteSpan, Shift } from '../scheduling/rules/roster.ts'
import { toDate } from '../shared/calendar.ts'
import { isMunicipality, type MunicipalitySlug } from '../shared/places.ts'
import { refuse } from '../shared/refusal.ts'
import { calendarsOf } from './busy-calendars.ts'
import { lockUser } from './invite.ts'
import { duringOf, isTimeOffOpen, timeOffBounds } from './own-time-off.ts'
import type { Decisions } from './rules/staffing-change.ts'
import { managesPeople } from './rules/user.ts'

/** The common fields of a working-time form: the version seen, and the decisions. */
type VersionedDecisions = { version: number | null; decisions: Decisions }

/** Replaces a user's weekly hours. */
export const saveShifts = (
  db: Db,
  actor: Actor,
  personId: string,
  input: VersionedDecisions & { shifts: readonly Shift[] },
  now: Date,
) =>
  changeSchedule(db, actor, personId, input, now, async (tx) => {
    const gone = await tx.delete(shifts).where(eq(shifts.personId, personId)).returning()
    const rows = input.shifts.map(({ weekday, from, to }) => ({ personId, weekday, starts: from, ends: to }))
    if (rows.length > 0) await tx.insert(shifts).values(rows)
    const from = gone.map(({ weekday, starts, ends }) => ({ weekday, from: starts, to: ends }))
    return { name: 'change_shifts', data: { from, to: input.shifts } }
  })

/** Replaces the municipalities a user serves; none is all of them. */
export const saveZones = (
  db: Db,
  actor: Actor,
  personId: string,
  input: VersionedDecisions & { zones: readonly MunicipalitySlug[] },
  now: Date,
) =>
  changeSchedule(db, actor, personId, input, now, async (tx) => {
    const gone = await tx.delete(personZones).where(eq(personZones.personId, personId)).returning()
    const rows = input.zones.map((municipality) => ({ personId, municipality }))
    if (rows.length > 0) await tx.insert(personZones).values(rows)
    return {
      name: 'change_zones',
      data: { from: gone.map(({ municipality }) => municipality), to: input.zones },
    }
  })

/** Adds a user's time off, approved at once. The reason may be private: it is in no event. */
export const addTimeOff = (
  db: Db,
  actor: Actor,
  personId: string,
  input: VersionedDecisions & { span: MinuteSpan; reason: string },
  now: Date,
) =>
  changeSchedule(db, actor, personId, input, now, async (tx) => {
    await insertTimeOff(tx, actor, personId, input, now)
    return { name: 'add_time_off', data: { from: toDate(input.span.start), to: toDate(input.span.end) } }
  })

/** Writes approved time off; refused where there is some already. */
export async function insertTimeOff(
  tx: Tx,
  actor: Actor,
  personId: string,
  { reason, span }: { span: MinuteSpan; reason: string },
  now: Date,
): Promise<void> {
  const during = duringOf(span, now)
  const [known] = await tx
    .select({ id: timeOff.id })
    .from(timeOff)
    .where(
      and(
        eq(timeOff.personId, personId),
        sql`${timeOff.approvedAt} is not null and ${timeOff.during} && ${during}::tstzrange`,
      ),
    )
    .limit(1)
  if (known) refuse('already-exists', 'Ya tiene un permiso en esas fechas. Quítalo primero.')
  await tx.insert(timeOff).values({ personId, during, reason, approvedAt: now, approvedBy: actor.id })
}

/** Removes time off. */
export const removeTimeOff = (
  db: Db,
  actor: Actor,
  personId: string,
  input: VersionedDecisions & { timeOffId: string },
  now: Date,
) =>
  changeSchedule(db, actor, personId, input, now, async (tx) => {
    const [gone] = await tx
      .delete(timeOff)
      .where(
        and(eq(timeOff.id, input.timeOffId), eq(timeOff.personId, personId), isNotNull(timeOff.approvedAt)),
      )
      .returning(timeOffBounds)
    return { name: 'remove_time_off', data: gone ?? refuse('not-found') }
  })

type Traced = { name: string; data: object }

/** Each change of a user's working time passes here: hold the person as seen, write, leave a trace, settle appointments. */
export async function changeSchedule(
  db: Db,
  actor: Actor,
  personId: string,
  { version, decisions }: VersionedDecisions,
  now: Date,
  change: (tx: Tx) => Promise<Traced>,
): Promise<void> {
  await changeStaffing(db, actor, {
    ...decisions,
    now,
    change: async (tx) => {
      await lockPerson(tx, actor, personId, version)
      const event = await change(tx)
      await record(tx, { entity: 'user', entityId: personId, actorId: actor.id, ...event })
    },
  })
  announce(db, { people: [personId], desk: false })
}

/**
 * The user in the version of the form: two managers do not overwrite each other, and a form sent twice changes once.
 */
async function lockPerson(tx: Tx, actor: Actor, personId: string, version: number | null) {
  if (!isId(personId)) refuse('not-found')
  const [person] = await tx
    .update(users)
    .set({ version: sql`${users.version} + 1` })
    .where(and(eq(users.id, personId), isNull(users.deletedAt)))
    .returning({ kind: users.kind, version: users.version })
  if (!person) return refuse('not-found')
  if (!isPerformer(person.kind)) refuse('failed-precondition', 'Esta persona no realiza citas.')
  await assertVersion(tx, actor, 'user', { id: personId, version: person.version - 1 }, version)
}

type Words = { name: string; lastname: string; phone: string }

/** The manager corrects a user's name and phone. The history records which changed, not their values. */
export async function correctPerson(
  db: Db,
  actor: Actor,
  uid: string,
  { name, lastname, phone, version }: Words & { version: number },
  now: Date,
): Promise<void> {
  if (!managesPeople(actor)) refuse('permission-denied')
  const input: Words = { name, lastname, phone }
  await transaction(db, async (tx) => {
    const person = await lockUser(tx, uid)
    await assertVersion(tx, actor, 'user', person, version)
    if (!hasName(person) && !isCustomer(person))
      refuse('failed-precondition', 'Todavía no completa su perfil.')
    const changed = (Object.keys(input) as (keyof Words)[]).filter((field) => input[field] !== person[field])
    if (changed.length === 0) return
    const taken = await claimUnprovedAccount(tx, uid, actor.id, now)
    await tx
      .update(users)
      .set({ ...input, version: version + (taken ? 2 : 1) })
      .where(eq(users.id, uid))
    const by = { entity: 'user', entityId: uid, actorId: actor.id }
    await record(tx, { ...by, name: 'correct_profile', data: { changed } })
    await tellOfPhone(tx, person, changed)
  })
  // The phone may be that of one of the agency's own allies.
  await happened(db, contactChanged, { customerId: uid, now })
  announce(db, { people: [uid, ...(await contactsOf(db, uid))] })
}

/** The manager begins the change of another user's e-mail; one's own asks for the password, at the account page. */
export async function correctEmail(
  db: Db,
  actor: Actor,
  uid: string,
  { email, version }: { email: string; version: number },
  now: Date,
): Promise<Begun> {
  if (!managesPeople(actor)) refuse('permission-denied')
  if (!isId(uid)) refuse('not-found')
  if (uid === actor.id) refuse('failed-precondition', 'El tuyo se cambia en «Mi cuenta», con tu contraseña.')
  await countTry(db, 'letters by account', uid, now)
  const begun = await transaction(db, async (tx) => {
    const person = await lockUser(tx, uid)
    await assertVersion(tx, actor, 'user', person, version)
    if (!person.active) refuse('failed-precondition', 'Su cuenta está inactiva: actívala primero.')
    return beginEmailChange(tx, uid, { email, askedBy: actor.id, now })
  }).catch(orTaken)
  await happened(db, contactChanged, { customerId: uid, now })
  announce(db, { people: [uid], desk: false })
  return begun
}

/** The requests that wait for a manager: of users who carry appointments out, and not past. */
const waiting = (actor: Actor, personId?: string): SQL | undefined =>
  and(
    managesPeople(actor) ? undefined : sql`false`,
    isTimeOffOpen,
    sql`upper(${timeOff.during}) > now()`,
    eq(users.active, true),
    inArray(users.kind, [...performers]),
    personId === undefined ? undefined : isId(personId) ? eq(timeOff.personId, personId) : sql`false`,
  )

/** More than all people together ask for at once. */
const MAX_REQUESTS = 100

/** The time off requests that a manager has to answer, the soonest first: all, or one user's. */
export const openTimeOffRequests = (db: Db, actor: Actor, personId?: string) =>
  db
    .select({
      id: timeOff.id,
      personId: timeOff.personId,
      person: users.fullName,
      ...timeOffBounds,
      reason: timeOff.reason,
      askedAt: timeOff.createdAt,
    })
    .from(timeOff)
    .innerJoin(users, eq(users.id, timeOff.personId))
    .where(waiting(actor, personId))
    .orderBy(sql`lower(${timeOff.during})`, asc(timeOff.id))
    .limit(MAX_REQUESTS)

export type TimeOffRequest = Awaited<ReturnType<typeof openTimeOffRequests>>[number]

type Answering = { timeOffId: string }

/** Approves requested time off, and settles the appointments it affects. */
export const approveTimeOff = (
  db: Db,
  actor: Actor,
  personId: string,
  input: VersionedDecisions & Answering,
  now: Date,
) =>
  changeSchedule(db, actor, personId, input, now, async (tx) => {
    const [given] = await tx
      .update(timeOff)
      .set({ approvedAt: now, approvedBy: actor.id })
      .where(openOne(personId, input))
      .returning(timeOffBounds)
    if (!given) return refuse('failed-precondition', answered)
    const { timeOffId } = input
    await enqueue(tx, 'letter', { letter: 'time_off_answered', timeOffId, to: 'person' })
    return { name: 'approve_time_off', data: given }
  })

/** Refuses a request, with a reason that its author reads. */
export async function refuseTimeOff(
  db: Db,
  actor: Actor,
  personId: string,
  input: Answering & { refusal: string },
  now: Date,
): Promise<void> {
  if (!managesPeople(actor)) refuse('permission-denied')
  await transaction(
    db,
    async (tx) => {
      const [refused] = await tx
        .update(timeOff)
        .set({ refusedAt: now, refusedBy: actor.id, refusedReason: input.refusal })
        .where(openOne(personId, input))
        .returning(timeOffBounds)
      if (!refused) refuse('failed-precondition', answered)
      const event = { name: 'refuse_time_off', data: refused }
      await record(tx, { entity: 'user', entityId: personId, actorId: actor.id, ...event })
      const { timeOffId } = input
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

/** A user's working hours and zones, for the manager; null for a user without appointments to carry out. */
export async function scheduleOf(db: Db, actor: Actor, personId: string, now: Date) {
  if (!managesPeople(actor) || !isId(personId)) return null
  const [person] = await db
    .select({ id: users.id, kind: users.kind, version: users.version })
    .from(users)
    .where(eq(users.id, personId))
  if (!person || !isPerformer(person.kind)) return null
  const [weekly, zones, absences, requests, calendars] = await Promise.all([
    weekOf(db, personId),
    db.select().from(personZones).where(eq(personZones.personId, personId)),
    absencesOf(db, personId),
    openTimeOffRequests(db, actor, personId),
    calendarsOf(db, actor, personId, now),
  ])
  return {
    id: person.id,
    kind: person.kind,
    version: person.version,
    shifts: weekly,
    zones: zones
      .map(({ municipality }) => municipality)
      .filter((slug): slug is MunicipalitySlug => isMunicipality(slug)),
    absences,
    requests,
    calendars,
    now,
  }
}

export type Schedule = NonNullable<Awaited<ReturnType<typeof scheduleOf>>>

const weekOf = (db: Db, personId: string) =>
  db
    .select({ weekday: shifts.weekday, from: shifts.starts, to: shifts.ends })
    .from(shifts)
    .where(eq(shifts.personId, personId))
    .orderBy(asc(shifts.weekday), asc(shifts.starts))

/** Past absences are history, and not shown. */
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
