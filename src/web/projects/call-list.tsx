import { MessageCircle, Phone, PhoneCall } from 'lucide-react'
import { Link } from 'react-router'
import { formatPhone, money, relative, shortDate, telLink, whatsappLink } from '../../domain/shared/format.ts'
import type { QuoteToCall } from '../../server/projects/calls.ts'
import type { Failure } from '../lib/submit.ts'
import { buttonClass, LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Details } from '../ui/details.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { Unheard } from '../ui/unheard.tsx'
import { projectPath } from './pipeline-path.ts'

type CallListProps = {
  due: readonly QuoteToCall[]
  called: readonly QuoteToCall[]
  now: Date
  result: Failure | undefined
}

/** Customers who saw their quote and did not answer it: whom to call, and what came of it. */
export function CallList({ due, called, now, result }: CallListProps) {
  const sent = result?.values as Partial<Record<string, string>> | undefined
  const heard = (id: string) => (sent?.quoteId === id ? result : undefined)
  const isThere = [...due, ...called].some(({ id }) => id === sent?.quoteId)
  return (
    <div className="grid grid-cols-1 gap-4">
      {!isThere && <Unheard result={result} />}
      {due.length === 0 && (
        <EmptyState
          icon={PhoneCall}
          action={
            <LinkButton variant="ghost" to="/admin/cotizations?state=sent">
              Ver cotizaciones enviadas
            </LinkButton>
          }
        >
          No hay a quién llamar hoy. Aquí aparece quien vio su cotización y no la ha contestado.
        </EmptyState>
      )}
      <ul className="grid items-start gap-4 lg:grid-cols-2">
        {due.map((quote) => (
          <li key={quote.id}>
            <CallCard quote={quote} now={now} result={heard(quote.id)} />
          </li>
        ))}
      </ul>
      {called.length > 0 && (
        <Details
          summary={`Llamados en los últimos dos días (${called.length})`}
          open={called.some(({ id }) => heard(id))}
        >
          <ul className="grid items-start gap-4 lg:grid-cols-2">
            {called.map((quote) => (
              <li key={quote.id}>
                <CallCard quote={quote} now={now} result={heard(quote.id)} />
              </li>
            ))}
          </ul>
        </Details>
      )}
    </div>
  )
}

type CallCardProps = { quote: QuoteToCall; now: Date; result: Failure | undefined }

function CallCard({ quote, now, result }: CallCardProps) {
  const { customer, folio, highestTotal, id, last, lowestTotal, phone, projectId, validUntil, viewedAt } =
    quote
  const total =
    lowestTotal === highestTotal ? money(lowestTotal) : `${money(lowestTotal)} a ${money(highestTotal)}`
  return (
    <Card
      title={<Link to={projectPath(projectId)}>{customer}</Link>}
      aside={validUntil && <span className="text-sm text-mute">{`Vence ${relative(validUntil, now)}`}</span>}
    >
      <p className="text-[0.9375rem] wrap-anywhere">
        <Link to={`/admin/cotizations/detail-quote/${id}`}>{folio}</Link>
        {`, ${total}. `}
        {viewedAt && `La vio ${relative(viewedAt, now)}, el ${shortDate(viewedAt)}.`}
      </p>
      {last && (
        <p className="border-l-2 border-line pl-3 text-[0.9375rem] wrap-anywhere">
          {last.result}
          <span className="block text-sm text-mute">{`${last.by}, ${relative(last.at, now)}`}</span>
        </p>
      )}
      {phone ? (
        <Ways phone={phone} folio={folio} customer={customer} />
      ) : (
        <p className="text-mute">No dejó teléfono.</p>
      )}
      <Form result={result} action="?parte=llamar">
        <input type="hidden" name="quoteId" value={id} />
        <input type="hidden" name="seen" value={last?.id ?? ''} />
        <Field label="¿En qué quedaron?" name="result" maxLength={500} autoComplete="off" />
        <Submit variant="ghost" className="justify-self-start max-sm:w-full">
          Anotar llamada
        </Submit>
      </Form>
    </Card>
  )
}

const Ways = ({ phone, folio, customer }: { phone: string; folio: string; customer: string }) => (
  <p className="flex flex-wrap gap-3 max-sm:*:flex-1">
    <a className={buttonClass('primary')} href={telLink(phone)}>
      <Phone aria-hidden className="size-5" />
      <span className="whitespace-nowrap">{formatPhone(phone)}</span>
    </a>
    <a
      className={buttonClass('ghost')}
      href={whatsappLink(
        phone,
        `Hola, ${customer.split(' ')[0]}. Te escribo por tu cotización ${folio}. ¿Tienes alguna duda?`,
      )}
    >
      <MessageCircle aria-hidden className="size-5" />
      WhatsApp
    </a>
  </p>
)
