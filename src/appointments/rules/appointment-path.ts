import type { StaffKind } from '../../access/rules/actor.ts'
import { readsCalls } from '../../access/rules/routes.ts'
import type { Service } from './appointment.ts'
import type { ListName } from './list.ts'

type Shown = { id: string; service: Service }

/**
 * Where staff see an appointment to be carried out, or one that is over. A call has its own screens, for kinds that may
 * read its content; without a kind the path is for one of these.
 */
export const appointmentPath = (
  list: ListName,
  { id, service }: Shown,
  kind: StaffKind | null = 'manager',
) =>
  service === 'videocall' && kind !== null && readsCalls(kind)
    ? `/admin/appointment-${list}-videocall/${id}`
    : `/admin/appointments-${list}/${id}`
