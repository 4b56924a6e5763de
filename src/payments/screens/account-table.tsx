import { FileText } from 'lucide-react'
import { Field } from '../../kit/form/field.tsx'
import { lowerFirst, money, shortDate } from '../../shared/format.ts'
import { buttonClass } from '../../ui/button.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import type { LedgerLine } from '../queries.ts'
import { bankGroups, bankLabels } from '../rules/banks.ts'
import type { Ledger } from '../rules/ledger.ts'

type AccountTableProps = {
  lines: readonly LedgerLine[]
  ledger: Ledger
  /** The payments that have a receipt to save, beside them. */
  receipts?: readonly string[]
}

/** A project's account: each charge and each payment, and their sums. */
export function AccountTable({ lines, ledger, receipts = [] }: AccountTableProps) {
  return (
    <>
      <ul className="grid gap-3">
        {lines.map(({ at, charge, folio, id, label, payment }) => (
          <li key={id} className="flex items-baseline justify-between gap-4 text-[0.9375rem]">
            <span className="grid min-w-0 gap-0.5">
              <span className="wrap-anywhere">{charge > 0 ? label : paidLabel(label, payment)}</span>
              <span className="text-sm text-mute wrap-anywhere">
                {shortDate(at)}, <span className="whitespace-nowrap">{folio}</span>
              </span>
              {receipts.includes(id) && (
                <a
                  className={buttonClass('ghost', 'mt-1.5 justify-self-start')}
                  href={`/papers/receipt/${id}.pdf`}
                >
                  <FileText aria-hidden className="size-5 shrink-0 text-brand" />
                  Recibo<span className="sr-only"> {folio}, PDF</span>
                </a>
              )}
            </span>
            <span className="shrink-0 tabular-nums">{charge > 0 ? money(charge) : money(-payment)}</span>
          </li>
        ))}
      </ul>
      <DefinitionList
        className="grid-cols-[1fr_auto] border-t border-line pt-4 *:contents [&_dd]:text-right [&_dd]:tabular-nums"
        items={sumsOf(ledger)}
      />
    </>
  )
}

const sumsOf = ({ charged, credit, difference, held, owed, promised }: Ledger) => [
  { term: 'Total a pagar', value: money(charged) },
  { term: 'Pagado', value: money(held) },
  ...(promised > 0 ? [{ term: 'Por reembolsar', value: money(promised) }] : []),
  ...(difference > 0 ? [{ term: 'Diferencia que no se reembolsa', value: money(difference) }] : []),
  credit > 0
    ? { term: 'A favor', value: <strong>{money(credit)}</strong> }
    : { term: 'Falta', value: <strong>{money(owed)}</strong> },
]

const paidLabel = (label: string, payment: number) => (payment < 0 ? label : `Pago: ${lowerFirst(label)}`)

export const bankOptions = bankGroups.map(({ codes, label }) => ({
  label,
  options: codes.map((value) => ({ value, label: bankLabels[value] })),
}))

type Account = { clabe: string | null; beneficiary: string | null }

/** The account that money goes back to. */
export const AccountFields = ({ clabe, beneficiary, optional }: Account & { optional?: boolean }) => (
  <>
    <Field
      label="CLABE"
      name="clabe"
      help="18 dígitos. Está en la app del banco."
      inputMode="numeric"
      autoComplete="off"
      maxLength={30}
      optional={optional}
      defaultValue={clabe ?? ''}
    />
    <Field
      label="A nombre de"
      name="beneficiary"
      autoComplete="name"
      maxLength={120}
      optional={optional}
      defaultValue={beneficiary ?? ''}
    />
  </>
)
