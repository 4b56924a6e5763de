import { type ComponentType, lazy, Suspense } from 'react'
import { DocumentField } from '../../documents/screens/document-field.tsx'
import { DocumentLink } from '../../documents/screens/document-link.tsx'
import { TextArea } from '../../kit/form/field.tsx'
import { Form, FormDetails, Submit, useOwnResult } from '../../kit/form/form.tsx'
import { NoWayBack } from '../../kit/undo-notice.tsx'
import { dateTime, lowerFirst, money } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import type { ShownFiscal } from '../fiscal-data.ts'
import type { InvoiceDesk } from '../queries.ts'
import type { ComparedField } from '../rules/cfdi-amounts.ts'
import { obstacleWords } from '../rules/invoice.ts'
import { paymentForms, paymentTerms } from '../rules/sat-catalogues.ts'
import {
  cfdiUseLabel,
  fiscalStateFacts,
  genericTerms,
  kindOfRfc,
  regimeLabel,
  taxpayerKinds,
} from '../rules/taxpayer.ts'
import { InvoiceLine } from './invoice-line.tsx'

type ComparedProps = { fields: readonly ComparedField[] }
const ComparedTable = lazy(
  (): Promise<{ default: ComponentType<ComparedProps> }> =>
    import('./compared-table.tsx').catch(() => ({ default: () => null })),
)

/** The invoices of a project for the staff who handle them: requested, stamped elsewhere and uploaded, cancelled. */
export function InvoiceDeskCard({ desk: { invoiceable, invoices } }: { desk: InvoiceDesk }) {
  if (invoiceable.length === 0 && invoices.length === 0) return null
  return (
    <Card title="Facturas">
      {invoiceable.map((one) => (
        <Wanted key={one.quoteId} wanted={one} />
      ))}
      {invoices.length > 0 && (
        <ul className="grid gap-4">
          {invoices.map((invoice) => (
            <InvoiceLine key={invoice.id} invoice={invoice}>
              <Work invoice={invoice} />
            </InvoiceLine>
          ))}
        </ul>
      )}
    </Card>
  )
}

type WantedProps = { wanted: InvoiceDesk['invoiceable'][number] }

function Wanted({ wanted: { folio, obstacle, quoteId, total } }: WantedProps) {
  if (obstacle)
    return (
      <p>
        {folio}, {money(total)}. {obstacleWords[obstacle].staff}
      </p>
    )
  return (
    <Form intent="request-invoice" target={{ quoteId }}>
      <p>
        {folio}, {money(total)}: el cliente todavía no pide su factura.
      </p>
      <Submit variant="ghost" className="justify-self-start">
        Pedir la factura
      </Submit>
    </Form>
  )
}

function Work({ invoice }: { invoice: InvoiceDesk['invoices'][number] }) {
  const { canCancel, canIssue, id, providerError, receiver, state, terms, unknownKeys } = invoice
  return (
    <>
      <p className="text-sm wrap-anywhere">
        {receiver}
        {terms && (
          <span className="block text-mute">
            {`${terms.method} ${paymentTerms[terms.method]}, ${terms.form} ${lowerFirst(paymentForms[terms.form])}`}
          </span>
        )}
      </p>
      {unknownKeys.length > 0 && (
        <Alert tone="wait" title="Revisa estas claves del SAT">
          No están entre las que usamos: {unknownKeys.join(', ')}.
        </Alert>
      )}
      {state === 'requested' && providerError && <RetryForm invoice={invoice} />}
      {state === 'requested' && (
        <a className={buttonClass('ghost', 'justify-self-start')} href={`/invoices/${id}.json`} download>
          Descargar datos para timbrar
        </a>
      )}
      {canIssue && <StampedForm invoice={invoice} />}
      {canCancel && <CancelForm invoice={invoice} />}
    </>
  )
}

type FormProps = { invoice: InvoiceDesk['invoices'][number] }

/** Why a provider did not stamp, and the button that has it try again. */
const RetryForm = ({ invoice: { id, providerError } }: FormProps) => (
  <>
    <Alert tone="bad" title="No se pudo timbrar">
      {providerError}
    </Alert>
    <Form intent="retry-stamp" target={{ invoiceId: id }}>
      <Submit variant="ghost" className="justify-self-start">
        Volver a intentar
      </Submit>
    </Form>
  </>
)

/** The two files of an invoice that was stamped elsewhere. */
const StampedForm = ({ invoice: { id, version } }: FormProps) => (
  <FormDetails
    summary="Subir el XML y el PDF timbrados"
    intent="issue-invoice"
    target={{ invoiceId: id }}
    encType="multipart/form-data"
  >
    <input type="hidden" name="version" value={version} />
    <DocumentField purpose="invoice_xml" name="xml" label="XML timbrado" />
    <DocumentField purpose="invoice_pdf" name="pdf" label="PDF" />
    <Compared />
    <Submit className="justify-self-start">Subir y avisar al cliente</Submit>
  </FormDetails>
)

/** What was asked for beside what the uploaded XML says, where they differ. */
function Compared() {
  const details = useOwnResult()?.refusal?.details as { compared?: readonly ComparedField[] } | undefined
  return details?.compared ? (
    <Suspense>
      <ComparedTable fields={details.compared} />
    </Suspense>
  ) : null
}

/** Withdraws a request, or records that an issued invoice was cancelled. */
const CancelForm = ({ invoice: { id, state, version } }: FormProps) => (
  <FormDetails
    summary={state === 'issued' ? 'Cancelar la factura' : 'Cancelar la solicitud'}
    intent="cancel-invoice"
    target={{ invoiceId: id }}
  >
    <input type="hidden" name="version" value={version} />
    {state === 'issued' && (
      <p className="text-sm text-mute">Cancélala primero ante el SAT. Aquí queda registrado.</p>
    )}
    <TextArea label="¿Por qué se cancela?" name="reason" maxLength={300} />
    <Submit variant="destructive" className="justify-self-start">
      Cancelar
    </Submit>
  </FormDetails>
)

type FiscalCardProps = {
  /** Null where the customer sent none. */
  fiscal: ShownFiscal | null
}

/** The recipient of a customer's invoices, for the office, which compares it with the Constancia. */
export function FiscalCard({ fiscal }: FiscalCardProps) {
  if (!fiscal)
    return (
      <Card title="Datos fiscales">
        <p className="text-mute">El cliente todavía no los envía. Los llena en su cuenta.</p>
      </Card>
    )
  const { label, tone } = fiscalStateFacts[fiscal.state]
  return (
    <Card title="Datos fiscales" aside={<Badge tone={tone}>{label}</Badge>}>
      <DefinitionList items={factsOf(fiscal)} />
      {fiscal.warning && (
        <Alert tone="wait" title="Revisa el RFC">
          {fiscal.warning}
        </Alert>
      )}
      {fiscal.constancia && (
        <div className="grid justify-items-start">
          <DocumentLink document={fiscal.constancia}>Constancia</DocumentLink>
        </div>
      )}
      {fiscal.state === 'submitted' && <Review fiscal={fiscal} />}
    </Card>
  )
}

const factsOf = (fiscal: ShownFiscal) => [
  { term: 'RFC', value: `${fiscal.rfc} (${taxpayerKinds[kindOfRfc(fiscal.rfc)].toLowerCase()})` },
  { term: 'Nombre', value: fiscal.legalName },
  { term: 'Régimen', value: regimeLabel(fiscal.regime) },
  { term: 'Uso', value: cfdiUseLabel(fiscal.cfdiUse) },
  { term: 'Código postal', value: fiscal.postalCode },
  { term: 'Correo', value: fiscal.email },
  { term: 'Enviados', value: fiscal.submittedAt && dateTime(fiscal.submittedAt) },
  { term: 'Por corregir', value: fiscal.rejectedReason },
]

function Review({ fiscal }: { fiscal: ShownFiscal }) {
  const version = <input type="hidden" name="version" value={fiscal.version} />
  const isReady = fiscal.constancia !== null || genericTerms(fiscal.rfc) !== null
  return (
    <>
      {isReady ? (
        <Form intent="verify-fiscal" className="gap-3">
          {version}
          <Submit>Verificar datos fiscales</Submit>
        </Form>
      ) : (
        <Alert tone="wait" title="Falta la Constancia">
          Para verificarlos la tiene que subir el cliente. Pídesela abajo.
        </Alert>
      )}
      <FormDetails summary="Pedir que los corrija" intent="reject-fiscal">
        {version}
        <TextArea
          label="¿Qué hay que corregir?"
          name="reason"
          maxLength={500}
          help="El cliente lo lee tal como lo escribes."
        />
        <NoWayBack to="al cliente, si tiene correo" />
        <Submit variant="destructive">Pedir corrección</Submit>
      </FormDetails>
    </>
  )
}
