import { useState } from 'react'
import { lineName } from '../../domain/agencies/commissions.ts'
import { money, shortDate } from '../../domain/shared/format.ts'
import { DocumentField } from '../documents/document-field.tsx'
import { Card } from '../ui/card.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Field } from '../ui/field.tsx'
import { Form, type FormResult, useFormResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import type { CommissionDesk } from './load-commissions.ts'

type PayFormProps = Pick<CommissionDesk, 'payable' | 'requestKey' | 'today'>

/** What can be paid now, and the transfer that paid it. */
export function PayForm({ payable, requestKey, today }: PayFormProps) {
  const result = useFormResult('commissions.pay')
  if (payable.length === 0)
    return (
      <Card title="Por pagar">
        <p className="text-[0.9375rem] text-mute">No hay comisiones aprobadas por pagar.</p>
      </Card>
    )
  return (
    <Card title="Por pagar">
      <Form intent="commissions.pay" encType="multipart/form-data" key={requestKey}>
        <input type="hidden" name="requestKey" value={result?.values.requestKey || requestKey} />
        <Lines payable={payable} result={result} />
        <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-4">
          <Field
            label="Cantidad que transferiste"
            name="amount"
            help="Antes de IVA: la suma de lo elegido."
            inputMode="decimal"
            autoComplete="off"
            maxLength={16}
          />
          <Field type="date" label="¿Qué día?" name="paidOn" max={today} defaultValue={today} />
          <Field label="Referencia o clave de rastreo" name="reference" autoComplete="off" maxLength={60} />
          <DocumentField label="Comprobante" purpose="commission_proof" />
        </div>
        <Submit className="justify-self-start">Registrar pago</Submit>
      </Form>
    </Card>
  )
}

type LinesProps = Pick<PayFormProps, 'payable'> & { result: FormResult | undefined }

function Lines({ payable, result }: LinesProps) {
  const [total, setTotal] = useState(() => firstTotal({ payable, result }))
  return (
    <fieldset
      className="grid grid-cols-1"
      onChange={({ currentTarget }) => setTotal(totalTicked(currentTarget))}
    >
      <legend className="mb-2 text-sm text-mute">Elige lo que pagó la transferencia</legend>
      {payable.map(({ customer, due, earnedAt, folio, id, kind, reason }) => (
        <Checkbox
          key={id}
          name={lineName(id)}
          value={due}
          defaultChecked
          className="border-t border-line py-1 [&_label>span]:flex-1"
          label={
            <span className="flex items-baseline justify-between gap-4">
              <span className="grid min-w-0 gap-0.5 py-1">
                <span className="wrap-anywhere">
                  <span className="whitespace-nowrap">{folio}</span>, {customer}
                </span>
                <span className="text-sm text-mute wrap-anywhere">
                  {kind === 'adjustment' ? `Ajuste de lo ya pagado: ${reason}` : shortDate(earnedAt)}
                </span>
              </span>
              <span className="shrink-0 tabular-nums">{money(due)}</span>
            </span>
          }
        />
      ))}
      <p className="flex justify-between gap-4 border-t border-line pt-3 font-semibold">
        <span>Suma de lo elegido</span>
        <output className="tabular-nums">{money(total)}</output>
      </p>
    </fieldset>
  )
}

/** All of it, or what was ticked when the form came back. */
const firstTotal = ({ payable, result }: LinesProps) =>
  payable
    .filter(({ id }) => !result || Boolean(result.values[lineName(id)]))
    .reduce((sum, { due }) => sum + due, 0)

const totalTicked = (within: HTMLFieldSetElement) =>
  [...within.querySelectorAll<HTMLInputElement>('input:checked')].reduce(
    (sum, { value }) => sum + Number(value),
    0,
  )
