import { money } from '../../domain/shared/format.ts'
import type { ToConfirm } from '../../server/payments/sure.ts'
import type { Failure } from '../submit.ts'
import { Field } from '../ui/field.tsx'

/** What the answer to a form asks to be confirmed; null when it asks nothing. */
export const toConfirm = (result: Failure | undefined): ToConfirm | null =>
  (result?.refusal?.details as { confirm?: ToConfirm } | undefined)?.confirm ?? null

/** The second step of an amount whose consequence was said: its button says the amount, or it is typed again. */
export function AmountStep({ result }: { result: Failure | undefined }) {
  const confirm = toConfirm(result)
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

/** What the button of such a form says. */
export function bookWords(result: Failure | undefined, words: string): string {
  const confirm = toConfirm(result)
  return confirm ? `Sí, registrar ${money(confirm.amount)}` : words
}
