import { rejectReasons } from '../../domain/reject-reasons.ts'
import type { OwnQuote } from '../../server/quotes/own.ts'
import { Details } from '../ui/details.tsx'
import { TextArea } from '../ui/field.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
import { Select } from '../ui/select.tsx'
import { Submit } from '../ui/submit.tsx'
import { type Answer, heardBy } from './heard.ts'

type AnswersProps = { quote: OwnQuote; answer: Answer }

/** What a customer can say of a quote besides accepting it. */
export const Answers = ({ quote, answer }: AnswersProps) => (
  <div className="grid gap-3 lg:max-w-3xl">
    <AskChanges quote={quote} result={heardBy(answer, 'ask-changes', quote.id)} />
    <Reject quote={quote} result={heardBy(answer, 'reject-quote', quote.id)} />
  </div>
)

type OneProps = { quote: OwnQuote; result: FormResult | undefined }

const AskChanges = ({ quote, result }: OneProps) => (
  <Details summary="Pedir cambios" open={result !== undefined}>
    <Form result={result}>
      <Whose quote={quote} />
      <TextArea
        label="¿Qué te gustaría cambiar?"
        name="changes"
        maxLength={2000}
        help="Te preparamos otra versión y te mostramos qué cambió."
      />
      <Submit name="intent" value="ask-changes" variant="ghost">
        Pedir cambios
      </Submit>
    </Form>
  </Details>
)

const reasons = Object.entries(rejectReasons).map(([value, label]) => ({ value, label }))

const Reject = ({ quote, result }: OneProps) => (
  <Details summary="No me interesa" open={result !== undefined}>
    <Form result={result}>
      <Whose quote={quote} />
      <Select label="Motivo" name="reason" placeholder="Elige un motivo" options={reasons} />
      <TextArea label="¿Algo que debamos saber?" name="note" optional maxLength={500} />
      <Submit name="intent" value="reject-quote" variant="destructive">
        Rechazar cotización
      </Submit>
    </Form>
  </Details>
)

/** Calls off what was accepted. */
export const CancelAccepted = ({ quote, result }: OneProps) => (
  <Details summary="Cancelar mi cotización" open={result !== undefined}>
    <p className="text-[0.9375rem] whitespace-pre-line">{quote.content.refundTerms}</p>
    <Form result={result}>
      <Whose quote={quote} />
      <TextArea label="¿Por qué la cancelas?" name="reason" maxLength={500} />
      <Submit name="intent" value="cancel-quote" variant="destructive">
        Cancelar cotización
      </Submit>
    </Form>
  </Details>
)

/** One tap for another quote. */
export const AskAnew = ({ quote, result }: OneProps) => (
  <Form result={result} className="justify-items-start">
    <input type="hidden" name="quoteId" value={quote.id} />
    <Submit name="intent" value="ask-anew" className="max-sm:w-full">
      Pedir otra cotización
    </Submit>
  </Form>
)

const Whose = ({ quote: { id, version } }: { quote: OwnQuote }) => (
  <>
    <input type="hidden" name="quoteId" value={id} />
    <input type="hidden" name="version" value={version} />
  </>
)
