import type { ReactNode } from 'react'
import { thousands } from '../../domain/shared/format.ts'
import type { ShownPlan } from '../../server/scheduling/planning-queries.ts'
import { Card } from '../ui/card.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
import { Progress } from '../ui/progress.tsx'
import { Submit } from '../ui/submit.tsx'

const phases: Record<string, string> = {
  start: 'Buscando un primer plan',
  routes: 'Armando rutas',
  plan: 'Juntando las mejores rutas',
  proof: 'Comprobando que no haya uno mejor',
}
/** How long it takes at most. */
const seconds = 10

type PlanProgressProps = { plan: ShownPlan; result: FormResult | undefined; children: ReactNode }

/** A plan that is being worked out. Without scripts the page asks anew by itself. */
export function PlanProgress({ plan: { id, progress }, result, children }: PlanProgressProps) {
  return (
    <Card title="Calculando">
      <noscript>
        <meta httpEquiv="refresh" content="2" />
      </noscript>
      <Progress label="Tiempo usado" value={progress?.seconds ?? 0} max={seconds} />
      <DefinitionList
        items={[
          { term: 'Paso', value: phases[progress?.phase ?? 'start'] },
          { term: 'Mejor plan', value: progress && `${thousands(progress.cost)} puntos` },
          { term: 'Ninguno baja de', value: boundOf(progress?.bound) },
        ]}
      />
      <Form result={result}>
        <input type="hidden" name="planId" value={id} />
        <div className="flex flex-wrap gap-3">
          {progress && (
            <Submit name="intent" value="stop-plan" variant="ghost">
              Detener y usar el mejor
            </Submit>
          )}
          {children}
        </div>
      </Form>
    </Card>
  )
}

/** The first bounds prove nothing. */
const boundOf = (bound: number | null | undefined) =>
  bound !== null && bound !== undefined && bound > 0 ? `${thousands(bound)} puntos` : null
