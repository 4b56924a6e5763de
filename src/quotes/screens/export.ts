import { amountCell, type Columns, exportList } from '../../kit/list/export-file.ts'
import { formatPhone } from '../../shared/format.ts'
import { municipalityLabel } from '../../shared/places.ts'
import { type PricedQuote, quoteExport } from '../list.ts'
import { type OptionId, optionNames } from '../rules/content.ts'
import { quoteStateFacts } from '../rules/quote.ts'
import { quoteList } from './quote-table.tsx'

const amountOf = (centavos: number | null) => (centavos === null ? null : amountCell(centavos))

const columns: Columns<PricedQuote> = {
  Folio: ({ folio }) => folio,
  Versión: ({ revision }) => revision,
  Tipo: ({ kind }) => (kind === 'extra_work' ? 'Trabajo adicional' : 'Instalación'),
  Estado: ({ state }) => quoteStateFacts[state].label,
  Cliente: ({ customer }) => customer,
  Teléfono: ({ phone }) => phone && formatPhone(phone),
  Correo: ({ email }) => email,
  Zona: ({ municipality }) => municipality && municipalityLabel(municipality),
  'Domicilio (de varios)': ({ home }) => home,
  Concesionaria: ({ agency }) => agency,
  Analista: ({ maker }) => maker,
  Creada: ({ createdAt }) => createdAt,
  Enviada: ({ sentAt }) => sentAt,
  Vence: ({ validUntil }) => validUntil,
  Aceptada: ({ acceptedAt }) => acceptedAt,
  Opción: ({ acceptedOption }) =>
    acceptedOption && (optionNames[acceptedOption as OptionId] ?? acceptedOption),
  'Opción menor': ({ lowestTotal }) => amountCell(lowestTotal),
  'Opción mayor': ({ highestTotal }) => amountCell(highestTotal),
  'Total aceptado': ({ acceptedTotal }) => amountOf(acceptedTotal),
  Anticipo: ({ depositAmount }) => amountOf(depositAmount),
  'Pagado del proyecto': ({ paid }) => amountCell(paid),
  Motivo: ({ reason }) => reason,
}

export const loader = exportList({
  list: quoteList,
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
  rows: ({ asked, db, ids, viewer }) => quoteExport(db, viewer, asked, ids),
})
