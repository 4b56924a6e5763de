import { Link } from 'react-router'
import { matchReasons, type OpenLine } from '../../domain/payments/bank-matching.ts'
import { conceptLabels } from '../../domain/payments/payment.ts'
import { money } from '../../domain/shared/format.ts'
import type { ShownMatch } from '../../server/payments/queries.ts'
import { Badge } from '../ui/badge.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { LineWords } from './line-words.tsx'
import { LineChoices } from './lone-line.tsx'
import type { Heard } from './open-lines.tsx'
import { PaymentBadge } from './payment-badge.tsx'

type MatchRowProps = { match: ShownMatch; line: OpenLine; heard: Heard }

/** A movement beside the payment that it seems to be, and why. */
export function MatchRow({ match: { payment, reason, sure }, line, heard }: MatchRowProps) {
  const { amount, concept, customer, folio, id, state, to, version } = payment
  const isOtherwise = heard('tie-line', line.id) ?? heard('ignore-line', line.id)
  return (
    <li className="grid gap-3 border-t border-line py-4 first:border-0 first:pt-0 last:pb-0 lg:grid-cols-[1fr_1fr_auto] lg:items-center lg:gap-6">
      <LineWords line={line} />
      <div className="grid min-w-0 justify-items-start gap-1">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <Link to={to} prefetch="intent" className="font-semibold">
            {folio}
          </Link>
          <span className="tabular-nums">{money(amount)}</span>
        </p>
        <p className="text-[0.9375rem] wrap-anywhere">{`${customer}, ${conceptLabels[concept].toLowerCase()}`}</p>
        <p className="flex flex-wrap items-center gap-2">
          <PaymentBadge state={state} />
          <Badge tone={sure ? 'ok' : 'wait'}>{matchReasons[reason]}</Badge>
        </p>
      </div>
      <Form result={heard('confirm-match', line.id)} className="lg:max-w-64">
        <input type="hidden" name="lineId" value={line.id} />
        <input type="hidden" name="paymentId" value={id} />
        <input type="hidden" name="version" value={version} />
        <Submit name="intent" value="confirm-match" variant={sure ? 'primary' : 'ghost'}>
          {state === 'paid'
            ? 'Es este'
            : amount === line.amount
              ? 'Registrar pago'
              : `Registrar ${money(line.amount)}`}
          <span className="sr-only">{` de ${folio}`}</span>
        </Submit>
      </Form>
      <details className="lg:col-span-full" open={isOtherwise !== undefined}>
        <summary className="flex min-h-11 items-center text-[0.9375rem] font-medium text-mute lg:min-h-9">
          No es este pago
        </summary>
        <LineChoices line={line} heard={heard} />
      </details>
    </li>
  )
}
