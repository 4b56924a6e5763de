import { duration, percent, thousands } from '../../domain/shared/format.ts'
import type { PlanResult } from '../../server/scheduling/planning-queries.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'

/** What a plan comes down to: what it saves, and how far it can be from the best. */
export function PlanFigures({ result: { travel, left, cost, bound, gap } }: { result: PlanResult }) {
  return (
    <Card
      title={`${saving(travel.before - travel.after)} de traslado`}
      aside={gap === 0 ? <Badge tone="ok">Óptimo</Badge> : <Badge tone="info">{gapWords(gap)}</Badge>}
    >
      <DefinitionList
        items={[
          { term: 'Traslado ahora', value: duration(travel.before) },
          { term: 'Con el plan', value: duration(travel.after) },
          {
            term: 'Sin persona',
            value: left.before + left.after === 0 ? null : `${left.before} ahora, ${left.after} con el plan`,
          },
          {
            term: 'Comprobado',
            value: `El plan suma ${thousands(cost)} puntos y ninguno baja de ${thousands(bound)}. Un punto es un minuto de traslado; las cargas disparejas también suman.`,
          },
        ]}
      />
    </Card>
  )
}

/** "37 min menos de traslado"; a plan that gives more people something to do may need more. */
export const saving = (minutes: number) =>
  minutes === 0 ? 'Sin cambio' : `${duration(Math.abs(minutes))} ${minutes > 0 ? 'menos' : 'más'}`

/** Rounded up, so that it is never said to be nearer than it is. */
const gapWords = (gap: number) => `A menos de ${percent(Math.ceil(gap * 1000) * 10)} del óptimo`
