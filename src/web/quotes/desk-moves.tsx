import type { WholeQuote } from '../../server/quotes/detail.ts'
import type { Failure } from '../submit.ts'
import { Card } from '../ui/card.tsx'
import { Details } from '../ui/details.tsx'
import { TextArea } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

type DeskMovesProps = { quote: WholeQuote; heard: (intent: string) => Failure | undefined }

/** What the office may do with a quote now. Nothing when there is none of it, or it is still being written. */
export function DeskMoves({ quote: { moves, state, version }, heard }: DeskMovesProps) {
  if (state === 'draft' || moves.length === 0) return null
  const [withdrawing, cancelling] = [heard('withdraw-quote'), heard('cancel-quote')]
  return (
    <Card title="Qué puedes hacer">
      {moves.includes('withdraw') && (
        <Details summary="Retirarla" open={withdrawing !== undefined}>
          <Form result={withdrawing}>
            <input type="hidden" name="version" value={version} />
            <TextArea
              label="Motivo"
              name="reason"
              optional
              maxLength={500}
              help="El cliente lo lee en su correo. Después podrás enviarle otra versión."
            />
            <Submit name="intent" value="withdraw-quote" variant="destructive">
              Retirar la cotización
            </Submit>
          </Form>
        </Details>
      )}
      {moves.includes('cancel') && (
        <Details summary="Cancelarla" open={cancelling !== undefined}>
          <Form result={cancelling}>
            <input type="hidden" name="version" value={version} />
            <TextArea
              label="Motivo"
              name="reason"
              maxLength={500}
              help="El cliente lo lee en su correo. Se libera su instalación, y lo que pagó queda por reembolsar."
            />
            <Submit name="intent" value="cancel-quote" variant="destructive">
              Cancelar la cotización
            </Submit>
          </Form>
        </Details>
      )}
    </Card>
  )
}
