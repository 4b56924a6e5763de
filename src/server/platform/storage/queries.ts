import { and, eq, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Actor, StaffKind } from '../../../domain/access/actor.ts'
import { noShowSlot } from '../../../domain/reports/photos.ts'
import { visibleTo } from '../../appointments/visible.ts'
import { sheetVisibleTo } from '../../reports/visible.ts'
import type { Queryable } from '../database/database.ts'
import { isId } from '../database/ids.ts'
import { appointments } from '../database/schema/appointment-schema.ts'
import { faults, files, sheets } from '../database/schema/sheet-schema.ts'

const none = sql`false`
const isOfFault = isNotNull(files.faultId)
const isOfNoShow = and(isNull(files.faultId), eq(files.slot, noShowSlot))
const isOfSheet = and(isNull(files.faultId), ne(files.slot, noShowSlot))

/** Whoever goes to look at a fault sees what its customer showed of it. */
const faultToLookAt = ({ id }: Actor) =>
  sql`exists (select 1 from ${faults} join ${appointments} own on own.id = ${faults.visitId}
    where ${faults.id} = ${files.faultId} and own.assignee_id = ${id} and own.confirmed_at is not null
      and own.starts_at between now() - interval '30 days' and now() + interval '60 days')`

/** What is of no sheet, by kind of staff: photos of faults, and of nobody being there. */
const seenByStaff: Record<StaffKind, (actor: Actor) => SQL | undefined> = {
  manager: () => undefined,
  analyst: () => undefined,
  tecnician: (actor) => or(visibleTo(actor), and(isOfFault, faultToLookAt(actor))),
  alliate: () => none,
  gester: () => none,
}

const seenBesidesSheets = (actor: Actor) =>
  actor.role === 'customer'
    ? and(isOfFault, eq(appointments.customerId, actor.id))
    : and(or(isOfFault, isOfNoShow), seenByStaff[actor.kind](actor))

/** The files an actor may see, of those in place: a sheet's as the sheet. For everyone else they do not exist. */
const visible = (actor: Actor) =>
  and(isNull(files.replacedAt), or(and(isOfSheet, sheetVisibleTo(actor)), seenBesidesSheets(actor)))

/** A file somebody may see; null for whoever may not. */
export async function fileSeen(db: Queryable, actor: Actor, id: string) {
  if (!isId(id)) return null
  const [row] = await db
    .select({ file: files })
    .from(files)
    .innerJoin(appointments, eq(appointments.id, files.appointmentId))
    .leftJoin(sheets, eq(sheets.appointmentId, files.appointmentId))
    .where(and(eq(files.id, id), visible(actor)))
  return row?.file ?? null
}

/** The photo by which somebody shows that nobody was there; null where there is none, or none to be seen. */
export async function facadeOf(db: Queryable, actor: Actor, appointmentId: string) {
  const [facade] = await db
    .select({ id: files.id, width: files.width, height: files.height, capturedAt: files.capturedAt })
    .from(files)
    .innerJoin(appointments, eq(appointments.id, files.appointmentId))
    .leftJoin(sheets, eq(sheets.appointmentId, files.appointmentId))
    .where(and(eq(files.appointmentId, appointmentId), isOfNoShow, visible(actor)))
  return facade ?? null
}

export type Facade = NonNullable<Awaited<ReturnType<typeof facadeOf>>>
