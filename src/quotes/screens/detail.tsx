import { MessageCircle } from 'lucide-react'
import { redirect } from 'react-router'
import { approveHome, movableHome } from '../../customers/booked-visit.ts'
import { fiscalFor } from '../../invoices/fiscal-data.ts'
import { invoiceDesk } from '../../invoices/queries.ts'
import { fiscalReviewForms, invoiceForms } from '../../invoices/screens/forms.ts'
import { customerWords } from '../../kit/customer-words.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { useStepFocus } from '../../kit/navigation-focus.ts'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import { officeAccount, officePaymentForms } from '../../payments/screens/forms.ts'
import { placeOfCode } from '../../projects/postal-list.ts'
import { projectIdOfQuote } from '../../projects/project-money.ts'
import { CustomerLink } from '../../projects/screens/customer-link.tsx'
import { ScopeLines } from '../../reports/screens/scope-lines.tsx'
import { dateTime, money, shortDate, whatsappLink } from '../../shared/format.ts'
import { refuse } from '../../shared/refusal.ts'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import { cancelQuote } from '../answers.ts'
import { marginsFor } from '../catalogue.ts'
import { type QuoteDetail, quoteFor, type WholeQuote, wholeQuoteAbout, withdrawQuote } from '../detail.ts'
import { openDraft } from '../drafts.ts'
import { optionNames } from '../rules/content.ts'
import { isOpenQuote, quoteStateFacts, worthWords } from '../rules/quote.ts'
import { type QuotePart, quotePartIn, quotePartPath, quoteParts } from '../rules/quote-path.ts'
import { approvedHomeInput, quoteDeskInput } from '../rules/schema.ts'
import type { Route } from './+types/detail.ts'
import { hasAnswerAbove, QuoteDesk, Revise } from './quote-desk.tsx'

const kindWords = { installation: 'Instalación', extra_work: 'Trabajo adicional' } as const

/** The head of a quote's screen: whose it is, what it comes to, how far it is, and what comes next. */
function QuoteHeader({ quote, share }: { quote: QuoteDetail; share: Share }) {
  const { customer, folio, kind, revision, state } = quote
  const { label, tone } = quoteStateFacts[state]
  return (
    <PageHeader
      title={typeof customer === 'string' ? customer : customer.name}
      subtitle={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {quote.reads === 'all' && (
            <strong className="text-lg font-semibold text-ink tabular-nums">{worthWords(quote)}</strong>
          )}
          <Badge tone={tone}>{label}</Badge>
          {quote.reads === 'all' && quote.owed > 0 && (
            <span className="font-semibold text-wait">Falta {money(quote.owed)}</span>
          )}
          <span className="text-sm">
            {[folio, kindWords[kind], `Versión ${revision}`].filter(Boolean).join(' · ')}
          </span>
        </span>
      }
      back={{ to: '/admin/cotizations', label: 'Cotizaciones' }}
      actions={quote.reads === 'all' && <NextAct quote={quote} share={share} />}
    />
  )
}

type Share = Route.ComponentProps['loaderData']['share']
const shareWords = ({ customer, folio }: WholeQuote, { brand, link }: Share) =>
  `Hola, ${customer.name.split(' ')[0]}. Tu cotización ${folio} de ${brand} está lista: ${link}`

/** What is done with a quote next, in its head: nothing where it is said elsewhere, or another came in its place. */
function NextAct({ quote, share }: { quote: WholeQuote; share: Share }) {
  const { customer, id, owed, recordsPayments, state, visit } = quote
  if (state === 'draft')
    return <LinkButton to={`/admin/cotizations/add-quote/${visit.id}`}>Seguir editando</LinkButton>
  if (state === 'accepted')
    return (
      owed > 0 && (
        <LinkButton to={`${quotePartPath(id, 'cuenta')}#cobros`}>
          {recordsPayments ? 'Registrar pago' : 'Ver sus cobros'}
        </LinkButton>
      )
    )
  if (isOpenQuote(state))
    return (
      customer.phone && (
        <a
          className={buttonClass('primary')}
          href={whatsappLink(customer.phone, shareWords(quote, share))}
          target="_blank"
          rel="noreferrer"
        >
          <MessageCircle aria-hidden className="size-5 shrink-0" />
          Enviar por WhatsApp
        </a>
      )
    )
  return state !== 'superseded' && !hasAnswerAbove(state) && <Revise quote={quote} />
}

type Read = Exclude<QuoteDetail, { reads: 'all' }>

/** A quote for users who read no amounts: its customer, its state and, where it is theirs, what is to be done. */
function QuoteScope({ quote }: { quote: Read }) {
  const { acceptedAt, customer, sentAt, validUntil } = quote
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Card title="Cotización">
        <DefinitionList
          items={[
            {
              term: 'Cliente',
              value: (
                <CustomerLink id={quote.reads === 'scope' ? quote.customerId : null}>{customer}</CustomerLink>
              ),
            },
            { term: 'Enviada', value: sentAt && shortDate(sentAt) },
            { term: 'Vence', value: validUntil && shortDate(validUntil) },
            { term: 'Aceptada', value: acceptedAt && dateTime(acceptedAt) },
          ]}
        />
      </Card>
      {quote.reads === 'scope' &&
        quote.scope.map(({ accepted, lines, option }) => (
          <Card
            key={option}
            title={
              accepted ? 'Lo que se acordó' : `Opción ${optionNames[option as keyof typeof optionNames]}`
            }
          >
            <ScopeLines lines={lines} />
          </Card>
        ))}
    </div>
  )
}

export const handle = {
  announcesUpdates: true,
  visited: ({ quote: { customer, folio } }: { quote: QuoteDetail }) => ({
    kind: 'quote' as const,
    title: `${folio || 'Cotización'} · ${typeof customer === 'string' ? customer : customer.name}`,
  }),
}
export const shouldRevalidate = revalidateOnConflict

/** A quote as each kind of staff may read it; what hangs on it is loaded for those who read all of it. */
export const loader = ({ context, params, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { db, actor, now } = signedIn(context)
    const part = partIn(url)
    const [quote, beside] = await Promise.all([
      quoteFor(db, actor, params.id, now),
      besideQuote(context, params.id, part),
    ])
    return { quote: quote ?? refuse('not-found'), part, ...beside }
  })

const partIn = (url: URL) => quotePartIn(url.searchParams.get('parte'))

/** What hangs on a quote, as far as the part shows it, for those who read all of it. */
async function besideQuote(context: Route.LoaderArgs['context'], id: string, part: QuotePart) {
  const { db, actor, calendarSource } = signedIn(context)
  const about = await wholeQuoteAbout(db, actor, id)
  const of = <Read,>(which: QuotePart, read: (quote: NonNullable<typeof about>) => Read) =>
    about && part === which ? read(about) : null
  const { baseUrl, brand } = calendarSource
  const [fiscal, invoicing, account, home, margins] = await Promise.all([
    of('fiscal', ({ customerId }) => fiscalFor(db, actor, customerId)),
    of('fiscal', ({ projectId }) => invoiceDesk(db, actor, projectId)),
    of('cuenta', ({ projectId }) => officeAccount(context, projectId)),
    of('contenido', () => movableHome(db, actor, id)),
    of('contenido', (quote) => marginsFor(db, actor, quote)),
  ])
  return { fiscal, invoicing, account, home, margins, share: { brand, link: `${baseUrl}/quote` } }
}

/** Each noun of the screen answers its own forms. */
export const action = forms(({ context, params: { id }, url }: Route.ActionArgs) => {
  const here = quotePartPath(id, partIn(url))
  return {
    ...quoteDeskForms(context, id, here),
    ...officePaymentForms({ context, here, of: (database) => projectIdOfQuote(database, id) }),
    ...fiscalReviewForms(context, id, here),
    ...invoiceForms(context, here),
  }
})

/** Begins the next version of a quote, withdraws or cancels it, or approves another home for it. */
function quoteDeskForms(context: Route.ActionArgs['context'], id: string, here: string) {
  const { db, actor, now } = signedIn(context)
  const told = (words: string) => customerWords(db, { of: 'quotes', id }, words)
  const homeInput = approvedHomeInput((postalCode) => placeOfCode(db, postalCode))
  return {
    'revise-quote': form(quoteDeskInput['revise-quote'], async () => {
      const { appointmentId } = await openDraft(db, actor, id, now)
      return redirect(`/admin/cotizations/add-quote/${appointmentId}`, 303)
    }),
    'withdraw-quote': form(quoteDeskInput['withdraw-quote'], async (input) => {
      await withdrawQuote(db, actor, id, input, now)
      return redirectWithToast(here, 'Retiraste la cotización', await told(byMail))
    }),
    'cancel-quote': form(quoteDeskInput['cancel-quote'], async (input) => {
      await cancelQuote(db, actor, id, input, now)
      return redirectWithToast(here, 'La cotización quedó cancelada', 'Si pagó algo, revisa su reembolso.')
    }),
    'approve-home': form(homeInput, async ({ reason, stands, version, ...address }) => {
      await approveHome(db, actor, id, { address, reason, stands, version }, now)
      return redirectWithToast(here, 'Aprobaste otro domicilio', await told(byMail))
    }),
  }
}

const byMail = 'Le avisamos al cliente por correo.'

const tabsOf = (id: string) =>
  (Object.keys(quoteParts) as QuotePart[]).map((name) => ({
    name,
    label: quoteParts[name],
    to: quotePartPath(id, name),
  }))

export default function QuoteDetailScreen({ loaderData }: Route.ComponentProps) {
  const { account, fiscal, part, quote } = loaderData
  useStepFocus([quote, fiscal, ...(account?.payments ?? [])].map((one) => one?.state).join())
  return (
    <>
      <QuoteHeader quote={quote} share={loaderData.share} />
      {quote.reads === 'all' ? (
        <>
          <TabLinks label="Partes de la cotización" current={part} tabs={tabsOf(quote.id)} />
          <QuoteDesk {...loaderData} quote={quote} />
        </>
      ) : (
        <QuoteScope quote={quote} />
      )}
    </>
  )
}
