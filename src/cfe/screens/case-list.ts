import { Landmark } from 'lucide-react'
import { anIdOr, choiceFilter, dayFilters, oneOf, orders, searched } from '../../kit/list/filters.ts'
import type { List } from '../../kit/list/list-body.tsx'
import { caseKindLabels, caseStateFacts, casesPath, caseTurnLabels } from '../rules/case.ts'

export const caseList = {
  path: casesPath,
  title: 'Gestorías',
  caption: 'Trámites ante CFE',
  words: ['trámite', 'trámites'],
  saved: 'cases',
  icon: Landmark,
  empty: 'No hay trámites abiertos. Se abren solos cuando se acepta una cotización que los necesita.',
  narrowed: 'Ningún trámite coincide con lo que buscas.',
  all: 'Ver todos',
  ticked: ['marcado', 'marcados'],
  filters: {
    ...dayFilters,
    order: orders('Por vencer primero', {
      reverse: 'Los de más plazo primero',
      wait: 'Los que más esperan primero',
      'wait-reverse': 'Los que menos esperan primero',
    }),
    turn: choiceFilter('Le toca a', caseTurnLabels),
    state: choiceFilter('Estado', caseStateFacts),
    kind: choiceFilter('Trámite', caseKindLabels),
    gester: { ...anIdOr('nadie'), label: 'Gestor' },
    over: oneOf<'1'>(['1']),
    text: searched('Folio, cliente o número de servicio'),
  },
} satisfies List
