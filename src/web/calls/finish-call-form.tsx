import { useRef } from 'react'
import { longestNextSteps, longestSummary } from '../../domain/calls/room.ts'
import { OutcomeSelect } from '../appointments/outcome-select.tsx'
import { ReasonSelect } from '../appointments/reason-select.tsx'
import type { Failure } from '../lib/submit.ts'
import { Card } from '../ui/card.tsx'
import { TextArea } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { useHalfWritten } from './half-written.ts'

type FinishCallFormProps = { appointmentId: string; writer: string; result: Failure | undefined }

/** The end of a call: how it went, and what its customer reads of it. It ends the room for both. */
export function FinishCallForm({ appointmentId, result, writer }: FinishCallFormProps) {
  const card = useRef<HTMLElement>(null)
  useHalfWritten(card, `${writer}/${appointmentId}`)
  return (
    <Card ref={card} title="Terminar la asesoría">
      <Form result={result} className="group">
        <input type="hidden" name="move" value="finish" />
        <OutcomeSelect />
        {/* Browsers that don't know the rule show them always; they are read only where they are asked for. */}
        <div className="grid gap-5 group-has-[option[value=completed]:checked]:hidden">
          <ReasonSelect service="videocall" help="El cliente podrá agendar otra de inmediato." />
          <TextArea
            label="Nota de cierre"
            name="closingNote"
            optional
            maxLength={2000}
            help="Qué pasó. El cliente también la lee."
          />
        </div>
        <TextArea
          label="Resumen"
          name="summary"
          rows={5}
          maxLength={longestSummary}
          help="De qué hablaron y qué quedó claro. El cliente lo lee."
        />
        <TextArea
          label="Qué sigue"
          name="nextSteps"
          maxLength={longestNextSteps}
          help="Los próximos pasos, suyos y nuestros. El cliente los lee."
        />
        <Submit>Terminar asesoría</Submit>
      </Form>
    </Card>
  )
}
