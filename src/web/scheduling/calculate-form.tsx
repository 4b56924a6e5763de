import { Route as RouteIcon } from 'lucide-react'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

type CalculateFormProps = { open: number; isAgain: boolean; result: FormResult | undefined }

/** What a plan may change, and the button that has it worked out. */
export function CalculateForm({ open, isAgain, result }: CalculateFormProps) {
  if (open === 0)
    return (
      <Form result={result}>
        <EmptyState icon={RouteIcon}>
          No hay citas por confirmar ese día en esas zonas. Elige otro día u otras zonas.
        </EmptyState>
      </Form>
    )
  return (
    <Card>
      <Form result={result}>
        <p className="max-w-prose text-[0.9375rem] text-mute">
          Reparte las citas por confirmar entre quienes pueden tomarlas, con menos traslado y cargas parejas.
          Las horas no cambian, y lo ya confirmado se queda con su persona. Nada cambia hasta que lo apliques.
        </p>
        <div>
          <Submit name="intent" value="calculate-plan" variant={isAgain ? 'ghost' : 'primary'}>
            {isAgain ? 'Calcular de nuevo' : 'Calcular'}
          </Submit>
        </div>
      </Form>
    </Card>
  )
}
