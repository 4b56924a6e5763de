import type { InvoiceDesk } from '../../server/invoices/queries.ts'
import { DocumentField } from '../documents/document-field.tsx'
import { Alert } from '../ui/alert.tsx'
import { Details } from '../ui/details.tsx'
import { TextArea } from '../ui/field.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

type FormProps = { invoice: InvoiceDesk['invoices'][number]; result: FormResult | undefined }

/** Why a provider did not stamp, and the button that has it try again. */
export const RetryForm = ({ invoice: { id, providerError }, result }: FormProps) => (
  <>
    <Alert tone="bad" title="No se pudo timbrar">
      {providerError}
    </Alert>
    <Form result={result}>
      <input type="hidden" name="invoiceId" value={id} />
      <Submit name="intent" value="retry-stamp" variant="ghost" className="justify-self-start">
        Volver a intentar
      </Submit>
    </Form>
  </>
)

/** The two files of an invoice that was stamped elsewhere. */
export const StampedForm = ({ invoice, result }: FormProps) => (
  <Details summary="Subir el XML y el PDF timbrados" open={result !== undefined}>
    <Form result={result} encType="multipart/form-data">
      <Shown invoice={invoice} />
      <DocumentField purpose="invoice_xml" name="xml" label="XML timbrado" />
      <DocumentField purpose="invoice_pdf" name="pdf" label="PDF" />
      <Submit name="intent" value="issue-invoice" className="justify-self-start">
        Subir y avisar al cliente
      </Submit>
    </Form>
  </Details>
)

/** Takes a request back, or says that an issued invoice was cancelled. */
export const CancelForm = ({ invoice, result }: FormProps) => (
  <Details
    summary={invoice.state === 'issued' ? 'Cancelar la factura' : 'Cancelar la solicitud'}
    open={result !== undefined}
  >
    <Form result={result}>
      <Shown invoice={invoice} />
      {invoice.state === 'issued' && (
        <p className="text-sm text-mute">Cancélala primero ante el SAT. Aquí queda registrado.</p>
      )}
      <TextArea label="¿Por qué se cancela?" name="reason" maxLength={300} />
      <Submit name="intent" value="cancel-invoice" variant="destructive" className="justify-self-start">
        Cancelar
      </Submit>
    </Form>
  </Details>
)

const Shown = ({ invoice: { id, version } }: Pick<FormProps, 'invoice'>) => (
  <>
    <input type="hidden" name="invoiceId" value={id} />
    <input type="hidden" name="version" value={version} />
  </>
)
