import type { ReactNode } from 'react'
import { DocumentLink } from '../../documents/screens/document-link.tsx'
import { PdfPage } from '../../documents/screens/pdf-page.tsx'
import { Field, TextArea } from '../../kit/form/field.tsx'
import { Form, FormDetails, Submit, useOwnResult } from '../../kit/form/form.tsx'
import { NoWayBack } from '../../kit/undo-notice.tsx'
import { CustomerLink } from '../../projects/screens/customer-link.tsx'
import { dateTime, localDay, longDate, lowerFirst, money, plainAmount } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Link } from '../../ui/link.tsx'
import type { ToConfirm } from '../proofs.ts'
import { bankName } from '../rules/banks.ts'
import { conceptLabels } from '../rules/payment.ts'
import type { OfficeAccount } from './forms.ts'
import { PaymentBadge } from './payment-badge.tsx'

type Facts = 'id' | 'version' | 'amount' | 'bank' | 'concept' | 'folio' | 'state' | 'trackingKey'
type Payment = Pick<OfficeAccount['payments'][number], Facts | 'proof' | 'proofSentAt' | 'sameKeys'>
type ReviewProofProps = {
  payment: Payment
  now: Date
  /** Its customer, where the screen is not the customer's own. */
  payer?: ReactNode
  /** The folio of the proof to show once this one is judged. */
  next?: string | undefined
}

/** A transfer that its customer says was made: its proof, and beside it what the reviewer found in the account. */
export function ReviewProof({ next, payment, now, payer }: ReviewProofProps) {
  const { amount, bank, concept, folio, proof, proofSentAt, sameKeys, state, trackingKey } = payment
  return (
    <Card
      id={`comprobante-${folio}`}
      title={`Revisa la transferencia ${folio}`}
      aside={<PaymentBadge state={state} />}
      className="@container scroll-mt-4"
    >
      <div className={classNames('grid grid-cols-1 gap-5', proof && '@2xl:grid-cols-2')}>
        {proof && <ShownProof proof={proof} folio={folio} />}
        <div className="grid grid-cols-1 content-start gap-4">
          <DefinitionList
            items={[
              { term: 'Cliente', value: payer },
              { term: 'Se pidió', value: `${money(amount)}, ${lowerFirst(conceptLabels[concept])}` },
              { term: 'Banco', value: bank && bankName(bank) },
              { term: 'Clave de rastreo', value: trackingKey },
              { term: 'Enviado', value: proofSentAt && dateTime(proofSentAt) },
            ]}
          />
          {sameKeys.length > 0 && (
            <Alert
              tone="wait"
              title={
                sameKeys.every(({ isRejected }) => isRejected)
                  ? 'Esta clave ya se rechazó'
                  : 'Esta clave ya se usó'
              }
            >
              {sameKeys.map((used) => (
                <p key={used.id}>
                  {used.isRejected ? 'Ya venía en un comprobante rechazado de ' : 'En '}
                  {used.id === payment.id ? (
                    'este mismo pago'
                  ) : (
                    <>
                      <Link to={used.to}>{used.folio}</Link>, de{' '}
                      <CustomerLink id={used.customerId}>{used.customer}</CustomerLink>
                    </>
                  )}
                  {used.bank && !used.isRejected && `, desde ${bankName(used.bank)}`}.
                </p>
              ))}
              Un mismo depósito paga una sola vez. Compáralo con la cuenta antes de registrarlo.
            </Alert>
          )}
          <Decisions payment={payment} now={now} next={next} />
        </div>
      </div>
    </Card>
  )
}

type ShownProofProps = { proof: NonNullable<Payment['proof']>; folio: string }

/** A picture as it is, or the first page of a PDF, drawn (decision 0050). */
function ShownProof({ folio, proof }: ShownProofProps) {
  const label = `Comprobante de ${folio}`
  const isPicture = proof.type.startsWith('image/')
  return (
    <div className="grid grid-cols-1 content-start justify-items-start gap-3">
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
        tabIndex={0}
        aria-label={label}
        className={classNames(
          'max-h-[36rem] w-full overflow-y-auto rounded-control border border-line bg-canvas',
          !isPicture && 'noscript:hidden',
        )}
      >
        {isPicture ? (
          <img src={`/documents/${proof.id}`} alt={label} loading="lazy" className="min-h-40 w-full" />
        ) : (
          <PdfPage id={proof.id} label={label} />
        )}
      </section>
      <DocumentLink document={proof}>Descargar comprobante</DocumentLink>
    </div>
  )
}

/** The button that books a payment as it was asked for; not once its consequence was shown. */
export const wholeButton = 'button[data-whole]'

/** It came as it was asked for, by one press; it came otherwise; or it did not come. */
function Decisions({ next, payment, now }: Omit<ReviewProofProps, 'payer'>) {
  const { amount, id, proofSentAt, version } = payment
  const target = { paymentId: id }
  const sentOn = localDay(proofSentAt ?? now)
  const seen = (
    <>
      <input type="hidden" name="version" value={version} />
      {next && <input type="hidden" name="next" value={next} />}
    </>
  )
  return (
    <>
      <Form intent="confirm-whole-proof" target={target}>
        {seen}
        <input type="hidden" name="paidOn" value={sentOn} />
        <div className="grid justify-items-start gap-1.5">
          <AmountStep />
          <BookButton data-whole className="max-sm:w-full">{`Llegó completo: ${money(amount)}`}</BookButton>
          <p className="text-sm text-mute">{`Con fecha del ${longDate(sentOn)}, cuando lo envió.`}</p>
        </div>
      </Form>
      <FormDetails summary="Llegó otra cantidad, u otro día" intent="confirm-proof" target={target}>
        {seen}
        <div className="grid gap-5 sm:grid-cols-2">
          <Field
            label="Cantidad que llegó"
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            maxLength={16}
            defaultValue={plainAmount(amount)}
            help="Escribe lo que aparece en el banco, aunque sea distinto."
          />
          <Field
            type="date"
            label="Día en que llegó"
            name="paidOn"
            max={localDay(now)}
            defaultValue={sentOn}
          />
        </div>
        <AmountStep />
        <BookButton>Registrar pago</BookButton>
      </FormDetails>
      <FormDetails summary="No llegó, o no es este pago" intent="reject-proof" target={target}>
        {seen}
        <TextArea label="¿Qué le decimos al cliente?" name="reason" maxLength={500} />
        <NoWayBack to="al cliente, si tiene correo" />
        <Submit variant="destructive">Rechazar comprobante</Submit>
      </FormDetails>
    </>
  )
}

/** What the answer to the form asks to be confirmed; null when it asks nothing. */
const useToConfirm = (): ToConfirm | null =>
  (useOwnResult()?.refusal?.details as { confirm?: ToConfirm } | undefined)?.confirm ?? null

/**
 * The second step of a payment whose consequence was shown: its button names the amount, or it is typed again; the
 * payments that have its key are linked.
 */
export function AmountStep() {
  const confirm = useToConfirm()
  if (!confirm) return null
  const { used } = confirm
  return (
    <>
      {used && (
        <p className="flex flex-wrap gap-x-4">
          <input type="hidden" name="sureKey" value={used.trackingKey} />
          {used.by.map(({ customer, folio, to }) => (
            <Link key={folio} to={to} target="_blank">{`Ver ${folio}, de ${customer}`}</Link>
          ))}
        </p>
      )}
      <SureAmount {...confirm} />
    </>
  )
}

function SureAmount({ amount, twice }: ToConfirm) {
  if (!twice) return <input type="hidden" name="sure" value={amount} />
  return (
    <Field
      label="Escribe otra vez la cantidad"
      name="again"
      inputMode="decimal"
      autoComplete="off"
      maxLength={16}
      help={`Es más de lo que debe: ${money(amount)}.`}
    />
  )
}

type BookButtonProps = Pick<Parameters<typeof Submit>[0], 'variant' | 'className'> & {
  children: ReactNode
  'data-whole'?: true
}

/** The button of such a form, which names the amount once its consequence was shown. */
export function BookButton({ children, ...rest }: BookButtonProps) {
  const confirm = useToConfirm()
  return (
    <Submit {...rest} {...(confirm && { 'data-whole': undefined })}>
      {confirm ? `Sí, registrar ${money(confirm.amount)}` : children}
    </Submit>
  )
}
