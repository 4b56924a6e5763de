import { isOpenQuote } from '../../domain/quotes/quote.ts'
import type { WholeQuote } from '../../server/quotes/detail.ts'
import { Card } from '../ui/card.tsx'
import { TextArea } from '../ui/field.tsx'
import { Form, FormDetails } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

/** What the office may do with a quote now. Nothing when it is still being written, or another came in its place. */
export function DeskMoves({ quote }: { quote: WholeQuote }) {
  const { moves, state, version } = quote
  if (state === 'draft' || state === 'superseded') return null
  return (
    <Card title="Qué puedes hacer">
      <Revise quote={quote} />
      {moves.includes('withdraw') && (
        <FormDetails summary="Retirarla" intent="withdraw-quote">
          <input type="hidden" name="version" value={version} />
          <TextArea
            label="Motivo"
            name="reason"
            optional
            maxLength={500}
            help="El cliente lo lee en su correo. Después podrás enviarle otra versión."
          />
          <Submit variant="destructive">Retirar la cotización</Submit>
        </FormDetails>
      )}
      {moves.includes('cancel') && (
        <FormDetails summary="Cancelarla" intent="cancel-quote">
          <input type="hidden" name="version" value={version} />
          <TextArea
            label="Motivo"
            name="reason"
            maxLength={500}
            help="El cliente lo lee en su correo. Se libera su instalación, y lo que pagó queda por reembolsar."
          />
          <Submit variant="destructive">Cancelar la cotización</Submit>
        </FormDetails>
      )}
    </Card>
  )
}

/** The next version begins with what this one says; one that was begun goes on. */
function Revise({ quote }: { quote: WholeQuote }) {
  const { kind, state, versions } = quote
  const isBegun = versions.some((one) => one.state === 'draft' && one.kind === kind)
  const isNext = state !== 'accepted' && !isOpenQuote(state)
  return (
    <Form intent="revise-quote" className="gap-3">
      {isOpenQuote(state) && (
        <p className="text-[0.9375rem] text-mute">
          Puedes preparar otra versión. Para enviarla, primero retira esta.
        </p>
      )}
      <Submit variant={isNext ? 'primary' : 'ghost'} className="justify-self-start">
        {isBegun ? 'Seguir con el borrador' : 'Hacer una versión nueva'}
      </Submit>
    </Form>
  )
}
