import { Phone } from 'lucide-react'
import type { ReactNode } from 'react'
import { isActive } from '../../appointments/rules/appointment.ts'
import { appointmentPath } from '../../appointments/rules/appointment-path.ts'
import { undoText } from '../../appointments/rules/undo.ts'
import type { ShownFiscal } from '../../invoices/fiscal-data.ts'
import type { InvoiceDesk } from '../../invoices/queries.ts'
import { FiscalCard, InvoiceDeskCard } from '../../invoices/screens/invoice-desk.tsx'
import { TextArea } from '../../kit/form/field.tsx'
import { Form, FormDetails, OrphanedFormError, Submit, useFormResult } from '../../kit/form/form.tsx'
import { RadioCards } from '../../kit/form/radio-cards.tsx'
import { later } from '../../kit/later.tsx'
import { UndoNotice } from '../../kit/undo-notice.tsx'
import type { OfficeAccount } from '../../payments/screens/forms.ts'
import { PaymentsPanel } from '../../payments/screens/payments-panel.tsx'
import type { PastEvent } from '../../platform/database/lists.ts'
import type { AddressRow } from '../../platform/database/schema/projects.ts'
import { addressLine } from '../../projects/rules/address.ts'
import { CustomerLink } from '../../projects/screens/customer-link.tsx'
import { dateTime, formatPhone, money, percent, shortDate, telLink } from '../../shared/format.ts'
import { shownEmail } from '../../shared/mailbox.ts'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass, LinkButton } from '../../ui/button.tsx'
import { Card, Details, EmptyState } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Link } from '../../ui/link.tsx'
import { Timeline } from '../../ui/timeline.tsx'
import type { WholeQuote } from '../detail.ts'
import { optionNames, optionOf } from '../rules/content.ts'
import type { Margin } from '../rules/proposal.ts'
import { isOpenQuote, lowWords, type QuoteState, quoteStateFacts } from '../rules/quote.ts'
import type { QuotePart } from '../rules/quote-path.ts'
import { AskedChanges, QuoteOptions, QuoteTerms } from './quote-options.tsx'

const MarginCard = later(() => import('./margin-card.tsx').then((part) => part.MarginCard))
const PlaceFields = later(() =>
  import('../../projects/screens/place-fields.tsx').then((part) => part.PlaceFields),
)

type QuoteDeskProps = {
  quote: WholeQuote
  part: QuotePart
  margins: readonly Margin[] | null
  /** The house's name, and where customers read their quotes. */
  share: { brand: string; link: string }
  fiscal: ShownFiscal | null
  invoicing: InvoiceDesk | null
  home: MovableHome | null
  account: OfficeAccount | null
}

/** A quote for its writers, one part at a time. */
export const QuoteDesk = (props: QuoteDeskProps) => (
  <div className="grid gap-6">
    <OrphanedFormError />
    <TakeBack {...props.quote} />
    <AskedChanges quote={props.quote}>
      <Revise quote={props.quote} />
    </AskedChanges>
    {parts[props.part](props)}
  </div>
)

const TakeBack = ({ id, undoable, version }: Pick<WholeQuote, 'id' | 'undoable' | 'version'>) =>
  undoable > 0 && <UndoNotice changes={undoText([{ id, version, of: 'cotizacion' }])} seconds={undoable} />

const parts: Record<QuotePart, (props: QuoteDeskProps) => ReactNode> = {
  /** Its customer, what was agreed, the possible actions, and its whole content. */
  contenido: ({ home, margins, quote }) => (
    <>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="grid gap-4">
          <AcceptedCard quote={quote} />
          <DeskFacts quote={quote} />
        </div>
        <div className="grid gap-4">
          <DeskMoves quote={quote} />
          {margins && <MarginCard margins={margins} accepted={quote.acceptedOption} />}
          {home && <ApproveHome home={home} version={quote.version} />}
        </div>
      </div>
      <section className="grid gap-4">
        <h2 className="text-lg font-semibold">Contenido de la cotización</h2>
        <QuoteOptions content={quote.content} accepted={quote.acceptedOption} />
        <QuoteTerms content={quote.content} open />
      </section>
      <TechnicalFacts quote={quote} />
    </>
  ),
  cuenta: ({ account }) =>
    account ? (
      <div className="grid gap-4 lg:max-w-3xl">
        <PaymentsPanel account={account} />
      </div>
    ) : (
      <EmptyState>Todavía no hay pagos ni cobros.</EmptyState>
    ),
  fiscal: ({ fiscal, invoicing }) => (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <FiscalCard fiscal={fiscal} />
      {invoicing && <InvoiceDeskCard desk={invoicing} />}
    </div>
  ),
  historial: ({ quote }) => (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <DeskHistory trail={quote.trail} />
      <DeskVersions versions={quote.versions} />
    </div>
  ),
}

/** What was agreed, and who signed it; nothing before. */
function AcceptedCard({ quote }: { quote: WholeQuote }) {
  const { acceptedAddOns, acceptedAt, acceptedOption, acceptedTotal, depositAmount } = quote
  const option = acceptedOption && optionOf(quote.content, acceptedOption)
  if (!acceptedAt || !option || acceptedTotal === null) return null
  const added = option.addOns.filter(({ id }) => acceptedAddOns.includes(id))
  return (
    <Card title="Lo que se acordó">
      <DefinitionList
        items={[
          { term: 'Opción', value: optionNames[option.id] },
          { term: 'Adicionales', value: added.map(({ description }) => description).join(', ') },
          { term: 'Total', value: `${money(acceptedTotal)} con IVA` },
          { term: 'Anticipo', value: depositAmount ? money(depositAmount) : null },
          { term: 'Firmó', value: quote.acceptedName },
          { term: 'Cuándo', value: dateTime(acceptedAt) },
        ]}
      />
    </Card>
  )
}

/** Who wrote and sent it, and the proof of what was sent. */
const TechnicalFacts = ({ quote: { digest, maker, sender, sentAt } }: { quote: WholeQuote }) => (
  <Details summary="Datos técnicos">
    <DefinitionList
      items={[
        { term: 'La preparó', value: maker },
        { term: 'La envió', value: sentAt && (sender ?? 'El sistema') },
        {
          term: 'Huella digital (SHA-256)',
          value: digest && <code className="text-sm break-all text-mute">{digest}</code>,
        },
      ]}
    />
  </Details>
)

/** The other quotes of the project, the newest first. */
function DeskVersions({ versions }: Pick<WholeQuote, 'versions'>) {
  if (versions.length === 0) return null
  return (
    <Card title="Otras versiones y trabajos">
      <ul className="grid gap-1">
        {versions.map(({ createdAt, folio, id, kind, revision, sentAt, state }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <Link
              to={`/admin/cotizations/detail-quote/${id}`}
              prefetch="intent"
              className="flex min-h-11 items-center wrap-anywhere"
            >
              {folio} · {kind === 'extra_work' ? 'trabajo adicional' : `versión ${revision}`}
            </Link>
            <span className="flex items-center gap-3">
              <span className="text-sm text-mute">{shortDate(sentAt ?? createdAt)}</span>
              <Badge tone={quoteStateFacts[state].tone}>{quoteStateFacts[state].label}</Badge>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** What happened to a quote, the latest first. */
function DeskHistory({ trail }: { trail: readonly PastEvent[] }) {
  const known = trail.filter(({ name }) => name in titles)
  if (known.length === 0) return null
  return (
    <Card title="Historial">
      <Timeline
        items={known.map((event) => ({
          key: event.id,
          title: titles[event.name],
          children: event.reason && <p className="wrap-anywhere">{event.reason}</p>,
          note: `${dateTime(event.at)} · ${event.actor ?? 'El sistema'}`,
        }))}
      />
    </Card>
  )
}

const titles: Record<string, string> = {
  begin: 'Empezó el borrador',
  edit: 'Se guardó el borrador',
  benefit: 'Se agregó el descuento de un código',
  ask_approval: 'Se pidió autorización',
  give_approval: 'La gerencia la autorizó',
  return_draft: 'La gerencia la devolvió',
  send: 'Se envió',
  unsend: 'Se deshizo el envío',
  view: 'El cliente la abrió',
  remind: 'Se le recordó al cliente',
  accept: 'El cliente la aceptó',
  reject: 'El cliente la rechazó',
  askChanges: 'El cliente pidió cambios',
  askAnew: 'El cliente pidió otra',
  withdraw: 'Se retiró',
  expire: 'Venció',
  supersede: 'Se envió otra versión',
  improve: 'El cliente usó un código: se envió con su descuento',
  replace: 'El cliente aceptó otra versión',
  cancel: 'Se canceló',
  lapse: 'Terminó sin su anticipo',
  moveHome: 'Se aprobó otro domicilio por el mismo precio',
  leaveHome: 'Se aprobó otro domicilio: se cotiza de nuevo',
}

/** The present home of a project with an accepted quote, for the manager. */
type MovableHome = { address: AddressRow | null }

type ApproveHomeProps = { home: MovableHome; version: number }

const outcomes = [
  { value: 'yes', label: 'La cotización sigue siendo válida', note: 'Se instala ahí por el mismo precio.' },
  {
    value: 'no',
    label: 'Hay que cotizar de nuevo',
    note: 'Su instalación espera hasta que acepte la versión nueva. Lo que pagó se queda.',
  },
]

/** The only way to change the home of a project with an accepted quote. */
function ApproveHome({ home: { address }, version }: ApproveHomeProps) {
  const result = useFormResult('approve-home')
  const details = ['betweenStreets', 'references', 'receiverName', 'receiverPhone', 'gateNotes'] as const
  return (
    <Card title="Su domicilio">
      <p className="text-[0.9375rem] text-mute">
        Es el que se cotizó: el cliente no puede cambiarlo. Si se instala en otro, apruébalo aquí.
      </p>
      <FormDetails summary="Aprobar otro domicilio" intent="approve-home">
        <input type="hidden" name="version" value={version} />
        {details.map((name) => (
          <input key={name} type="hidden" name={name} value={address?.[name] ?? ''} />
        ))}
        <input type="hidden" name="dwelling" value={address?.dwelling ?? 'house'} />
        <input type="hidden" name="parking" value={address?.parking ?? 'own_covered'} />
        <PlaceFields address={address} colonias={[]} isWrong={result !== undefined} lookup={null} />
        <RadioCards
          label="¿Y la cotización?"
          name="stands"
          options={outcomes}
          value={result?.values.stands ?? null}
        />
        <TextArea label="Motivo" name="reason" maxLength={500} help="El cliente lo lee en su correo." />
        <Submit variant="destructive" className="justify-self-start">
          Aprobar el domicilio
        </Submit>
      </FormDetails>
    </Card>
  )
}

/** Whom a quote is for, from which visit it follows, and how far it came. */
function DeskFacts({ quote }: Pick<QuoteDeskProps, 'quote'>) {
  const { address, appointmentState, customer, sentAt, state, validUntil, visit } = quote
  return (
    <Card title="Para quién">
      <DefinitionList
        items={[
          {
            term: 'Cliente',
            value: <CustomerLink id={customer.id}>{quote.addressee ?? customer.name}</CustomerLink>,
          },
          { term: 'Domicilio', value: address && addressLine(address) },
          { term: 'Correo', value: shownEmail(customer.email) },
          { term: 'Enviada', value: sentAt && dateTime(sentAt) },
          { term: 'Vista', value: quote.viewedAt ? dateTime(quote.viewedAt) : sentAt && 'Todavía no' },
          { term: isOpenQuote(state) ? 'Vence' : 'Vencía', value: validUntil && dateTime(validUntil) },
          { term: 'Descuento', value: quote.discountShare > 0 ? percent(quote.discountShare) : null },
          { term: 'Precio', value: lowWords(quote) },
          { term: 'Motivo', value: hasAnswerAbove(state) ? null : quote.reason },
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

/** Whether its customer's words stand above it, with what is done about them. */
export const hasAnswerAbove = (state: QuoteState) => state === 'changes_requested' || state === 'rejected'

/** What else the office may do with a quote now. */
function DeskMoves({ quote }: { quote: WholeQuote }) {
  const { moves, state, version } = quote
  const isStanding = state === 'accepted' || isOpenQuote(state)
  if (state === 'draft' || (!isStanding && moves.length === 0)) return null
  return (
    <Card title="Acciones">
      {isStanding && <Revise quote={quote} />}
      {moves.includes('withdraw') && (
        <FormDetails summary="Retirarla" intent="withdraw-quote">
          <input type="hidden" name="version" value={version} />
          <TextArea
            label="Motivo"
            name="reason"
            optional
            maxLength={500}
            help="El cliente lo lee en su correo. Después podrás enviarle otra versión."
          />
          <Submit variant="destructive">Retirar la cotización</Submit>
        </FormDetails>
      )}
      {moves.includes('cancel') && (
        <FormDetails summary="Cancelarla" intent="cancel-quote">
          <input type="hidden" name="version" value={version} />
          <TextArea
            label="Motivo"
            name="reason"
            maxLength={500}
            help="El cliente lo lee en su correo. Se libera su instalación, y lo que pagó queda por reembolsar."
          />
          <Submit variant="destructive">Cancelar la cotización</Submit>
        </FormDetails>
      )}
    </Card>
  )
}

/** The next version starts from this one; one already begun is continued. */
export function Revise({ quote }: { quote: WholeQuote }) {
  const { kind, revision, state, versions } = quote
  const isBegun = versions.some((one) => one.state === 'draft' && one.kind === kind)
  const isNext = state !== 'accepted' && !isOpenQuote(state)
  const anew = state === 'cancelled' ? 'Hacer otra cotización' : `Hacer versión ${revision + 1}`
  return (
    <Form intent="revise-quote" className="gap-3">
      {isOpenQuote(state) && (
        <p className="text-[0.9375rem] text-mute">
          Al enviar otra versión sustituye a esta, con un solo correo al cliente.
        </p>
      )}
      <Submit variant={isNext ? 'primary' : 'ghost'} className="justify-self-start">
        {isBegun ? 'Seguir con el borrador' : anew}
      </Submit>
    </Form>
  )
}
