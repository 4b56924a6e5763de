import type { ReactNode } from 'react'
import { money } from '../../domain/shared/format.ts'
import type { ToConfirm } from '../../server/payments/sure.ts'
import { Field } from '../ui/field.tsx'
import { useOwnResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

/** What the answer to the form asks to be confirmed; null when it asks nothing. */
const useToConfirm = (): ToConfirm | null =>
  (useOwnResult()?.refusal?.details as { confirm?: ToConfirm } | undefined)?.confirm ?? null

/** The second step of an amount whose consequence was said: its button says the amount, or it is typed again. */
export function AmountStep() {
  const confirm = useToConfirm()
  if (!confirm) return null
  if (!confirm.twice) return <input type="hidden" name="sure" value={confirm.amount} />
  return (
    <Field
      label="Escribe otra vez la cantidad"
      name="again"
      inputMode="decimal"
      autoComplete="off"
      maxLength={16}
      help={`Es más de lo que debe: ${money(confirm.amount)}.`}
    />
  )
}

type BookButtonProps = Pick<Parameters<typeof Submit>[0], 'variant' | 'className'> & { children: ReactNode }

/** The button of such a form, which says the amount once its consequence was said. */
export function BookButton({ children, ...rest }: BookButtonProps) {
  const confirm = useToConfirm()
  return <Submit {...rest}>{confirm ? `Sí, registrar ${money(confirm.amount)}` : children}</Submit>
}
