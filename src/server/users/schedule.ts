import { and, asc, eq, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { isPerformer } from '../../domain/appointments/appointment.ts'
import { isMunicipality, type MunicipalitySlug } from '../../domain/shared/places.ts'
import type { Db } from '../platform/database/database.ts'
import { isId } from '../platform/database/ids.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { personZones, shifts, timeOff } from '../platform/database/schema/staff-schema.ts'
import { bounds } from './time-off-bounds.ts'
import { openTimeOffRequests } from './time-off-requests.ts'

export type Absence = { id: string; from: Date; to: Date; reason: string | null }

/** When and where somebody works, for the manager; null for whoever has no appointments to carry out. */
export async function scheduleOf(db: Db, actor: Actor, personId: string) {
  if (actor.kind !== 'manager' || !isId(personId)) return null
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
      ...bounds,
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
