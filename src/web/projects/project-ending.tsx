import { lostReasons } from '../../domain/projects/project.ts'
import { longDate } from '../../domain/shared/format.ts'
import type { ProjectEnding } from '../../server/projects/ending.ts'
import { Card } from '../ui/card.tsx'
import { Select, TextArea } from '../ui/field.tsx'
import { Form, FormDetails, Submit } from '../ui/form.tsx'

const reasons = Object.entries(lostReasons).map(([value, label]) => ({ value, label }))

/** Ends a customer's project with a reason, or says why it ended and how to reopen it; nothing once installed. */
export function ProjectEndingCard({ ending }: { ending: ProjectEnding }) {
  const { closedAt, id, lostNote, lostReason, mayReopen, stage } = ending
  const about = <input type="hidden" name="projectId" value={id} />
  if (closedAt && lostReason)
    return (
      <Card title="Proyecto no concretado">
        <p>
          {lostReasons[lostReason]}, {longDate(closedAt)}.{lostNote && ` ${lostNote}`}
        </p>
        {mayReopen && (
          <Form intent="reopen-project">
            {about}
            <Submit variant="ghost">Reabrir proyecto</Submit>
          </Form>
        )}
      </Card>
    )
  if (closedAt || stage === 'closed' || stage === 'cfe') return null
  return (
    <Card title="Proyecto">
      <FormDetails
        summary="Cerrar como No concretado"
        intent="lose-project"
        intro={
          <p className="text-mute">
            Cancela sus citas, retira sus cotizaciones y deja de cobrar lo pendiente. La gerencia puede
            reabrirlo.
          </p>
        }
      >
        {about}
        <Select label="Motivo" name="reason" placeholder="Elige un motivo" options={reasons} />
        <TextArea label="¿Qué pasó?" name="note" optional maxLength={500} />
        <Submit variant="destructive">Cerrar proyecto</Submit>
      </FormDetails>
    </Card>
  )
}
