import { type Columns, exportList } from '../../kit/list/export-file.ts'
import { formatPhone, time } from '../../shared/format.ts'
import { municipalityLabel } from '../../shared/places.ts'
import { type Exported, exportOf } from '../export.ts'
import { closingReasons, outcomeLabels, serviceFacts, stateFacts } from '../rules/appointment.ts'
import { filtersFor } from '../rules/list.ts'
import { appointmentLists } from './appointment-list.tsx'

const columns: Columns<Exported> = {
  Folio: ({ folio }) => folio,
  Servicio: ({ service }) => serviceFacts[service].label,
  Estado: ({ state }) => stateFacts[state].label,
  Fecha: ({ startsAt }) => startsAt,
  Hora: ({ startsAt }) => time(startsAt),
  Minutos: ({ minutes }) => minutes,
  Cliente: ({ customer }) => customer,
  Teléfono: ({ phone }) => phone && formatPhone(phone),
  Correo: ({ email }) => email,
  Zona: ({ municipality }) => municipality && municipalityLabel(municipality),
  'Domicilio (de varios)': ({ home }) => home,
  'Calle y número': ({ street }) => street,
  'Código postal': ({ postalCode }) => postalCode,
  Persona: ({ assignee }) => assignee,
  Confirmada: ({ assignee, confirmed }) => assignee && (confirmed ? 'Sí' : 'No'),
  Resultado: ({ outcome }) => outcome && outcomeLabels[outcome],
  Motivo: ({ closingReason }) => closingReason && closingReasons[closingReason],
  'Nota de cierre': ({ closingNote }) => closingNote,
}

const isDone = (url: URL) => url.pathname.toLowerCase().includes('done')

export const loader = exportList({
  list: appointmentLists.pending,
  more: ['Correo', 'Calle y número', 'Código postal', 'Resultado', 'Motivo', 'Nota de cierre'],
  isList: true,
  name: (url) => (isDone(url) ? 'citas-realizadas' : 'proximas-citas'),
  columns,
  rows({ asked, db, ids, now, url, viewer }) {
    const list = isDone(url) ? 'done' : 'pending'
    const filters = filtersFor(list, viewer.kind ?? 'gester', asked)
    return exportOf(db, viewer, list, { ...filters, ...(ids && { ids }) }, now)
  },
})
