import { conceptLabels } from '../../domain/payments/payment.ts'
import { localDay, money } from '../../domain/shared/format.ts'
import { Details } from '../ui/details.tsx'
import { Field, TextArea } from '../ui/field.tsx'
import { Form, useFormResult } from '../ui/form.tsx'
import { Select } from '../ui/select.tsx'
import { AmountStep, BookButton } from './amount-step.tsx'
import type { OfficeAccount } from './office-account.ts'
import { bankOptions } from './proof-form.tsx'

type RecordFormProps = {
  payments: OfficeAccount['payments']
  now: Date
  requestKey: string
}

const methods = [
  { value: 'cash', label: 'Efectivo' },
  { value: 'terminal', label: 'Terminal' },
  { value: 'spei', label: 'Transferencia SPEI' },
]

/** The manager writes down money that came by hand, by a terminal, or by a transfer nobody told us of. */
export function RecordForm({ payments, now, requestKey }: RecordFormProps) {
  const result = useFormResult('record-payment')
  const open = payments.filter(({ state }) => state === 'pending' || state === 'expired')
  const forWhat = [
    ...open.map(({ amount, concept, folio, id }) => ({
      value: id,
      label: `${conceptLabels[concept]} ${folio}, ${money(amount)}`,
    })),
    { value: '', label: 'A cuenta de su saldo' },
  ]
  return (
    <Details summary="Registrar un pago" open={result !== undefined}>
      <Form intent="record-payment" key={requestKey}>
        <input type="hidden" name="requestKey" value={result?.values.requestKey ?? requestKey} />
        <div className="grid gap-5 sm:grid-cols-2">
          <Select label="¿Qué paga?" name="paymentId" options={forWhat} defaultValue={open[0]?.id ?? ''} />
          <Field
            label="Cantidad recibida"
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            maxLength={16}
          />
          <Select label="¿Cómo pagó?" name="method" options={methods} />
          <Field
            type="date"
            label="¿Qué día?"
            name="paidOn"
            max={localDay(now)}
            defaultValue={localDay(now)}
          />
        </div>
        <fieldset className="grid gap-5 sm:grid-cols-2">
          <legend className="mb-3 text-sm text-mute">Solo si fue una transferencia</legend>
          <Select label="Banco" name="bank" optional placeholder="Elige un banco" options={bankOptions} />
          <Field label="Clave de rastreo" name="trackingKey" optional autoComplete="off" maxLength={40} />
        </fieldset>
        <TextArea label="Nota" name="note" optional maxLength={300} />
        <AmountStep />
        <BookButton>Registrar pago</BookButton>
      </Form>
    </Details>
  )
}
