import { loseIntent, lostReasons, reopenIntent } from '../../domain/projects/project.ts'
import { longDate } from '../../domain/shared/format.ts'
import type { Ending } from '../../server/projects/ending.ts'
import type { Failure } from '../lib/submit.ts'
import { Card } from '../ui/card.tsx'
import { Details } from '../ui/details.tsx'
import { TextArea } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Select } from '../ui/select.tsx'
import { Submit } from '../ui/submit.tsx'

type EndingCardProps = { ending: Ending; result: Failure | undefined }
const reasons = Object.entries(lostReasons).map(([value, label]) => ({ value, label }))

/** Gives a customer's project up with a reason, or says why it was, with the way back; nothing for one that is installed. */
export function EndingCard({ ending, result }: EndingCardProps) {
  const { closedAt, id, lostNote, lostReason, mayReopen, stage } = ending
  const about = <input type="hidden" name="projectId" value={id} />
  if (closedAt && lostReason)
    return (
      <Card title="Proyecto no concretado">
        <p>
          {lostReasons[lostReason]}, {longDate(closedAt)}.{lostNote && ` ${lostNote}`}
        </p>
        {mayReopen && (
          <Form result={result}>
            <input type="hidden" name="intent" value={reopenIntent} />
            {about}
            <Submit variant="ghost">Reabrir proyecto</Submit>
          </Form>
        )}
      </Card>
    )
  if (closedAt || stage === 'closed' || stage === 'cfe') return null
  return (
    <Card title="Proyecto">
      <Details summary="Cerrar como No concretado" open={result !== undefined}>
        <p className="text-mute">
          Cancela sus citas, retira sus cotizaciones y deja de cobrar lo pendiente. La gerencia puede
          reabrirlo.
        </p>
        <Form result={result}>
          <input type="hidden" name="intent" value={loseIntent} />
          {about}
          <Select label="Motivo" name="reason" placeholder="Elige un motivo" options={reasons} />
          <TextArea label="¿Qué pasó?" name="note" optional maxLength={500} />
          <Submit variant="destructive">Cerrar proyecto</Submit>
        </Form>
      </Details>
    </Card>
  )
}
