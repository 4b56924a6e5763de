import { isAlly } from '../../access/rules/actor.ts'
import { serviceFacts } from '../../appointments/rules/appointment.ts'
import { exportClients } from '../../customers/clients.ts'
import { type Columns, exportList } from '../../kit/list/export-file.ts'
import { vehicleInWords } from '../../projects/rules/equipment.ts'
import { numericDate, wallTime } from '../../shared/format.ts'
import type { ClientAppointment, ListedClient } from '../client-rows.ts'
import { clientStageLabels } from '../rules/clients.ts'
import { clientList, failureOf, turnText } from './client-table.tsx'

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
  list: clientList,
  by: isAlly,
  isList: true,
  name: () => 'clientes',
  columns,
  rows: ({ asked, db, now, viewer }) => exportClients(db, viewer, asked, now),
})
