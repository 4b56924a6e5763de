import type { ReactNode } from 'react'
import { optionNames } from '../../domain/quotes/content.ts'
import { isOpenQuote, type QuoteState, quoteStateFacts } from '../../domain/quotes/quote.ts'
import { longDate, money } from '../../domain/shared/format.ts'
import type { OwnQuote } from '../../server/quotes/own.ts'
import { Help } from '../app/help.tsx'
import { ActionBar } from '../ui/action-bar.tsx'
import { Badge } from '../ui/badge.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { AcceptedOption } from './accepted-option.tsx'
import { AskAnew, CancelAccepted } from './answer-forms.tsx'
import { PaperLink } from './earlier-versions.tsx'
import type { OwnQuotesPage } from './own-loader.ts'
import { Validity } from './validity.tsx'

type QuoteStandingProps = { quote: OwnQuote; page: OwnQuotesPage }

const titles: Record<QuoteState, string> = {
  draft: 'En preparación',
  sent: 'Espera tu respuesta',
  viewed: 'Espera tu respuesta',
  accepted: 'La aceptaste',
  rejected: 'La rechazaste',
  changes_requested: 'Pediste cambios',
  expired: 'Ya venció',
  withdrawn: 'La retiramos',
  superseded: 'Hay una versión nueva',
  cancelled: 'Se canceló',
  lapsed: 'Terminó sin su anticipo',
}

/** How a quote stands, in words to its customer, whose turn it is, and what comes next. */
export function QuoteStanding({ quote, page }: QuoteStandingProps) {
  const { id, state } = quote
  const { label, tone } = quoteStateFacts[state]
  return (
    <>
      <Card
        title={titles[state]}
        aside={!isOpenQuote(state) && <Badge tone={tone}>{label}</Badge>}
        className="lg:max-w-3xl"
      >
        <Standing quote={quote} page={page} />
        <p className="flex flex-wrap gap-3">
          <PaperLink id={id}>Descargar en PDF</PaperLink>
          {state === 'accepted' && (
            <LinkButton variant="ghost" to="/payments">
              Ver mis pagos
            </LinkButton>
          )}
        </p>
      </Card>
      {!isOpenQuote(state) && page.next && page.next.to !== '/quote' && (
        <ActionBar>
          <LinkButton to={page.next.to}>{page.next.label}</LinkButton>
        </ActionBar>
      )}
      {state === 'accepted' && (
        <>
          <AcceptedOption quote={quote} />
          {page.mayCancel && (
            <div className="lg:max-w-3xl">
              <CancelAccepted quote={quote} />
            </div>
          )}
        </>
      )}
    </>
  )
}

type Told = (props: QuoteStandingProps) => ReactNode

const waiting: Told = ({ quote, page }) => (
  <>
    <p>Revisa lo que incluye, elige tu opción y acéptala aquí mismo. También puedes pedir cambios.</p>
    <Validity until={quote.validUntil} now={page.now} />
  </>
)

const askingAnew =
  (why: (quote: OwnQuote) => string): Told =>
  ({ quote }) => (
    <>
      <p>{why(quote)}</p>
      {quote.askedAnew ? (
        <p>Ya nos pediste otra. Nos toca a nosotros: te avisamos por correo en cuanto esté lista.</p>
      ) : (
        <AskAnew quote={quote} />
      )}
    </>
  )

const reasonOf = ({ reason }: OwnQuote, before = '') => (reason ? ` ${before}«${reason}».` : '')

const words: Partial<Record<QuoteState, Told>> = {
  sent: waiting,
  viewed: waiting,
  accepted: ({ quote: { accepted }, page }) => (
    <>
      {accepted && (
        <p>
          {accepted.name} aceptó la opción {optionNames[accepted.option]} el {longDate(accepted.at)}:{' '}
          <span className="font-semibold">{money(accepted.total)} con IVA</span>
          {accepted.deposit > 0 && `, con un anticipo de ${money(accepted.deposit)}`}.
        </p>
      )}
      <p>{page.line}</p>
    </>
  ),
  rejected: ({ quote }) => (
    <>
      <p>Nos dijiste que no te interesa.{reasonOf(quote)} Te llamamos para saber qué te conviene más.</p>
      <Help about={`Hola, quiero hablar de mi cotización ${quote.folio}`} />
    </>
  ),
  changes_requested: ({ quote }) => (
    <>
      <p className="whitespace-pre-line">Nos escribiste:{reasonOf(quote)}</p>
      <p>Nos toca a nosotros: preparamos otra versión y te mostramos qué cambió.</p>
    </>
  ),
  withdrawn: ({ quote, page }) => (
    <p>
      Ya no se puede aceptar.{reasonOf(quote)} {page.line}
    </p>
  ),
  expired: askingAnew(({ validUntil }) => `Valía hasta el ${longDate(validUntil)}. Ya no se puede aceptar.`),
  lapsed: askingAnew(() => 'No recibimos tu anticipo a tiempo, así que esta cotización terminó.'),
  cancelled: askingAnew(
    (quote) => `Ya no sigue.${reasonOf(quote)} Si pagaste algo, tu reembolso está en tus pagos.`,
  ),
}

const Standing: Told = (props) => words[props.quote.state]?.(props)
