import { and, asc, desc, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type Actor, isManager } from '../access/rules/actor.ts'
import { activeStates } from '../appointments/rules/appointment.ts'
import { stateIn } from '../appointments/visibility.ts'
import { attach, dropPapers, keepPapers, paperMissing, takeBusinessDocument } from '../documents/documents.ts'
import { type Db, isId, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { documents } from '../platform/database/schema/payments.ts'
import { staffPapers } from '../platform/database/schema/staff.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import type { Drive } from '../platform/storage/drive.ts'
import { lockingAllStaffing } from '../scheduling/choose.ts'
import { addDays, timeZone, toMinutes, wallMinute } from '../shared/calendar.ts'
import { localDay } from '../shared/format.ts'
import { refuse } from '../shared/refusal.ts'
import type { StaffPaperInput } from './rules/schema.ts'
import { checksPapers, dueWarning, keepsPapers, soonDays, staffPaperKinds } from './rules/staff-paper.ts'
import { hasZones } from './rules/user.ts'

const checkers = alias(users, 'checker')
const services = sql`${JSON.stringify(
  Object.fromEntries(Object.entries(staffPaperKinds).map(([kind, facts]) => [kind, facts.services])),
)}::jsonb`
/** Appointments that the paper is for and that come after its last day. */
const after = sql<number>`(select count(*)::int from ${appointments} where ${appointments.assigneeId} = ${staffPapers.personId}
  and ${stateIn(activeStates)} and ${services} -> ${staffPapers.kind} ? ${appointments.service}
  and ${appointments.startsAt} >= ((${staffPapers.expires} + 1)::timestamp at time zone ${timeZone}))`
/** None of the same kind lasts longer; what no one has checked takes no place of what someone has. */
const isLatest = sql`not exists (select from staff_papers later where later.kind = ${staffPapers.kind}
  and (later.checked_at is not null or ${staffPapers.checkedAt} is null)
  and later.person_id is not distinct from ${staffPapers.personId} and later.expires > ${staffPapers.expires})`

const readPapers = (db: Queryable, where: SQL | undefined) =>
  db
    .select({
      id: staffPapers.id,
      personId: staffPapers.personId,
      person: users.fullName,
      kind: staffPapers.kind,
      number: staffPapers.number,
      issued: staffPapers.issued,
      expires: staffPapers.expires,
      createdAt: staffPapers.createdAt,
      checkedAt: staffPapers.checkedAt,
      checkedBy: checkers.fullName,
      document: { id: documents.id, name: documents.name, bytes: documents.bytes },
      isLatest: sql<boolean>`${isLatest}`,
      after,
    })
    .from(staffPapers)
    .innerJoin(documents, eq(documents.id, staffPapers.documentId))
    .leftJoin(users, eq(users.id, staffPapers.personId))
    .leftJoin(checkers, eq(checkers.id, staffPapers.checkedBy))
    .where(where)
    .orderBy(asc(staffPapers.kind), desc(staffPapers.expires), asc(staffPapers.id))

export type StaffPaper = Awaited<ReturnType<typeof readPapers>>[number]

const ownedBy = (personId: string | null) =>
  personId === null ? isNull(staffPapers.personId) : eq(staffPapers.personId, personId)

const assertKeeps = (actor: Actor, personId: string | null) => {
  if (!keepsPapers(actor, personId) || (personId !== null && !isId(personId))) refuse('permission-denied')
}

/** The papers of a technician, or of the company; null where there are none to keep, or the actor may not see them. */
export async function staffPapersOf(db: Db, actor: Actor, personId: string | null, kind: Actor['kind']) {
  if (!keepsPapers(actor, personId) || (personId !== null && !hasZones(kind))) return null
  return readPapers(db, ownedBy(personId))
}

type Store = { db: Db; drive: Drive }

/** Keeps a paper with its file. One that the manager hands in for a person counts as checked. */
export async function saveStaffPaper(
  store: Store,
  actor: Actor,
  personId: string | null,
  { file, ...paper }: StaffPaperInput & { file: File | null },
  now: Date,
): Promise<void> {
  assertKeeps(actor, personId)
  if ((staffPaperKinds[paper.kind].ofCompany ?? false) !== (personId === null)) refuse('invalid-argument')
  if (paper.issued > localDay(now)) {
    const message = 'Ese día todavía no llega. Escribe el que dice el papel.'
    refuse('invalid-argument', message, { errors: { issued: message } })
  }
  const handed = file ?? paperMissing('staff_paper')
  const taken = await takeBusinessDocument(store.db, store.drive, actor, { file: handed, agencyId: null })
  const checked = checksPapers(actor, personId) ? { checkedAt: now, checkedBy: actor.id } : {}
  await keepPapers(store, [taken], now, () =>
    transaction(
      store.db,
      async (tx) => {
        if (personId !== null) await assertTravels(tx, personId)
        if (await write(tx, personId, { ...paper, ...checked }, () => attach(tx, taken)))
          await traced(tx, actor, personId, 'add_paper', paper.kind)
      },
      lockingAllStaffing,
    ),
  )
  announce(store.db, { people: [personId ?? actor.id] })
}

type Written = Pick<typeof staffPapers.$inferInsert, 'kind' | 'number' | 'issued' | 'expires'> &
  Pick<Partial<typeof staffPapers.$inferInsert>, 'checkedAt' | 'checkedBy'>

/** Writes a paper, or a better file of one that is not checked; whether it is new. */
async function write(tx: Tx, personId: string | null, paper: Written, attached: () => Promise<string>) {
  const { expires, issued, kind, number } = paper
  const same = Object.entries({ expires, issued, kind, number }).map(([field, value]) =>
    eq(staffPapers[field as 'kind'], value as Written['kind']),
  )
  const [known] = await tx
    .select()
    .from(staffPapers)
    .where(and(ownedBy(personId), ...same))
  if (known?.checkedAt) return false
  const documentId = await attached()
  if (!known) {
    await tx.insert(staffPapers).values({ ...paper, personId, documentId })
    return true
  }
  await tx
    .update(staffPapers)
    .set({ ...paper, documentId })
    .where(eq(staffPapers.id, known.id))
  await tx.delete(documents).where(eq(documents.id, known.documentId))
  return false
}

async function assertTravels(tx: Tx, personId: string) {
  const [person] = await tx.select().from(users).where(eq(users.id, personId)).for('update')
  if (!person?.active || !hasZones(person.kind))
    refuse('failed-precondition', 'Esta persona ya no visita clientes.')
}

const traced = (tx: Tx, actor: Actor, personId: string | null, name: string, kind: string) =>
  record(tx, { entity: 'user', entityId: personId ?? actor.id, actorId: actor.id, name, data: { kind } })

const oneOf = (personId: string | null, id: string) => and(ownedBy(personId), eq(staffPapers.id, id))

/** The manager says that a paper is what it says: never of their own. */
export async function checkStaffPaper(
  db: Db,
  actor: Actor,
  personId: string,
  { paperId }: { paperId: string },
  now: Date,
): Promise<void> {
  if (!isManager(actor) || !isId(personId)) refuse('permission-denied')
  if (!checksPapers(actor, personId))
    refuse('failed-precondition', 'Tu propio papel lo revisa otra persona de la gerencia.')
  await transaction(
    db,
    async (tx) => {
      const [checked] = await tx
        .update(staffPapers)
        .set({ checkedAt: now, checkedBy: actor.id })
        .where(and(oneOf(personId, paperId), isNull(staffPapers.checkedAt)))
        .returning()
      if (!checked) return refuse('failed-precondition', 'Ese papel ya se revisó, o se quitó.')
      await traced(tx, actor, personId, 'check_paper', checked.kind)
    },
    lockingAllStaffing,
  )
  announce(db, { people: [personId] })
}

/** The manager removes any paper, a person an unchecked one of theirs. Its file goes with it. */
export async function removeStaffPaper(
  store: Store,
  actor: Actor,
  personId: string | null,
  { paperId }: { paperId: string },
): Promise<void> {
  assertKeeps(actor, personId)
  await dropPapers(store, () =>
    transaction(
      store.db,
      async (tx) => {
        const mine = checksPapers(actor, personId) ? undefined : isNull(staffPapers.checkedAt)
        const [gone] = await tx
          .delete(staffPapers)
          .where(and(oneOf(personId, paperId), mine))
          .returning()
        if (!gone) return refuse('failed-precondition', 'Ese papel ya se revisó, o ya no está.')
        await tx.delete(documents).where(eq(documents.id, gone.documentId))
        await traced(tx, actor, personId, 'remove_paper', gone.kind)
        return gone.documentId
      },
      lockingAllStaffing,
    ),
  )
  announce(store.db, { people: [personId ?? actor.id] })
}

/** Ends the papers of a person who is no longer of the team; the nightly sweep takes the files. */
export async function dropStaffPapers(tx: Tx, personId: string): Promise<void> {
  const gone = await tx.delete(staffPapers).where(eq(staffPapers.personId, personId)).returning()
  for (const { documentId } of gone) await tx.delete(documents).where(eq(documents.id, documentId))
}

const ofTheTeam = or(isNull(staffPapers.personId), and(eq(users.kind, 'tecnician'), eq(users.active, true)))

/** What the manager has to look at: unchecked papers, and those that end within 30 days or have ended. */
export const papersAtDesk = async (db: Db, actor: Actor, now: Date) =>
  isManager(actor)
    ? readPapers(
        db,
        and(
          ofTheTeam,
          isLatest,
          or(
            isNull(staffPapers.checkedAt),
            sql`${staffPapers.expires} <= ${addDays(localDay(now), soonDays)}`,
          ),
        ),
      )
    : []

/** One paper, for an e-mail about its end. */
export const staffPaper = async (db: Db, id: string) =>
  (await readPapers(db, and(eq(staffPapers.id, id), ofTheTeam)))[0]

/** No e-mail about a paper is written before this minute of the day. */
const morning = 9 * 60

/** Warns each person 30 and 7 days before a paper of theirs ends, and on its last day. Returns how many. */
export async function warnOfPapers(db: Db, now: Date): Promise<number> {
  if (wallMinute(toMinutes(now)) < morning) return 0
  const today = localDay(now)
  const isNear = sql`${staffPapers.expires} between ${today} and ${addDays(today, soonDays)}`
  return transaction(db, async (tx) => {
    const rows = await tx
      .select()
      .from(staffPapers)
      .where(and(sql`${staffPapers.personId} is not null`, isNear, isLatest))
      .for('update', { skipLocked: true })
    let count = 0
    for (const { expires, id, warned } of rows) {
      const due = dueWarning(expires, warned, now)
      if (due === null) continue
      await tx.update(staffPapers).set({ warned: due }).where(eq(staffPapers.id, id))
      await enqueue(tx, 'letter', { letter: 'paper_ends', paperId: id, to: 'person' })
      count++
    }
    return count
  })
}
