import { dayFilters } from '../../kit/list/filter-chips.tsx'
import { anId, oneOf, ordersBy, searched } from '../../kit/list/lists.tsx'
import {
  type CaseKind,
  type CaseState,
  type CaseTurn,
  caseKindLabels,
  caseStateFacts,
  caseTurnLabels,
} from '../rules/case.ts'

export const casesPath = '/admin/gesties'

export const caseFilters = {
  ...dayFilters,
  state: oneOf(Object.keys(caseStateFacts) as CaseState[]),
  turn: oneOf(Object.keys(caseTurnLabels) as CaseTurn[]),
  kind: oneOf(Object.keys(caseKindLabels) as CaseKind[]),
  gester: (text: string) => (text === 'nadie' ? text : anId(text)),
  over: oneOf(['1']),
  text: searched(),
  order: ordersBy('wait'),
}
