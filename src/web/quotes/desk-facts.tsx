import { Phone } from 'lucide-react'
import { isActive } from '../../domain/appointments/appointment.ts'
import { appointmentPath } from '../../domain/appointments/appointment-path.ts'
import { addressLine } from '../../domain/projects/address.ts'
import { isOpenQuote } from '../../domain/quotes/quote.ts'
import { dateTime, formatPhone, percent, telLink } from '../../domain/shared/format.ts'
import type { WholeQuote } from '../../server/quotes/detail.ts'
import { buttonClass, LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'
import { lowWords } from './quote-table.tsx'

/** Whom a quote is for, from which visit it follows, and how far it came. */
export function DeskFacts({ quote }: { quote: WholeQuote }) {
  const { address, appointmentState, customer, sentAt, state, validUntil, visit } = quote
  return (
    <Card title="Para quién">
      <DefinitionList
        items={[
          { term: 'Cliente', value: quote.addressee ?? customer.name },
          { term: 'Domicilio', value: address && addressLine(address) },
          { term: 'Correo', value: customer.email },
          { term: 'La preparó', value: quote.maker },
          { term: 'Enviada', value: sentAt && `${dateTime(sentAt)}, ${quote.sender ?? 'el sistema'}` },
          { term: 'Vista', value: quote.viewedAt ? dateTime(quote.viewedAt) : sentAt && 'Todavía no' },
          { term: isOpenQuote(state) ? 'Vence' : 'Vigencia', value: validUntil && dateTime(validUntil) },
          { term: 'Descuento', value: quote.discountShare > 0 ? percent(quote.discountShare) : null },
          { term: 'Precio', value: lowWords(quote) },
          { term: 'Motivo', value: quote.reason },
          {
            term: 'Pidió otra',
            value: quote.askedAnew && quote.answeredAt ? dateTime(quote.answeredAt) : null,
          },
        ]}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        {customer.phone && (
          <a className={buttonClass('ghost')} href={telLink(customer.phone)}>
            <Phone aria-hidden className="size-5" />
            <span className="sr-only">Llamar al</span>
            <span className="whitespace-nowrap">{formatPhone(customer.phone)}</span>
          </a>
        )}
        <LinkButton
          variant="ghost"
          to={appointmentPath(isActive(appointmentState) ? 'pending' : 'done', visit)}
        >
          {visit.service === 'installation' ? 'Ver la instalación' : 'Ver el reporte'}
        </LinkButton>
        {sentAt && (
          <a className={buttonClass('ghost')} href={`/papers/quote/${quote.id}.pdf`}>
            Ver el PDF
          </a>
        )}
      </div>
    </Card>
  )
}
