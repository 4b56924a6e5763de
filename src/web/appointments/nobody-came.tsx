import type { OwnRights } from '../../server/appointments/own-rights.ts'
import { concerning } from '../accounts/form-concerned.ts'
import type { Failure } from '../submit.ts'
import { Alert } from '../ui/alert.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

type NobodyCameProps = { rights: OwnRights; result: Failure | undefined }

/** Half an hour after the start: the customer says that nobody came, and reads that we know. Nothing before. */
export function NobodyCame({ rights: { id, mayReport, reported }, result }: NobodyCameProps) {
  if (reported)
    return (
      <Alert tone="wait" title="Ya sabemos que nadie llegó">
        Te llamamos cuanto antes para arreglarlo.
      </Alert>
    )
  const heard = concerning(result, 'nobody-came')
  if (!mayReport)
    return heard?.refusal ? (
      <Alert tone="bad" title={heard.refusal.title}>
        {heard.refusal.description}
      </Alert>
    ) : null
  return (
    <Form result={heard} className="border-t border-line pt-4">
      <input type="hidden" name="appointmentId" value={id} />
      <p>¿Ya pasó la hora y nadie llegó? Avísanos y te llamamos de inmediato.</p>
      <Submit name="intent" value="nobody-came">
        Nadie llegó
      </Submit>
    </Form>
  )
}
