import type { InvoiceDesk } from '../../server/invoices/invoices-queries.ts'
import { DocumentField } from '../documents/document-field.tsx'
import { Alert } from '../ui/alert.tsx'
import { TextArea } from '../ui/field.tsx'
import { Form, FormDetails } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

type FormProps = { invoice: InvoiceDesk['invoices'][number] }

/** Why a provider did not stamp, and the button that has it try again. */
export const RetryForm = ({ invoice: { id, providerError } }: FormProps) => (
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
export const StampedForm = ({ invoice: { id, version } }: FormProps) => (
  <FormDetails
    summary="Subir el XML y el PDF timbrados"
    intent="issue-invoice"
    target={{ invoiceId: id }}
    encType="multipart/form-data"
  >
    <input type="hidden" name="version" value={version} />
    <DocumentField purpose="invoice_xml" name="xml" label="XML timbrado" />
    <DocumentField purpose="invoice_pdf" name="pdf" label="PDF" />
    <Submit className="justify-self-start">Subir y avisar al cliente</Submit>
  </FormDetails>
)

/** Takes a request back, or says that an issued invoice was cancelled. */
export const CancelForm = ({ invoice: { id, state, version } }: FormProps) => (
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
