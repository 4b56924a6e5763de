import { FileText } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useFetcher, useSearchParams } from 'react-router'
import { CodeCard } from '../../agencies/screens/own-code.tsx'
import { Form, OrphanedFormError, useFormResult } from '../../kit/form/form.tsx'
import { useStepFocus } from '../../kit/navigation-focus.ts'
import { useRefreshIn } from '../../kit/refresh-in.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { forms } from '../../kit/submit.ts'
import { money } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ActionBar, buttonClass, LinkButton } from '../../ui/button.tsx'
import { besideClass, Card, Details, EmptyState } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useHydrated, useHydratedWhenIdle } from '../../ui/hydrated.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import type { OwnQuote } from '../detail.ts'
import { suggestedOption } from '../rules/comparison.ts'
import { optionNames, optionOf, type QuoteContent } from '../rules/content.ts'
import { isOpenQuote, quoteStateFacts } from '../rules/quote.ts'
import { choiceTotal, type QuoteChoice, quoteChoiceIn } from '../rules/totals.ts'
import type { Route } from './+types/quote.ts'
import { loadOwnQuotes, type OwnQuotesPage, type OwnStory, ownQuoteForms } from './forms.ts'
import { QuoteAnswers, QuoteChanges } from './quote-changes.tsx'
import { QuoteChoiceFields } from './quote-choice.tsx'
import { QuoteOptions, QuoteTerms } from './quote-options.tsx'
import { acceptFormOf, ReviewForm, ReviewInPlace } from './quote-review.tsx'
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
        {isOpenQuote(quote.state) && (
          <p>
            <Validity until={quote.validUntil} now={page.now} />
          </p>
        )}
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
          <OpenQuote quote={quote} />
          <QuoteTerms content={quote.content} />
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

type OpenQuoteProps = {
  quote: OwnQuote
  /** Whether accepting is the main action of this screen: its button is always in sight. */
  isMain?: boolean
  /** Below the total. */
  beside?: ReactNode
  /** After all that is chosen. */
  children?: ReactNode
}

/** Chooses an option and what is added to it, then reviews and accepts it by name. */
function OpenQuote({ quote, isMain = false, beside, children }: OpenQuoteProps) {
  const { content, id } = quote
  const { intent, target } = acceptFormOf(quote)
  const result = useFormResult(intent, target)
  const [asked] = useSearchParams()
  const isAsked = asked.get('cotizacion') === id
  const sent = result?.values ?? (isAsked ? Object.fromEntries(asked) : {})
  const [inside, choice, follow] = useChoice(content, sent)
  const isHydrated = useHydrated()
  // An answer to a page without scripts: it stays where it is when they come.
  const [cameBack] = useState(result !== undefined && !isHydrated)
  if ((isAsked && asked.get('paso') === 'revisar') || (cameBack && result))
    return <ReviewInPlace quote={quote} choice={choice} />
  const words = <Chosen content={content} choice={choice} />
  const review = <Review form={`eleccion-${id}`} quote={quote} choice={choice} />
  return (
    <div className={isMain ? columnsClass : 'grid gap-4 lg:max-w-3xl'}>
      <Form method="get" action="/quote" id={`eleccion-${id}`} onChange={follow}>
        <input ref={inside} type="hidden" name="cotizacion" value={id} />
        <QuoteChoiceFields content={content} choice={choice} />
      </Form>
      {isMain ? (
        <aside aria-label="Tu elección" className={asideClass}>
          <div className="contents lg:grid lg:gap-4 lg:rounded-card lg:border lg:border-line lg:bg-card lg:p-5">
            <Summary content={content} choice={choice} />
            <ActionBar className="lg:*:w-full">
              <div className="lg:hidden">{words}</div>
              {review}
            </ActionBar>
          </div>
          {beside}
        </aside>
      ) : (
        <div className="grid gap-3 sm:justify-items-start">
          {words}
          {review}
        </div>
      )}
      {children && <div className="grid content-start gap-4 lg:col-start-1">{children}</div>}
    </div>
  )
}

const columnsClass =
  'grid gap-4 lg:grid-cols-[minmax(0,1fr)_16rem] lg:gap-6 xl:grid-cols-[minmax(0,1fr)_19rem]'
const asideClass = 'grid gap-4 lg:sticky lg:top-6 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:self-start'

/** What is picked, from what was sent and then from the form; the recommended option until another is picked. */
function useChoice(content: QuoteContent, sent: Readonly<Partial<Record<string, unknown>>>) {
  const inside = useRef<HTMLInputElement>(null)
  const [choice, setChoice] = useState(() => {
    const { addOns, option } = quoteChoiceIn(content, sent)
    return { addOns, option: option ?? suggestedOption(content) }
  })
  const follow = useCallback(() => {
    const form = inside.current?.form
    if (form) setChoice(quoteChoiceIn(content, Object.fromEntries(new FormData(form))))
  }, [content])
  // Something may have been picked before the script came.
  useEffect(follow, [follow])
  return [inside, choice, follow] as const
}

type ReviewStepProps = { form: string; quote: OwnQuote; choice: QuoteChoice }

/** Opens the last step: in front of the page, or without scripts at an address of its own. */
function Review({ form, quote, choice }: ReviewStepProps) {
  const { intent, target } = acceptFormOf(quote)
  const result = useFormResult(intent, target)
  const place = useRef<HTMLButtonElement>(null)
  if (!useHydratedWhenIdle(place))
    return (
      <button ref={place} type="submit" form={form} name="paso" value="revisar" className={buttonClass()}>
        Revisar y aceptar
      </button>
    )
  return (
    <Dialog trigger="Revisar y aceptar" title="Revisa y acepta" defaultOpen={result !== undefined}>
      <ReviewForm quote={quote} choice={choice} />
    </Dialog>
  )
}

/** What is about to be accepted, in one line. */
function Chosen({ content, choice }: ChosenProps) {
  const chosen = choiceTotal(content, choice)
  if (!chosen) return <p className="text-[0.9375rem] text-mute">Elige una opción para ver tu total.</p>
  const name = content.options.length > 1 ? optionNames[chosen.option] : 'Total'
  return (
    <p aria-live="polite" className="text-[0.9375rem]">
      {name}: <span className="font-semibold">{money(chosen.total)}</span> con IVA
      {chosen.deposit > 0 && <span className="block text-mute">Anticipo {money(chosen.deposit)}</span>}
    </p>
  )
}

type ChosenProps = { content: QuoteContent; choice: QuoteChoice }

/** The same on a desk, always in sight. */
function Summary({ content, choice }: ChosenProps) {
  const chosen = choiceTotal(content, choice)
  const option = chosen && optionOf(content, chosen.option)
  if (!option) return null
  const added = option.addOns.filter(({ id }) => choice.addOns[option.id]?.includes(id))
  return (
    <div className="grid gap-3 max-lg:hidden" aria-live="polite">
      <h2 className="font-semibold">
        {content.options.length > 1 ? optionNames[option.id] : 'Tu cotización'}
      </h2>
      {added.map(({ description, id }) => (
        <p key={id} className="text-[0.9375rem] wrap-anywhere">
          + {description}
        </p>
      ))}
      <p>
        <span className="text-2xl font-semibold">{money(chosen.total)}</span>{' '}
        <span className="text-mute">con IVA</span>
      </p>
      {chosen.deposit > 0 && (
        <p className="text-[0.9375rem]">
          Anticipo al aceptar: {money(chosen.deposit)} ({content.depositPercent}&nbsp;%)
        </p>
      )}
    </div>
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
  const changes = before && difference && (
    <QuoteChanges difference={difference} before={before.revision} isOpen={!isOpen} />
  )
  const code = <CodeCard own={page.code} touch={page.touch} />
  if (!isOpen)
    return (
      <div className={besideClass}>
        <div className="grid gap-4">
          <QuoteStatus quote={current} page={page} />
          {changes}
          {current.state !== 'accepted' && (
            <Details summary="Ver lo que te ofrecimos">
              <QuoteOptions content={current.content} />
              <QuoteTerms content={current.content} />
            </Details>
          )}
        </div>
        <div className="grid gap-4">
          {code}
          <EarlierVersions versions={story.earlier} />
        </div>
      </div>
    )
  const paper = <PaperLink id={current.id}>Descargar en PDF</PaperLink>
  return (
    <>
      <p>
        Tu cotización está lista. <Validity until={current.validUntil} now={page.now} />
      </p>
      {agreed && (
        <Alert tone="info" title={`La versión ${agreed.revision}, que ya aceptaste, sigue en pie`}>
          Si aceptas esta, la reemplaza y lo que pagaste cuenta para ella. Si no, todo queda como está.
        </Alert>
      )}
      <OpenQuote key={current.id} quote={current} isMain beside={[code, paper]}>
        {changes}
        <QuoteTerms content={current.content} />
        <QuoteAnswers quote={current} />
      </OpenQuote>
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
        <ExtraWork quotes={extraWork} page={page} />
        {installation && <OwnQuoteView story={installation} page={page} />}
        {installation && isOpenQuote(installation.current.state) && (
          <EarlierVersions versions={installation.earlier} />
        )}
        {!installation && (
          <div className={isEmpty ? besideClass : 'grid lg:max-w-3xl'}>
            {isEmpty && (
              <EmptyState
                icon={FileText}
                action={
                  next && (
                    <ActionBar>
                      <LinkButton to={next.to}>{next.label}</LinkButton>
                    </ActionBar>
                  )
                }
              >
                {line}
              </EmptyState>
            )}
            <CodeCard own={page.code} touch={page.touch} />
          </div>
        )}
      </div>
    </>
  )
}
