import { type OptionId, optionNames } from '../../domain/quotes/content.ts'
import { quoteStateFacts } from '../../domain/quotes/quote.ts'
import { withDays } from '../../domain/shared/day-range.ts'
import { formatPhone, numericDate, plainAmount } from '../../domain/shared/format.ts'
import { municipalityLabel } from '../../domain/shared/places.ts'
import { type ExportedQuote, quoteExport } from '../../server/quotes/list.ts'
import { chosenIn, exportCsv } from '../lib/export-csv.ts'
import { quoteFiltersOf } from './quote-table.tsx'

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
  'Domicilio (de varios)': ({ home }) => home,
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

export const loader = exportCsv({
  more: [
    'Teléfono',
    'Correo',
    'Concesionaria',
    'Aceptada',
    'Opción',
    'Anticipo',
    'Pagado del proyecto',
    'Motivo',
  ],
  isList: true,
  name: () => 'cotizaciones',
  columns,
  rows: ({ db, now, url, viewer }) =>
    quoteExport(db, viewer, withDays(quoteFiltersOf(url, 'all').filters, now), chosenIn(url)),
})
