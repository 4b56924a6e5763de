import { and, eq, gt, inArray, isNotNull, or, sql } from 'drizzle-orm'
import { type Actor, isManager, isOffice, staffKinds } from '../access/rules/actor.ts'
import type { Db } from '../platform/database/client.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { workMarks } from '../platform/database/schema/projects.ts'
import { announce } from '../platform/live/announcements.ts'
import { minuteAt, toDate } from '../shared/calendar.ts'
import { refuse } from '../shared/refusal.ts'
import { isForManagers, urgencyOf } from './rules/work.ts'
import type { WorkLines } from './rules/work-schema.ts'

const isColleague = and(
  eq(users.active, true),
  inArray(
    users.kind,
    staffKinds.filter((kind) => isOffice({ kind })),
  ),
)

/** Who may take lines of work: the active managers and analysts. */
export const officeColleagues = (db: Db, actor: Actor) =>
  isOffice(actor)
    ? db
        .select({ id: users.id, name: users.fullName })
        .from(users)
        .where(isColleague)
        .orderBy(sql`${users.fullName} collate es`)
    : []

/** Who took what, and until when it is put off: of the whole office, by what a line is about. */
export async function marksOfWork(db: Db, actor: Actor, now: Date) {
  if (!isOffice(actor)) return []
  const { kind, snoozedUntil, subject, takenBy } = workMarks
  return db
    .select({ subject, kind, takenBy: users.id, taker: users.name, snoozedUntil })
    .from(workMarks)
    .leftJoin(users, and(eq(users.id, takenBy), isColleague))
    .where(or(isNotNull(users.id), gt(snoozedUntil, now)))
}

export type WorkMark = Awaited<ReturnType<typeof marksOfWork>>[number]

/** Gives lines of work to one of the office, or back to all of it. */
export async function assignWork(db: Db, actor: Actor, input: { lines: WorkLines; to: string | null }) {
  if (!isOffice(actor)) refuse('permission-denied')
  const { lines, to } = input
  const [taker] = to
    ? await db
        .select({ name: users.name, kind: users.kind })
        .from(users)
        .where(and(isColleague, eq(users.id, to)))
    : []
  if (to && !taker) refuse('failed-precondition', 'Esa persona ya no está en la oficina. Elige a otra.')
  if (taker && !isManager(taker) && lines.some(({ kind }) => isForManagers(kind)))
    refuse('failed-precondition', 'Eso solo lo ve la gerencia: elige a alguien de ahí.')
  await mark(db, lines, { takenBy: to })
  return taker?.name
}

/** Puts lines of work off until nine of a day, for all the office; null ends that. Not those that a person waits for. */
export async function snoozeWork(
  db: Db,
  actor: Actor,
  { lines, until }: { lines: WorkLines; until: string | null },
  now: Date,
): Promise<Date | null> {
  if (!isOffice(actor)) refuse('permission-denied')
  if (until && lines.some(({ kind }) => urgencyOf({ kind, at: now }, now) === 'now'))
    refuse('failed-precondition', 'Hay alguien que espera ahora: eso no se pospone. Quita su marca.')
  const snoozedUntil = until ? toDate(minuteAt(until, '09:00')) : null
  await mark(db, lines, { snoozedUntil })
  return snoozedUntil
}

/** A mark outlives its line by two months at most. The kind is that which a line was put off as: as another it is back. */
async function mark(
  db: Db,
  lines: WorkLines,
  set: { takenBy: string | null } | { snoozedUntil: Date | null },
) {
  await db.delete(workMarks).where(sql`${workMarks.updatedAt} < now() - interval '60 days'`)
  const kind = 'takenBy' in set ? workMarks.kind : sql`excluded.kind`
  await db
    .insert(workMarks)
    .values(lines.map((line) => ({ ...line, ...set })))
    .onConflictDoUpdate({ target: workMarks.subject, set: { ...set, kind, updatedAt: sql`now()` } })
  announce(db, { people: [] })
}
