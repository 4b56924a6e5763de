import { data, type LoaderFunctionArgs, redirect } from 'react-router'
import { hasName } from '../../domain/actor.ts'
import { clientStageLabels } from '../../domain/client.ts'
import { guard } from '../../domain/screens.ts'
import { serviceFacts } from '../../domain/services.ts'
import { localDay, numericDate, wallTime } from '../../domain/shared/format.ts'
import { exportClients } from '../../server/clients/list.ts'
import type { ClientAppointment, ListedClient } from '../../server/clients/rows.ts'
import { actor, db } from '../../server/context.ts'
import { csvFile } from '../csv.ts'
import { failureOf, turnOf } from './client-words.ts'
import { filtersOf } from './list-filters.ts'

/** The list under the filters of its address, as a file for allies. It stands outside every layout, so it is its own guard. */
export async function loader({ context, url }: LoaderFunctionArgs) {
  const viewer = context.get(actor)
  const elsewhere = viewer && hasName(viewer) ? null : guard(url.pathname.replace(/\.csv$/, ''), viewer)
  if (elsewhere) throw redirect(elsewhere)
  if (viewer?.kind !== 'alliate') throw data(null, { status: 404 })
  const now = new Date()
  const rows = await exportClients(context.get(db), viewer, filtersOf(url).filters, now)
  return csvFile(`clientes-${localDay(now)}.csv`, columns, rows)
}

function service(one: ClientAppointment | null) {
  if (!one) return null
  const failure = failureOf(one.state)
  return serviceFacts[one.service].label + (failure ? ` (${failure.toLowerCase()})` : '')
}
const start = (one: ClientAppointment | null) =>
  one && `${numericDate(one.startsAt)} ${wallTime(one.startsAt)}`

const columns: Record<string, (row: ListedClient) => string | null> = {
  Nombre: ({ name }) => name,
  Etapa: ({ stage }) => clientStageLabels[stage],
  'Le toca a': turnOf,
  Desde: ({ since }) => since && numericDate(since),
  'Próxima cita': ({ next }) => service(next),
  'Fecha de la próxima': ({ next }) => start(next),
  'Última cita': ({ last }) => service(last),
  'Fecha de la última': ({ last }) => start(last),
  Código: ({ code }) => code,
  Aliado: ({ ally }) => ally,
  'Cliente desde': ({ createdAt }) => numericDate(createdAt),
}
