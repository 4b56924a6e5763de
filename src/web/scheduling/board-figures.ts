import { stateFacts } from '../../domain/appointments/appointment.ts'
import { type BoardDay, type BoardFilter, shownRows, travelOf } from '../../domain/scheduling/board.ts'
import { duration, thousands } from '../../domain/shared/format.ts'
import type { BoardCounts } from '../../server/scheduling/counts.ts'
import { type BoardQuery, boardLink } from './board-query.ts'
import type { Figure } from './figures.tsx'

/** The board's four figures, each with the way to what it counts. */
export const boardFigures = (
  board: BoardDay,
  filter: BoardFilter,
  { enRoute, waiting, withoutPerson }: BoardCounts,
  query: BoardQuery,
): Figure[] => [
  {
    label: 'Por asignar',
    value: thousands(waiting),
    to: boardLink(query, { nobody: false }, '#por-asignar'),
  },
  {
    label: stateFacts.en_route.label,
    value: thousands(enRoute),
    to: '/admin/appointments-pending?state=en_route',
  },
  {
    label: 'Traslados del día',
    value: duration(travelOf(shownRows(board, filter))),
    to: boardLink(query, {}, '#tablero'),
  },
  {
    label: 'Sin persona',
    value: thousands(withoutPerson),
    to: boardLink(query, { nobody: true }, '#por-asignar'),
    alarming: withoutPerson > 0,
  },
]
