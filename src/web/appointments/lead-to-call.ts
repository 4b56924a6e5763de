import { redirect } from 'react-router'
import type { Actor } from '../../domain/access/actor.ts'
import { readsCalls } from '../../domain/access/routes.ts'
import type { Service } from '../../domain/appointments/appointment.ts'
import { appointmentPath } from '../../domain/appointments/appointment-path.ts'
import type { ListName } from '../../domain/appointments/list.ts'

/** Leads whoever may read calls from the screen that visits have to the one a call has; allies stay. */
export function leadToCall(list: ListName, appointment: { id: string; service: Service }, { kind }: Actor) {
  if (appointment.service === 'videocall' && kind && readsCalls(kind))
    throw redirect(appointmentPath(list, appointment, kind))
}
