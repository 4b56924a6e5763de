import { redirect } from 'react-router'
import type { Actor } from '../../domain/actor.ts'
import type { ListName } from '../../domain/appointment-list.ts'
import { appointmentPath } from '../../domain/appointment-path.ts'
import { readsCalls } from '../../domain/screens.ts'
import type { Service } from '../../domain/services.ts'

/** Leads whoever may read calls from the screen that visits have to the one a call has; allies stay. */
export function leadToCall(list: ListName, appointment: { id: string; service: Service }, { kind }: Actor) {
  if (appointment.service === 'videocall' && kind && readsCalls(kind))
    throw redirect(appointmentPath(list, appointment, kind))
}
