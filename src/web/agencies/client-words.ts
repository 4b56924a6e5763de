import { turnLabels } from '../../domain/agencies/clients.ts'
import { type AppointmentState, stateFacts } from '../../domain/appointments/appointment.ts'
import { relative } from '../../domain/shared/format.ts'
import type { ListedClient } from '../../server/agencies/rows.ts'

type Turn = Pick<ListedClient, 'stage' | 'waitingOn' | 'since'>

/** Whose turn it is: "Cliente"; empty where nobody's. */
export const turnText = ({ waitingOn }: Turn) => (waitingOn === 'none' ? '' : turnLabels[waitingOn])

/** "hace 3 días", since when it stands as it does; null where nobody knows. */
export const sinceOf = ({ since }: Turn, now: Date) => since && relative(since, now)

/** "Cancelada", of an appointment that came to nothing; null of any other. */
export const failureOf = (state: AppointmentState) =>
  state === 'cancelled' || state === 'no_show' ? stateFacts[state].label : null

/** What somebody without a name yet is called in a list. */
export const calledIn = ({ name }: Pick<ListedClient, 'name'>) => name || 'Sin nombre todavía'
