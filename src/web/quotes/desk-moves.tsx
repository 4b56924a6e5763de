import { isOpenQuote } from '../../domain/quote.ts'
import type { WholeQuote } from '../../server/quotes/detail.ts'
import type { Failure } from '../submit.ts'
import { Card } from '../ui/card.tsx'
import { Details } from '../ui/details.tsx'
import { TextArea } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

type DeskMovesProps = { quote: WholeQuote; heard: (intent: string) => Failure | undefined }

/** What the office may do with a quote now. Nothing when it is still being written, or another came in its place. */
export function DeskMoves({ quote, heard }: DeskMovesProps) {
  const { moves, state, version } = quote
  if (state === 'draft' || state === 'superseded') return null
  const [withdrawing, cancelling] = [heard('withdraw-quote'), heard('cancel-quote')]
  return (
    <Card title="Qué puedes hacer">
      <Revise quote={quote} result={heard('revise-quote')} />
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

/** The next version begins with what this one says; one that was begun goes on. */
function Revise({ quote, result }: { quote: WholeQuote; result: Failure | undefined }) {
  const { kind, state, versions } = quote
  const isBegun = versions.some((one) => one.state === 'draft' && one.kind === kind)
  const isNext = state !== 'accepted' && !isOpenQuote(state)
  return (
    <Form result={result} className="gap-3">
      {isOpenQuote(state) && (
        <p className="text-[0.9375rem] text-mute">
          Puedes preparar otra versión. Para enviarla, primero retira esta.
        </p>
      )}
      <Submit
        name="intent"
        value="revise-quote"
        variant={isNext ? 'primary' : 'ghost'}
        className="justify-self-start"
      >
        {isBegun ? 'Seguir con el borrador' : 'Hacer una versión nueva'}
      </Submit>
    </Form>
  )
}
