import { FileText } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { FiscalLinkCard } from '../../invoices/screens/fiscal-link-card.tsx'
import { Help } from '../../kit/help.tsx'
import { counted, longDate, money, shortDate } from '../../shared/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { ActionBar, buttonClass, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import type { OwnQuote } from '../detail.ts'
import { optionNames, optionOf } from '../rules/content.ts'
import { type QuoteState, quoteStateFacts } from '../rules/quote.ts'
import { totalsOfOption } from '../rules/totals.ts'
import type { OwnQuotesPage, OwnStory } from './forms.ts'
import { LineList, Metres, Sums } from './option-parts.tsx'
import { AskAnew, CancelAccepted } from './quote-changes.tsx'
import { QuoteTerms } from './quote-options.tsx'

/** What was agreed: the option with what was added to it, and its conditions. */
function AcceptedOption({ quote: { accepted, content } }: { quote: OwnQuote }) {
  const option = accepted && optionOf(content, accepted.option)
  if (!option) return null
  const totals = totalsOfOption(option, accepted.addOns)
  return (
    <>
      <Card title={`Lo que acordamos: ${optionNames[option.id]}`} className="lg:max-w-3xl">
        <LineList option={option} totals={totals} />
        <Sums option={option} totals={totals} />
        <Metres option={option} />
      </Card>
      <QuoteTerms content={content} />
      <FiscalLinkCard className="lg:max-w-3xl" />
    </>
  )
}

/** Every version that was sent before, to be read as it was. */
export function EarlierVersions({ versions }: { versions: OwnStory['earlier'] }) {
  if (versions.length === 0) return null
  return (
    <Card title="Versiones anteriores" className="lg:max-w-3xl">
      <ul className="grid gap-4">
        {versions.map(({ folio, id, revision, sentAt, state }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3">
            <span className="grid gap-0.5">
              <span>
                {folio}, versión {revision}
              </span>
              <span className="text-sm text-mute">Enviada el {shortDate(sentAt)}</span>
            </span>
            <span className="flex items-center gap-3">
              <Badge tone={quoteStateFacts[state].tone}>{quoteStateFacts[state].label}</Badge>
              <PaperLink id={id} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The document of a version. */
export const PaperLink = ({ id, children = 'PDF' }: { id: string; children?: string }) => (
  <a className={buttonClass('ghost')} href={`/papers/quote/${id}.pdf`}>
    <FileText aria-hidden className="size-5" />
    {children}
  </a>
)

/** Until when a quote can be accepted, and how long that still is; it counts down while the page is open. */
export function Validity({ until, now }: { until: Date; now: Date }) {
  const clock = useClock(now)
  return (
    <>
      Vence el {shortDate(until)}. <span className="font-semibold">{timeLeft(until, clock)}.</span>
    </>
  )
}

const halfAMinute = 30_000

/** The time by the server's clock, updated twice a minute; phones are minutes off. */
function useClock(told: Date): Date {
  const [now, setNow] = useState(told)
  useEffect(() => {
    const ahead = told.getTime() - Date.now()
    setNow(told)
    const timer = setInterval(() => setNow(new Date(Date.now() + ahead)), halfAMinute)
    return () => clearInterval(timer)
  }, [told])
  return now
}

const minute = 60_000
const hour = 3_600_000
const day = 86_400_000

/** "Te quedan 3 días y 4 horas", in two units at most; "Ya venció" once it is over. */
export function timeLeft(until: Date, now: Date): string {
  const left = until.getTime() - now.getTime()
  if (left <= 0) return 'Ya venció'
  const days = counted(Math.floor(left / day), 'día', 'días')
  const hours = counted(Math.floor((left % day) / hour), 'hora', 'horas')
  const minutes = counted(Math.floor((left % hour) / minute), 'minuto', 'minutos')
  const parts = left >= day ? [days, hours] : left >= hour ? [hours, minutes] : [minutes]
  const shown = parts.filter((part) => !part.startsWith('0 '))
  if (shown.length === 0) return 'Te queda menos de un minuto'
  return `Te ${shown[0]!.startsWith('1 ') ? 'queda' : 'quedan'} ${shown.join(' y ')}`
}

type QuoteStatusProps = { quote: OwnQuote; page: OwnQuotesPage }

const titles: Record<QuoteState, string> = {
  draft: 'En preparación',
  sent: 'Tu cotización está lista',
  viewed: 'Tu cotización está lista',
  accepted: 'La aceptaste',
  rejected: 'La rechazaste',
  changes_requested: 'Pediste cambios',
  expired: 'Ya venció',
  withdrawn: 'La retiramos',
  superseded: 'Hay una versión nueva',
  cancelled: 'Se canceló',
  lapsed: 'Terminó sin su anticipo',
}

/** The state of a quote that can no longer be accepted, whose turn it is, and what comes next. */
export function QuoteStatus({ quote, page }: QuoteStatusProps) {
  const { id, state } = quote
  const { label, tone } = quoteStateFacts[state]
  return (
    <>
      <Card title={titles[state]} aside={<Badge tone={tone}>{label}</Badge>} className="lg:max-w-3xl">
        <Standing quote={quote} page={page} />
        <div className="flex flex-wrap gap-3">
          {page.next && page.next.to !== '/quote' && (
            <ActionBar>
              <LinkButton to={page.next.to}>{page.next.label}</LinkButton>
            </ActionBar>
          )}
          <PaperLink id={id}>Descargar en PDF</PaperLink>
          {state === 'accepted' && page.next?.to !== '/payments' && (
            <LinkButton variant="ghost" to="/payments">
              Ver mis pagos
            </LinkButton>
          )}
        </div>
      </Card>
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

type Told = (props: QuoteStatusProps) => ReactNode

const askingAnew =
  (why: (quote: OwnQuote) => string): Told =>
  ({ quote }) => (
    <>
      <p>{why(quote)}</p>
      {quote.askedAnew ? (
        <p>Ya nos pediste otra. Te avisamos por correo en cuanto esté lista.</p>
      ) : (
        <AskAnew quote={quote} />
      )}
    </>
  )

/** " “Me mudo”.", after a sentence or a colon. */
const reasonOf = ({ reason }: OwnQuote) => (reason ? ` “${reason.replace(/\.$/, '')}”.` : '')

const words: Partial<Record<QuoteState, Told>> = {
  accepted: ({ quote: { accepted }, page }) => (
    <>
      {accepted && (
        <p>
          Aceptaste la opción {optionNames[accepted.option]} el {longDate(accepted.at)}, como {accepted.name}:{' '}
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
      <p>Estamos preparando otra versión; te vamos a mostrar qué cambió.</p>
    </>
  ),
  withdrawn: ({ quote, page }) => (
    <p>
      Ya no se puede aceptar.{reasonOf(quote)} {page.line}
    </p>
  ),
  expired: askingAnew(({ validUntil }) => `Venció el ${longDate(validUntil)}. Ya no se puede aceptar.`),
  lapsed: askingAnew(() => 'No recibimos tu anticipo a tiempo, así que esta cotización terminó.'),
  cancelled: askingAnew(
    (quote) =>
      `Se canceló${quote.reason ? `:${reasonOf(quote)}` : '.'} Si pagaste algo, tu reembolso aparece en Pagos.`,
  ),
}

const Standing: Told = (props) => words[props.quote.state]?.(props)
