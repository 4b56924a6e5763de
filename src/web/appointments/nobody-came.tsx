import type { OwnRights } from '../../server/appointments/own-rights.ts'
import { Alert } from '../ui/alert.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

/** Half an hour after the start: the customer says that nobody came, and reads that we know. Nothing before. */
export function NobodyCame({ rights: { id, mayReport, reported } }: { rights: OwnRights }) {
  if (reported)
    return (
      <Alert tone="wait" title="Ya sabemos que nadie llegó">
        Te llamamos cuanto antes para arreglarlo.
      </Alert>
    )
  if (!mayReport) return null
  return (
    <Form intent="nobody-came" target={{ appointmentId: id }} className="border-t border-line pt-4">
      <p>¿Ya pasó la hora y nadie llegó? Avísanos y te llamamos de inmediato.</p>
      <Submit>Nadie llegó</Submit>
    </Form>
  )
}
