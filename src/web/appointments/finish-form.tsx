import type { Service } from '../../domain/appointments/appointment.ts'
import type { Failure } from '../lib/submit.ts'
import { otherEndId } from '../reports/unsafe-alert.tsx'
import { Card } from '../ui/card.tsx'
import { TextArea } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { OutcomeSelect } from './outcome-select.tsx'
import { ReasonSelect } from './reason-select.tsx'

type FinishFormProps = {
  service: Service
  /** Whether it is its sheet that ends it as completed. */
  withSheet: boolean
  result: Failure | undefined
}

/** The end of an appointment: how it went, why if not to its end, and a note. Where it has a sheet, only that ends it as completed. */
export function FinishForm({ service, withSheet, result }: FinishFormProps) {
  return (
    <Card
      id={withSheet ? otherEndId : undefined}
      title={withSheet ? 'Si no se pudo completar' : 'Terminar la cita'}
      className={withSheet ? undefined : 'max-lg:order-first'}
    >
      <Form result={result} className="group">
        <input type="hidden" name="move" value="finish" />
        <OutcomeSelect {...(withSheet && { offered: ['partial', 'not_possible'] })} />
        {/* Browsers that don't know the rule show it always; it is read only where it is asked for. */}
        <ReasonSelect
          service={service}
          className="group-has-[option[value=completed]:checked]:hidden"
          help="El cliente podrá agendar otra de inmediato."
        />
        <TextArea
          label="Nota de cierre"
          name="closingNote"
          maxLength={2000}
          help="Cómo quedó y qué sigue. El cliente también la lee."
        />
        <Submit variant={withSheet ? 'ghost' : 'primary'}>Terminar</Submit>
      </Form>
    </Card>
  )
}
