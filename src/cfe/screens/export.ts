import { type Columns, exportList } from '../../kit/list/export-file.ts'
import { municipalityLabel } from '../../shared/places.ts'
import { exportCases, type ListedCase } from '../queries.ts'
import { caseKindLabels, caseStateFacts, caseTurnLabels, managesCases } from '../rules/case.ts'
import { caseList } from './case-list.ts'

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
  list: caseList,
  by: managesCases,
  module: 'gesties',
  isList: true,
  name: () => 'tramites',
  columns,
  rows: ({ asked, db, ids, viewer }) => exportCases(db, viewer, asked, ids),
})
