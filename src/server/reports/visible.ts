import { and, eq, inArray, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Actor, StaffKind } from '../../domain/access/actor.ts'
import { failedStates } from '../../domain/appointments/appointment.ts'
import { isSent, sheetStates } from '../../domain/reports/report.ts'
import { visibleTo } from '../appointments/visible.ts'
import { listed } from '../platform/database/literals.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'
import { sheets } from '../platform/database/schema/sheet-schema.ts'

const none = sql`false`

/** Whoever installs reads the approved report of the visit, whoever made it and however long ago. */
const ofOwnInstallation = (actor: Actor) =>
  sql`${sheets.kind} = 'visit' and ${sheets.state} = 'approved' and exists (
    select 1 from appointments installation where installation.project_id = ${appointments.projectId}
      and installation.service = 'installation' and installation.state not in (${listed(failedStates)})
      and installation.assignee_id = ${actor.id} and installation.confirmed_at is not null
      and installation.starts_at between now() - interval '30 days' and now() + interval '60 days')`

const seenByStaff: Record<StaffKind, (actor: Actor) => SQL | undefined> = {
  manager: () => undefined,
  analyst: () => undefined,
  tecnician: (actor) => or(visibleTo(actor), ofOwnInstallation(actor)),
  gester: (actor) => and(visibleTo(actor), inArray(sheets.state, sheetStates.filter(isSent))),
  alliate: () => none,
}

/** The sheets an actor may see, of appointments joined with them; a customer's own from when they are sent. */
export const sheetVisibleTo = (actor: Actor): SQL | undefined =>
  actor.role === 'customer'
    ? and(eq(appointments.customerId, actor.id), ne(sheets.state, 'draft'))
    : seenByStaff[actor.kind](actor)
