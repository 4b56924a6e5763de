import type { Redeemed } from '../../domain/agencies/clients.ts'
import type { Touch } from '../projects/first-touch.ts'
import { Card } from '../ui/card.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { CodeField } from './code-field.tsx'
import { OwnCode } from './own-code.tsx'

type CodeCardProps = {
  /** The code that the customer uses. */
  own: Redeemed | null
  /** What brought them, where they may still use a code; null where it is too late. */
  touch: Touch | null
}

/** A customer's code: the one they use, or where to type it. */
export function CodeCard({ own, touch }: CodeCardProps) {
  if (own || !touch) return own && <OwnCode own={own} />
  return (
    <Card title="¿Tienes un código?" className="lg:max-w-3xl">
      <p className="text-[0.9375rem] text-mute">
        Si te lo dio tu concesionaria, úsalo antes de aceptar tu cotización.
      </p>
      <Form
        intent="redeem-code"
        className="sm:grid-cols-[minmax(0,20rem)_auto] sm:items-end sm:justify-start"
      >
        <CodeField touch={touch} label="Código" optional={false} />
        <Submit variant="ghost">Usar código</Submit>
      </Form>
    </Card>
  )
}
