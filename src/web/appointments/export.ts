import { data, type LoaderFunctionArgs, redirect } from 'react-router'
import { hasName } from '../../domain/actor.ts'
import { outcomeLabels, stateFacts } from '../../domain/appointment.ts'
import { filtersFor } from '../../domain/appointment-list.ts'
import { closingReasons } from '../../domain/reasons.ts'
import { municipalityLabel } from '../../domain/regions.ts'
import { guard } from '../../domain/screens.ts'
import { serviceFacts } from '../../domain/services.ts'
import { formatPhone, localDay, numericDate, time } from '../../domain/shared/format.ts'
import { type Exported, exportOf } from '../../server/appointments/export.ts'
import { actor, db } from '../../server/context.ts'
import { csvFile } from '../csv.ts'
import { filtersOf, withoutPlace } from './list-filters.ts'

/** A list under the filters of its address, as a file for the manager. It stands outside every layout, so it is its own guard. */
export async function loader({ context, url }: LoaderFunctionArgs) {
  const viewer = context.get(actor)
  const elsewhere = viewer && hasName(viewer) ? null : guard(url.pathname.replace(/\.csv$/, ''), viewer)
  if (elsewhere) throw redirect(elsewhere)
  if (viewer?.kind !== 'manager') throw data(null, { status: 404 })
  const [list, now] = [url.pathname.includes('done') ? 'done' : 'pending', new Date()] as const
  const filters = filtersFor(list, viewer.kind, withoutPlace(filtersOf(url)))
  const rows = await exportOf(context.get(db), viewer, list, filters, now)
  const name = list === 'done' ? 'citas-realizadas' : 'proximas-citas'
  return csvFile(`${name}-${localDay(now)}.csv`, columns, rows)
}

const columns: Record<string, (row: Exported) => string | null> = {
  Folio: ({ folio }) => folio,
  Servicio: ({ service }) => serviceFacts[service].label,
  Estado: ({ state }) => stateFacts[state].label,
  Fecha: ({ startsAt }) => numericDate(startsAt),
  // Spreadsheets know the hour by its plain space.
  Hora: ({ startsAt }) => time(startsAt).replace('\u00a0', ' '),
  Minutos: ({ minutes }) => String(minutes),
  Cliente: ({ customer }) => customer,
  Teléfono: ({ phone }) => phone && formatPhone(phone),
  Correo: ({ email }) => email,
  Zona: ({ municipality }) => municipality && municipalityLabel(municipality),
  'Código postal': ({ postalCode }) => postalCode,
  Persona: ({ assignee }) => assignee,
  Confirmada: ({ assignee, confirmed }) => assignee && (confirmed ? 'Sí' : 'No'),
  Resultado: ({ outcome }) => outcome && outcomeLabels[outcome],
  Motivo: ({ closingReason }) => closingReason && closingReasons[closingReason],
  'Nota de cierre': ({ closingNote }) => closingNote,
}
