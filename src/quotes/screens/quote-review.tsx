import { Checkbox, Field, FieldNotes, useField } from '../../kit/form/field.tsx'
import { Form, Submit } from '../../kit/form/form.tsx'
import { money } from '../../shared/format.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Card, Details } from '../../ui/card.tsx'
import type { OwnQuote } from '../detail.ts'
import { optionNames, optionOf, type QuoteContent } from '../rules/content.ts'
import { addOnField, choiceTotal, type QuoteChoice, totalsOfOption } from '../rules/totals.ts'
import { LineList, Sums } from './option-parts.tsx'
import { QuoteTerms } from './quote-options.tsx'

type ReviewProps = { quote: OwnQuote; choice: QuoteChoice }

/** What names the form by which a quote is accepted. */
export const acceptFormOf = ({ id }: Pick<OwnQuote, 'id'>) => ({
  intent: 'accept-quote',
  target: { quoteId: id },
})

/** The last step before accepting: what it is, what it costs and on which terms, and the customer's name. */
export function ReviewForm({ choice, quote }: ReviewProps) {
  const { content } = quote
  const chosen = choiceTotal(content, choice)
  return (
    <Form {...acceptFormOf(quote)} className="gap-4">
      <input type="hidden" name="version" value={quote.version} />
      <input type="hidden" name="digest" value={quote.digest} />
      <input type="hidden" name="option" value={choice.option ?? ''} />
      {addOnFieldsOf(content, choice).map((name) => (
        <input key={name} type="hidden" name={name} value="on" />
      ))}
      {/* The server asks again where it is not the accepted total. */}
      <input type="hidden" name="seenTotal" value={chosen?.total ?? ''} />
      <WhatIsAccepted content={content} choice={choice} />
      <QuoteTerms content={content} />
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
      <Submit>Aceptar cotización</Submit>
    </Form>
  )
}

function WhatIsAccepted({ choice, content }: { content: QuoteContent; choice: QuoteChoice }) {
  const { error, id } = useField({ name: 'option' })
  const option = choice.option === null ? undefined : optionOf(content, choice.option)
  const chosen = choiceTotal(content, choice)
  if (!option || !chosen) return <FieldNotes id={id} help={undefined} error={error ?? 'Elige una opción.'} />
  const totals = totalsOfOption(option, choice.addOns[option.id] ?? [])
  return (
    <div className="grid gap-3">
      <FieldNotes id={id} help={undefined} error={error} />
      {content.options.length > 1 && <p className="font-semibold">Opción {optionNames[option.id]}</p>}
      <Details summary={`Qué incluye: ${totals.lines.length} partidas`}>
        <LineList option={option} totals={totals} />
      </Details>
      <Sums option={option} totals={totals} />
      {chosen.deposit > 0 && (
        <p className="flex justify-between gap-3 text-[0.9375rem]">
          <span className="text-mute">Anticipo al aceptar ({content.depositPercent}&nbsp;%)</span>
          <span>{money(chosen.deposit)}</span>
        </p>
      )}
    </div>
  )
}

/** The names of the boxes ticked of the chosen option. */
const addOnFieldsOf = (content: QuoteContent, { addOns, option: id }: QuoteChoice): string[] => {
  const option = id === null ? undefined : optionOf(content, id)
  return option ? (addOns[option.id] ?? []).map((line) => addOnField(option.id, line)) : []
}

function followsFrom({ content, kind }: OwnQuote): string {
  if (kind === 'extra_work') return 'Si lo aceptas, tu técnico ya puede hacerlo; lo pagas después en Pagos.'
  return content.depositPercent > 0
    ? 'Al aceptar queda pendiente tu anticipo. En cuanto lo recibamos puedes agendar tu instalación.'
    : 'Después de aceptar agendas tu instalación; si falta algo, ahí mismo te decimos qué.'
}

/** The fields of an address that opens the page with a choice made. */
const chosenQuery = (quoteId: string, content: QuoteContent, choice: QuoteChoice) =>
  new URLSearchParams([
    ['cotizacion', quoteId],
    ['option', choice.option ?? ''],
    ...addOnFieldsOf(content, choice).map((name) => [name, 'on']),
  ]).toString()

/** The same step as a part of the page, for browsers without scripts. */
export const ReviewInPlace = ({ choice, quote }: ReviewProps) => (
  <Card title="Revisa y acepta" className="lg:max-w-xl">
    <ReviewForm quote={quote} choice={choice} />
    <LinkButton variant="ghost" to={`/quote?${chosenQuery(quote.id, quote.content, choice)}`}>
      Cambiar mi elección
    </LinkButton>
  </Card>
)
