import { bankCodes, bankLabels } from '../../domain/payments/banks.ts'
import { DocumentField } from '../documents/document-field.tsx'
import { Field } from '../ui/field.tsx'
import { FormDetails } from '../ui/form.tsx'
import { Select } from '../ui/select.tsx'
import { Submit } from '../ui/submit.tsx'
import type { OwnPayment } from './own-account.ts'

export const bankOptions = bankCodes.map((value) => ({ value, label: bankLabels[value] }))

/** The bank's paper of a transfer, and the key by which the bank finds it. */
export const ProofForm = ({ payment: { id, version } }: { payment: Pick<OwnPayment, 'id' | 'version'> }) => (
  <FormDetails
    summary="Ya transferí: subir mi comprobante"
    intent="send-proof"
    target={{ paymentId: id }}
    encType="multipart/form-data"
  >
    <input type="hidden" name="version" value={version} />
    <Select
      label="Banco desde el que pagaste"
      name="bank"
      placeholder="Elige un banco"
      options={bankOptions}
    />
    <Field
      label="Clave de rastreo"
      name="trackingKey"
      help="Viene en el comprobante de tu banco."
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={40}
    />
    <DocumentField purpose="payment_proof" label="Comprobante" />
    <Submit>Enviar comprobante</Submit>
  </FormDetails>
)
