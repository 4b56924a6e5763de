import { type Columns, chosenIn, exportList } from '../../kit/list/export-file.ts'
import { readFilters } from '../../kit/list/lists.tsx'
import { withDays } from '../../shared/day-range.ts'
import { municipalityLabel } from '../../shared/places.ts'
import { exportCases, type ListedCase } from '../queries.ts'
import { caseKindLabels, caseStateFacts, caseTurnLabels, managesCases } from '../rules/case.ts'
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
