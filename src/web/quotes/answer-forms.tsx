import { rejectReasons } from '../../domain/quotes/quote.ts'
import type { OwnQuote } from '../../server/quotes/own.ts'
import { TextArea } from '../ui/field.tsx'
import { Form, FormDetails } from '../ui/form.tsx'
import { Select } from '../ui/select.tsx'
import { Submit } from '../ui/submit.tsx'

type OneProps = { quote: OwnQuote }

/** What a customer can say of a quote besides accepting it. */
export const Answers = ({ quote }: OneProps) => (
  <div className="grid gap-3 lg:max-w-3xl">
    <AskChanges quote={quote} />
    <Reject quote={quote} />
  </div>
)

const AskChanges = ({ quote: { id, version } }: OneProps) => (
  <FormDetails summary="Pedir cambios" intent="ask-changes" target={{ quoteId: id }}>
    <input type="hidden" name="version" value={version} />
    <TextArea
      label="¿Qué te gustaría cambiar?"
      name="changes"
      maxLength={2000}
      help="Te preparamos otra versión y te mostramos qué cambió."
    />
    <Submit variant="ghost">Pedir cambios</Submit>
  </FormDetails>
)

const reasons = Object.entries(rejectReasons).map(([value, label]) => ({ value, label }))

const Reject = ({ quote: { id, version } }: OneProps) => (
  <FormDetails summary="No me interesa" intent="reject-quote" target={{ quoteId: id }}>
    <input type="hidden" name="version" value={version} />
    <Select label="Motivo" name="reason" placeholder="Elige un motivo" options={reasons} />
    <TextArea label="¿Algo que debamos saber?" name="note" optional maxLength={500} />
    <Submit variant="destructive">Rechazar cotización</Submit>
  </FormDetails>
)

/** Calls off what was accepted. */
export const CancelAccepted = ({ quote: { content, id, version } }: OneProps) => (
  <FormDetails
    summary="Cancelar mi cotización"
    intent="cancel-quote"
    target={{ quoteId: id }}
    intro={<p className="text-[0.9375rem] whitespace-pre-line">{content.refundTerms}</p>}
  >
    <input type="hidden" name="version" value={version} />
    <TextArea label="¿Por qué la cancelas?" name="reason" maxLength={500} />
    <Submit variant="destructive">Cancelar cotización</Submit>
  </FormDetails>
)

/** One tap for another quote. */
export const AskAnew = ({ quote }: OneProps) => (
  <Form intent="ask-anew" target={{ quoteId: quote.id }} className="justify-items-start">
    <Submit className="max-sm:w-full">Pedir otra cotización</Submit>
  </Form>
)
