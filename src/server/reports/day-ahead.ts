import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { Hono } from 'hono'
import type { Actor } from '../../domain/access/actor.ts'
import { appointmentPath } from '../../domain/appointments/appointment-path.ts'
import { daysFrom, toMinutes } from '../../domain/shared/calendar.ts'
import { ownStops, visibleTo } from '../appointments/own-day.ts'
import type { Db } from '../platform/database/client.ts'
import { appointments, files, sheets } from '../platform/database/schema/appointments.ts'
import type { OnsiteEnv } from '../platform/http/cookies.ts'

/** A phone keeps at most so many photos of visits, each in two sizes: three installations' worth. */
const mostPhotos = 60

/** GET /day: what a technician's phone keeps for when there is no network. */
export const dayAhead = (db: Db) =>
  new Hono<OnsiteEnv>().get('/day', async (c) => c.json(await dayOf(db, c.get('actor'), new Date())))

/** The pages of today and tomorrow, those of sheets to be written again, and the pictures an installer looks at. */
async function dayOf(db: Db, actor: Actor, now: Date) {
  const [today, tomorrow] = daysFrom(toMinutes(now), 2)
  const [stops, returned] = await Promise.all([ownStops(db, actor, today!, tomorrow!), returnedTo(db, actor)])
  const photos = await photosFor(
    db,
    stops.map(({ id }) => id),
  )
  return {
    pages: [
      ...['/admin', '/admin/appointments-pending'],
      ...stops.map((stop) => appointmentPath('pending', stop)),
      ...returned.map((done) => appointmentPath('done', done)),
    ],
    pictures: photos.flatMap(({ id }) => [`/files/${id}/list`, `/files/${id}/full`]),
  }
}

const returnedTo = (db: Db, actor: Actor) =>
  db
    .select({ id: appointments.id, service: appointments.service })
    .from(sheets)
    .innerJoin(appointments, eq(appointments.id, sheets.appointmentId))
    .where(and(eq(sheets.state, 'returned'), eq(appointments.assigneeId, actor.id), visibleTo(actor)))

/** The photos of the approved visits on whose projects these installations stand. */
async function photosFor(db: Db, stops: readonly string[]) {
  if (stops.length === 0) return []
  const projects = db
    .select({ id: appointments.projectId })
    .from(appointments)
    .where(and(inArray(appointments.id, [...stops]), eq(appointments.service, 'installation')))
  return db
    .select({ id: files.id })
    .from(files)
    .innerJoin(sheets, eq(sheets.appointmentId, files.appointmentId))
    .innerJoin(appointments, eq(appointments.id, files.appointmentId))
    .where(
      and(
        sql`${sheets.kind} = 'visit' and ${sheets.state} = 'approved'`,
        isNull(files.replacedAt),
        isNull(files.faultId),
        inArray(appointments.projectId, projects),
      ),
    )
    .orderBy(desc(files.capturedAt))
    .limit(mostPhotos)
}
