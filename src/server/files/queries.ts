import { and, asc, eq, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Actor, StaffKind } from '../../domain/actor.ts'
import { noShowSlot } from '../../domain/photo-slots.ts'
import type { SheetFile } from '../../domain/sheet-data.ts'
import { visibleTo } from '../appointments/visible.ts'
import type { Queryable } from '../database/database.ts'
import { isId } from '../database/ids.ts'
import { appointments } from '../database/schema.ts'
import { faults, files, sheets } from '../database/sheet-schema.ts'

const none = sql`false`
const ofSheet = and(isNull(files.faultId), ne(files.slot, noShowSlot))

/** Whoever installs reads what the visit found, once it is approved. */
const approvedForInstaller = (actor: Actor) =>
  and(
    ofSheet,
    eq(sheets.kind, 'visit'),
    eq(sheets.state, 'approved'),
    sql`exists (select 1 from ${appointments} own where own.project_id = ${appointments.projectId}
      and own.service = 'installation' and own.state not in ('cancelled', 'no_show') and ${theirsToDo(actor)})`,
  )

/** Whoever goes to look at a fault sees what its customer showed of it. */
const faultToLookAt = (actor: Actor) =>
  sql`exists (select 1 from ${faults} join ${appointments} own on own.id = ${faults.visitId}
    where ${faults.id} = ${files.faultId} and ${theirsToDo(actor)})`

/** As the rows of appointments a technician may see. */
const theirsToDo = ({ id }: Actor) =>
  sql`own.assignee_id = ${id} and own.confirmed_at is not null
    and own.starts_at between now() - interval '30 days' and now() + interval '60 days'`

const seenByStaff: Record<StaffKind, (actor: Actor) => SQL | undefined> = {
  manager: () => undefined,
  analyst: () => undefined,
  tecnician: (actor) => or(visibleTo(actor), approvedForInstaller(actor), faultToLookAt(actor)),
  alliate: () => none,
  // Projects with a CFE case come with the cases.
  gester: () => none,
}

/** A draft is nobody's yet but its technician's and the office's. */
const seenByCustomer = (actor: Actor) =>
  and(
    eq(appointments.customerId, actor.id),
    or(isNotNull(files.faultId), and(ofSheet, ne(sheets.state, 'draft'))),
  )

/** The files an actor may see, of those in place. For everyone else they do not exist. */
const visible = (actor: Actor) =>
  and(
    isNull(files.replacedAt),
    actor.role === 'customer' ? seenByCustomer(actor) : seenByStaff[actor.kind](actor),
  )

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

/** The files in place of an appointment, or of one of its faults, as far as somebody may see them. */
export async function filesOf(
  db: Queryable,
  actor: Actor,
  appointmentId: string,
  faultId: string | null = null,
): Promise<SheetFile[]> {
  const { arrivedAt, capturedAt, height, id, keptBecause, sha256, slot, width } = files
  return db
    .select({ id, slot, sha256, width, height, capturedAt, arrivedAt, keptBecause })
    .from(files)
    .innerJoin(appointments, eq(appointments.id, files.appointmentId))
    .leftJoin(sheets, eq(sheets.appointmentId, files.appointmentId))
    .where(
      and(
        eq(files.appointmentId, appointmentId),
        faultId ? eq(files.faultId, faultId) : isNull(files.faultId),
        visible(actor),
      ),
    )
    .orderBy(asc(files.slot))
}
