import { data, type LoaderFunctionArgs, redirect } from 'react-router'
import { hasName } from '../../domain/actor.ts'
import { quoteStateFacts } from '../../domain/quote.ts'
import { type OptionId, optionNames } from '../../domain/quote-content.ts'
import { municipalityLabel } from '../../domain/regions.ts'
import { guard } from '../../domain/screens.ts'
import { formatPhone, localDay, numericDate, plainAmount } from '../../domain/shared/format.ts'
import { actor, db } from '../../server/context.ts'
import { type ExportedQuote, quoteExport } from '../../server/quotes/export.ts'
import { csvFile } from '../csv.ts'
import { filtersOf } from './list-filters.ts'

/** The list under the filters of its address, as a file for the manager. It stands outside every layout, so it is its own guard. */
export async function loader({ context, url }: LoaderFunctionArgs) {
  const viewer = context.get(actor)
  const elsewhere = viewer && hasName(viewer) ? null : guard(url.pathname.replace(/\.csv$/, ''), viewer)
  if (elsewhere) throw redirect(elsewhere)
  if (viewer?.kind !== 'manager') throw data(null, { status: 404 })
  const { filters } = filtersOf(url, 'all')
  const rows = quoteExport(context.get(db), viewer, filters)
  return csvFile(`cotizaciones-${localDay(new Date())}.csv`, columns, rows)
}

const dateOf = (at: Date | null) => at && numericDate(at)
const amountOf = (centavos: number | null) => (centavos === null ? null : plainAmount(centavos))

const columns: Record<string, (row: ExportedQuote) => string | null> = {
  Folio: ({ folio }) => folio,
  Versión: ({ revision }) => String(revision),
  Tipo: ({ kind }) => (kind === 'extra_work' ? 'Trabajo adicional' : 'Instalación'),
  Estado: ({ state }) => quoteStateFacts[state].label,
  Cliente: ({ customer }) => customer,
  Teléfono: ({ phone }) => phone && formatPhone(phone),
  Correo: ({ email }) => email,
  Zona: ({ municipality }) => municipality && municipalityLabel(municipality),
  Concesionaria: ({ agency }) => agency,
  Analista: ({ maker }) => maker,
  Creada: ({ createdAt }) => numericDate(createdAt),
  Enviada: ({ sentAt }) => dateOf(sentAt),
  Vence: ({ validUntil }) => dateOf(validUntil),
  Aceptada: ({ acceptedAt }) => dateOf(acceptedAt),
  Opción: ({ acceptedOption }) =>
    acceptedOption && (optionNames[acceptedOption as OptionId] ?? acceptedOption),
  'Opción menor': ({ lowestTotal }) => plainAmount(lowestTotal),
  'Opción mayor': ({ highestTotal }) => plainAmount(highestTotal),
  'Total aceptado': ({ acceptedTotal }) => amountOf(acceptedTotal),
  Anticipo: ({ depositAmount }) => amountOf(depositAmount),
  'Pagado del proyecto': ({ paid }) => plainAmount(paid),
  Motivo: ({ reason }) => reason,
}
