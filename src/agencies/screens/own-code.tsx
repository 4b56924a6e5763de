import { TicketPercent } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { Field, useField } from '../../kit/form/field.tsx'
import { Form, Submit, useFormResult } from '../../kit/form/form.tsx'
import { Details } from '../../ui/card.tsx'
import type { Redeemed } from '../rules/clients.ts'
import { benefitWords, referralCodeIn } from '../rules/codes.ts'
import type { Touch } from '../rules/referral-schema.ts'

/** The code that is a customer's, and what it gives. */
export const OwnCode = ({ own: { benefit, code } }: { own: Redeemed }) => (
  <p className="flex items-center gap-2 justify-self-start rounded-control bg-brand-soft px-3.5 py-2.5 text-[0.9375rem] text-brand">
    <TicketPercent aria-hidden className="size-5 shrink-0" />
    <span>
      Tu código <strong>{code}</strong>
      {benefit.kind !== 'none' && `: ${benefitWords(benefit)}`}
    </span>
  </p>
)

type CodeFieldProps = { touch: Touch; label?: string; optional?: boolean }

/** The code of a dealership, filled in already for a user who came by a link. */
const CodeField = ({ touch, label = 'Código de tu concesionaria', optional = true }: CodeFieldProps) => (
  <>
    <Field
      label={label}
      name="codigo"
      optional={optional}
      defaultValue={touch.code ?? ''}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      enterKeyHint="go"
      maxLength={40}
      className="[&_input]:uppercase"
    />
    {touch.invitation && <input type="hidden" name="registro" value={touch.invitation} />}
  </>
)

/** The same, folded for who brings no code: most people sign up without one. */
export function FoldedCode({ touch }: { touch: Touch }) {
  const { error, typed } = useField({ name: 'codigo' })
  return (
    <Details
      summary="¿Tienes un código de tu concesionaria?"
      open={touch.code !== null || Boolean(error || typed)}
    >
      <CodeField touch={touch} />
    </Details>
  )
}

type CodeCardProps = {
  /** The code that the customer uses. */
  own: Redeemed | null
  /** The source that brought them, while they may still use a code; null when it is too late. */
  touch: Touch | null
}

/** A customer's code: the one they use, or where to type it, open for who followed a link with one. */
export function CodeCard({ own, touch }: CodeCardProps) {
  const result = useFormResult('redeem-code')
  if (own || !touch) return own && <OwnCode own={own} />
  return (
    <Details summary="¿Tienes un código?" open={result !== undefined || touch.code !== null}>
      <Form intent="redeem-code">
        <CodeField touch={touch} label="Código de tu concesionaria" optional={false} />
        <Submit variant="ghost">Usar código</Submit>
      </Form>
    </Details>
  )
}

/** The benefit code that this page's address carries, as the query of a link that passes it on; '' without one. */
export function useCarriedCode(): string {
  const code = referralCodeIn(useSearchParams()[0].get('codigo'))
  return code ? `?codigo=${code}` : ''
}
