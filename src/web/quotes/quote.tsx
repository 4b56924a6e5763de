import { FileText } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import { optionNames, type QuoteContent } from '../../domain/quotes/content.ts'
import { isOpenQuote, quoteStateFacts } from '../../domain/quotes/quote.ts'
import { choiceTotal, quoteChoiceIn } from '../../domain/quotes/totals.ts'
import { money } from '../../domain/shared/format.ts'
import type { OwnQuote } from '../../server/quotes/detail.ts'
import { CodeCard } from '../agencies/own-code.tsx'
import { useStepFocus } from '../lib/navigation-focus.ts'
import { useRefreshIn } from '../lib/refresh-in.ts'
import { revalidateOnConflict } from '../lib/revalidate-on-conflict.ts'
import { forms } from '../lib/submit.ts'
import { Alert } from '../ui/alert.tsx'
import { Badge } from '../ui/badge.tsx'
import { ActionBar, LinkButton } from '../ui/button.tsx'
import { Card, Details, EmptyState } from '../ui/card.tsx'
import { Checkbox, Field, FieldNotes, useField } from '../ui/field.tsx'
import { Form, type FormResult, OrphanedFormError, Submit, useFormResult } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/quote.ts'
import { loadOwnQuotes, type OwnQuotesPage, type OwnStory, ownQuoteForms } from './forms.ts'
import { QuoteAnswers, QuoteChanges } from './quote-changes.tsx'
import { QuoteOptions, QuoteTerms } from './quote-options.tsx'
import { EarlierVersions, PaperLink, QuoteStatus, Validity } from './quote-status.tsx'

type ExtraWorkProps = { quotes: readonly OwnQuote[]; page: OwnQuotesPage }

/** What came up on site, besides the quote: it is done, and charged, only once its customer accepts it. */
const ExtraWork = ({ quotes, page }: ExtraWorkProps) =>
  quotes.map((quote) => (
    <section key={quote.id} className="grid gap-4">
      <Card
        title="Trabajo adicional"
        aside={
          <Badge tone={quoteStateFacts[quote.state].tone}>
            {isOpenQuote(quote.state) ? 'Te toca' : quoteStateFacts[quote.state].label}
          </Badge>
        }
        className="lg:max-w-3xl"
      >
        <p>{wordsOf(quote)}</p>
        {isOpenQuote(quote.state) && <Validity until={quote.validUntil} now={page.now} />}
        <p className="flex flex-wrap gap-3">
          <PaperLink id={quote.id}>Descargar en PDF</PaperLink>
          {quote.accepted && (
            <LinkButton variant="ghost" to="/payments">
              Ver mis pagos
            </LinkButton>
          )}
        </p>
      </Card>
      {isOpenQuote(quote.state) && (
        <>
          <AcceptForm quote={quote} />
          <QuoteAnswers quote={quote} />
        </>
      )}
    </section>
  ))

function wordsOf({ accepted, folio, state }: OwnQuote): string {
  if (isOpenQuote(state))
    return `En tu instalación hace falta algo que no estaba en tu cotización (${folio}). Sin tu aceptación no se hace ni se cobra.`
  return accepted
    ? `Aceptaste ${money(accepted.total)} con IVA (${folio}).`
    : `No se hace ni se cobra (${folio}).`
}

type AcceptFormProps = {
  quote: OwnQuote
  /** Whether accepting is the main action of this screen: its button is always in sight. */
  isMain?: boolean
}

/** Chooses an option and what is added to it, and accepts them by name. */
function AcceptForm({ quote, isMain = false }: AcceptFormProps) {
  const { content } = quote
  const which = { intent: 'accept-quote', target: { quoteId: quote.id } }
  const result = useFormResult(which.intent, which.target)
  const [choice, setChoice] = useState(() => started(content, result))
  const chosen = choiceTotal(content, choice)
  const follow = ({ currentTarget }: FormEvent<HTMLFormElement>) =>
    setChoice(quoteChoiceIn(content, Object.fromEntries(new FormData(currentTarget))))
  const words = <Chosen content={content} chosen={chosen} />
  const button = <Submit>Aceptar cotización</Submit>
  return (
    <Form {...which} onChange={follow}>
      <input type="hidden" name="version" value={quote.version} />
      <input type="hidden" name="digest" value={quote.digest} />
      {/* Only where the page's script runs: the server asks again where it is not the accepted total. */}
      <input type="hidden" name="seenTotal" value={chosen?.total ?? ''} />
      <Choices isOne={content.options.length === 1}>
        <QuoteOptions content={content} choice={choice} />
      </Choices>
      <QuoteTerms content={content} />
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
  const choice = quoteChoiceIn(content, result?.values ?? {})
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
    <fieldset {...described} id={id} className="grid min-w-0 gap-1.5">
      <legend className="mb-3 text-lg font-semibold">
        {isOne ? 'Lo que te ofrecemos' : 'Elige tu opción'}
      </legend>
      <FieldNotes id={id} error={error} />
      {children}
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

/**
 * Says that quotes were opened, where the page was reached without loading a document: by a link of the application,
 * whose data may be fetched before the user pressed it, or by a page that a browser prerendered and then showed.
 */
function useNoteViewed(unseen: readonly string[]): void {
  const { submit } = useFetcher()
  const noted = useRef(new Set<string>())
  useEffect(() => {
    const note = () => {
      for (const quoteId of unseen.filter((id) => !noted.current.has(id))) {
        noted.current.add(quoteId)
        submit({ intent: 'note-viewed', quoteId }, { method: 'post' })
      }
    }
    if (!isPrepared()) return note()
    document.addEventListener('prerenderingchange', note, { once: true })
    return () => document.removeEventListener('prerenderingchange', note)
  }, [unseen, submit])
}

/** Whether the browser prerendered the page before the user asked for it. */
const isPrepared = () => 'prerendering' in document && document.prerendering === true

type OwnQuoteViewProps = { story: OwnStory; page: OwnQuotesPage }

/** The quote of an installation as its customer reads and answers it. */
function OwnQuoteView({ story, page }: OwnQuoteViewProps) {
  const { agreed, before, current, difference } = story
  const isOpen = isOpenQuote(current.state)
  return (
    <>
      <QuoteStatus quote={current} page={page} />
      {agreed && isOpen && (
        <Alert tone="info" title={`La versión ${agreed.revision}, que ya aceptaste, sigue en pie`}>
          Si aceptas esta, la reemplaza y lo que pagaste cuenta para ella. Si no, todo queda como está.
        </Alert>
      )}
      {before && difference && (
        <QuoteChanges difference={difference} before={before.revision} isOpen={isOpen} />
      )}
      {isOpen ? (
        <>
          <AcceptForm quote={current} isMain />
          <QuoteAnswers quote={current} />
        </>
      ) : (
        current.state !== 'accepted' && (
          <Details summary="Ver lo que te ofrecimos">
            <QuoteOptions content={current.content} />
            <QuoteTerms content={current.content} />
          </Details>
        )
      )}
    </>
  )
}

export const handle = { announcesUpdates: true }

export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, request }: Route.LoaderArgs) => loadOwnQuotes(context, request)

export const action = forms(({ context, request }: Route.ActionArgs) => ownQuoteForms(context, request))

export default function Quote({ loaderData: page }: Route.ComponentProps) {
  const { extraWork, installation, line, next } = page
  useNoteViewed(page.unseen)
  useRefreshIn(page.changesIn)
  useStepFocus(installation?.current.state)
  const isEmpty = !installation && extraWork.length === 0
  return (
    <>
      <PageHeader
        title="Cotización"
        subtitle={
          installation
            ? `${installation.current.folio}, versión ${installation.current.revision}`
            : 'Lo que cuesta tu instalación, con todo lo que incluye.'
        }
      />
      <div className="grid gap-4">
        <OrphanedFormError />
        <CodeCard own={page.code} touch={page.touch} />
        <ExtraWork quotes={extraWork} page={page} />
        {installation && <OwnQuoteView story={installation} page={page} />}
        {installation && <EarlierVersions versions={installation.earlier} />}
        {isEmpty && <EmptyState icon={FileText}>{line}</EmptyState>}
      </div>
      {isEmpty && next && (
        <ActionBar>
          <LinkButton to={next.to}>{next.label}</LinkButton>
        </ActionBar>
      )}
    </>
  )
}
