import { turnLabels } from '../../domain/client.ts'
import { serviceFacts } from '../../domain/services.ts'
import type { ClientAppointment, ListedClient } from '../../server/clients/rows.ts'
import { dateTime, relative } from '../format.ts'

type Turn = Pick<ListedClient, 'stage' | 'waitingOn' | 'since'>

/** Whose turn it is: "Cliente"; empty where nobody's. */
export const turnOf = ({ waitingOn }: Turn) => (waitingOn === 'none' ? '' : turnLabels[waitingOn])

/** "hace 3 días", since when it stands as it does; null where nobody knows. */
export const sinceOf = ({ since }: Turn, now: Date) => since && relative(since, now)

/** "Visita técnica, mar 24 nov 2026, 10:00 a. m." */
export const appointmentWords = ({ service, startsAt }: ClientAppointment) =>
  `${serviceFacts[service].label}, ${dateTime(startsAt)}`

/** What somebody without a name yet is called in a list. */
export const calledIn = ({ name }: Pick<ListedClient, 'name'>) => name || 'Sin nombre todavía'
