import { type FormEvent, useState } from 'react'
import { choiceIn, choiceTotal } from '../../domain/quotes/choice.ts'
import { optionNames, type QuoteContent } from '../../domain/quotes/content.ts'
import { money } from '../../domain/shared/format.ts'
import type { OwnQuote } from '../../server/quotes/own.ts'
import { ActionBar } from '../ui/action-bar.tsx'
import { Card } from '../ui/card.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Field } from '../ui/field.tsx'
import { FieldNotes, useField } from '../ui/field-frame.tsx'
import { Form, type FormResult, useFormResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { QuoteOptions } from './quote-options.tsx'
import { Terms } from './terms.tsx'

type AcceptFormProps = {
  quote: OwnQuote
  /** Whether accepting is what this screen is for: its button is always in sight. */
  isMain?: boolean
}

/** Chooses an option and what is added to it, and accepts them by name. */
export function AcceptForm({ quote, isMain = false }: AcceptFormProps) {
  const { content } = quote
  const which = { intent: 'accept-quote', target: { quoteId: quote.id } }
  const result = useFormResult(which.intent, which.target)
  const [choice, setChoice] = useState(() => started(content, result))
  const chosen = choiceTotal(content, choice)
  const follow = ({ currentTarget }: FormEvent<HTMLFormElement>) =>
    setChoice(choiceIn(content, Object.fromEntries(new FormData(currentTarget))))
  const words = <Chosen content={content} chosen={chosen} />
  const button = <Submit>Aceptar cotización</Submit>
  return (
    <Form {...which} onChange={follow}>
      <input type="hidden" name="version" value={quote.version} />
      <input type="hidden" name="digest" value={quote.digest} />
      {/* Of what is ticked only where the page's script runs: the server asks again where it is not what was accepted. */}
      <input type="hidden" name="seenTotal" value={chosen?.total ?? ''} />
      <Choices isOne={content.options.length === 1}>
        <QuoteOptions content={content} choice={choice} />
      </Choices>
      <Terms content={content} />
      <Card title="Aceptar" className="lg:max-w-3xl">
        <p className="text-[0.9375rem] text-mute">{followsFrom(quote)}</p>
        <Field
          label="Tu nombre completo"
          name="name"
          autoComplete="name"
          enterKeyHint="done"
          maxLength={160}
          help="Vale como tu firma."
        />
        <Checkbox
          name="conditions"
          label="Leí y acepto lo que incluye y lo que no, la garantía y las condiciones de reembolso."
        />
        {!isMain && (
          <>
            {words}
            {button}
          </>
        )}
      </Card>
      {isMain && (
        <ActionBar>
          {words}
          {button}
        </ActionBar>
      )}
    </Form>
  )
}

/** What was sent and not accepted; a single option needs no choosing. */
function started(content: QuoteContent, result: FormResult | undefined) {
  const choice = choiceIn(content, result?.values ?? {})
  const [only, ...others] = content.options
  return only && others.length === 0 ? { ...choice, option: only.id } : choice
}

function followsFrom({ content, kind }: OwnQuote): string {
  if (kind === 'extra_work') return 'Al aceptar, tu técnico puede hacerlo, y lo pagas desde tus pagos.'
  return content.depositPercent > 0
    ? 'Al aceptar queda pendiente tu anticipo. En cuanto lo recibamos puedes agendar tu instalación.'
    : 'Al aceptar puedes agendar tu instalación en cuanto no falte nada más.'
}

function Choices({ isOne, children }: { isOne: boolean; children: React.ReactNode }) {
  const { described, error, id } = useField({ name: 'option' })
  return (
    <fieldset {...described} className="grid min-w-0 gap-1.5">
      <legend className="mb-3 text-lg font-semibold">
        {isOne ? 'Lo que te ofrecemos' : 'Elige tu opción'}
      </legend>
      {children}
      <FieldNotes id={id} help={undefined} error={error} />
    </fieldset>
  )
}

type Chosen = { content: QuoteContent; chosen: ReturnType<typeof choiceTotal> }

/** What is about to be accepted, in one line. */
function Chosen({ content, chosen }: Chosen) {
  if (!chosen) return <p className="text-[0.9375rem] text-mute">Elige una opción para ver tu total.</p>
  const name = content.options.length > 1 ? optionNames[chosen.option] : 'Total'
  return (
    <p aria-live="polite" className="text-[0.9375rem]">
      {name}: <span className="font-semibold">{money(chosen.total)}</span> con IVA
      {chosen.deposit > 0 && <span className="text-mute"> · Anticipo {money(chosen.deposit)}</span>}
    </p>
  )
}
