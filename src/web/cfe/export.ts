import { caseKindLabels, caseStateFacts, caseTurnLabels, managesCases } from '../../domain/cfe/case.ts'
import { withDays } from '../../domain/shared/day-range.ts'
import { municipalityLabel } from '../../domain/shared/places.ts'
import { exportCases, type ListedCase } from '../../server/cfe/queries.ts'
import { type Columns, chosenIn, exportList } from '../lib/export-file.ts'
import { readFilters } from '../lib/lists.tsx'
import { caseFilters } from './list-query.ts'

const columns: Columns<ListedCase> = {
  Folio: ({ folio }) => folio,
  Trámite: ({ kind }) => caseKindLabels[kind],
  Cliente: ({ customer }) => customer,
  Zona: ({ municipality }) => municipality && municipalityLabel(municipality),
  'Domicilio (de varios)': ({ home }) => home,
  Estado: ({ state }) => caseStateFacts[state].label,
  'Le toca a': ({ waitingOn }) => (waitingOn === 'none' ? null : caseTurnLabels[waitingOn]),
  Desde: ({ waitingOn, waitingSince }) => (waitingOn === 'none' ? null : waitingSince),
  'Fecha límite': ({ dueOn }) => dueOn && new Date(`${dueOn}T18:00:00Z`),
  Gestor: ({ gester }) => gester,
}

export const loader = exportList({
  by: managesCases,
  module: 'gesties',
  isList: true,
  name: () => 'tramites',
  columns,
  rows: ({ db, now, url, viewer }) =>
    exportCases(db, viewer, withDays(readFilters(caseFilters, url).filters, now), chosenIn(url)),
})
