import { isAlly } from '../../domain/access/actor.ts'
import { clientStageLabels } from '../../domain/agencies/clients.ts'
import { serviceFacts } from '../../domain/appointments/appointment.ts'
import { vehicleInWords } from '../../domain/projects/equipment.ts'
import { numericDate, wallTime } from '../../domain/shared/format.ts'
import type { ClientAppointment, ListedClient } from '../../server/agencies/client-rows.ts'
import { exportClients } from '../../server/agencies/clients.ts'
import { type Columns, exportList } from '../lib/export-file.ts'
import { readFilters } from '../lib/lists.tsx'
import { clientFilters } from './agency-paths.ts'
import { failureOf, turnText } from './client-table.tsx'

function service(one: ClientAppointment | null) {
  if (!one) return null
  const failure = failureOf(one.state)
  return serviceFacts[one.service].label + (failure ? ` (${failure.toLowerCase()})` : '')
}
const start = (one: ClientAppointment | null) =>
  one && `${numericDate(one.startsAt)} ${wallTime(one.startsAt)}`

const columns: Columns<ListedClient> = {
  Nombre: ({ name }) => name,
  Etapa: ({ stage }) => clientStageLabels[stage],
  'Le toca a': turnText,
  Desde: ({ since }) => since,
  'Próxima cita': ({ next }) => service(next),
  'Fecha de la próxima': ({ next }) => start(next),
  'Última cita': ({ last }) => service(last),
  'Fecha de la última': ({ last }) => start(last),
  Código: ({ code }) => code,
  Aliado: ({ ally }) => ally,
  'Cliente desde': ({ createdAt }) => createdAt,
  Auto: ({ vehicle }) => vehicleInWords(vehicle),
  Referencia: ({ reference }) => reference,
}

export const loader = exportList({
  by: isAlly,
  isList: true,
  name: () => 'clientes',
  columns,
  rows: ({ db, now, url, viewer }) => exportClients(db, viewer, readFilters(clientFilters, url).filters, now),
})
