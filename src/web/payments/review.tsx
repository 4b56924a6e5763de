import { ReceiptText } from 'lucide-react'
import { type Count, countWords } from '../../domain/shared/count.ts'
import { relative } from '../../domain/shared/format.ts'
import { db } from '../../server/app/context.ts'
import { proofQueue } from '../../server/payments/queries.ts'
import { refusalsAsResponses } from '../lib/refusals-as-responses.ts'
import { assertModule, requireActor } from '../lib/require-actor.ts'
import { revalidateOnConflict } from '../lib/revalidate-on-conflict.ts'
import { forms } from '../lib/submit.ts'
import { CustomerLink } from '../projects/customer-link.tsx'
import { LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/card.tsx'
import { OrphanedFormError } from '../ui/form.tsx'
import { Link } from '../ui/link.tsx'
import type { Route } from './+types/review.ts'
import { proofForms } from './forms.ts'
import { officePath, paymentPartPath } from './office-path.ts'
import { ReviewProof } from './review-proof.tsx'

export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    assertModule(context, 'payments')
    return { ...(await proofQueue(context.get(db), requireActor(context))), now: new Date() }
  })

export const action = forms(({ context }: Route.ActionArgs) => {
  assertModule(context, 'payments')
  return proofForms(context, officePath)
})

/** The proofs that wait for a review, the longest wait first. */
export default function Review({ loaderData: { count, now, rows } }: Route.ComponentProps) {
  return (
    <>
      <OrphanedFormError />
      {rows.length === 0 ? (
        <EmptyState
          icon={ReceiptText}
          action={
            <LinkButton variant="ghost" to={paymentPartPath('banco')}>
              Comparar con el banco
            </LinkButton>
          }
        >
          No hay comprobantes por revisar. Aquí aparecen cuando un cliente manda el de su transferencia.
        </EmptyState>
      ) : (
        <div className="grid max-w-5xl grid-cols-1 gap-4">
          <p className="text-mute">{waitingWords(rows.length, count)}</p>
          {rows.map(({ customer, customerId, home, since, to, ...payment }) => (
            <ReviewProof
              key={payment.id}
              payment={payment}
              now={now}
              payer={
                <>
                  <CustomerLink id={customerId}>{customer}</CustomerLink>
                  {home && `, ${home}`}
                  {' · '}
                  <Link to={to} prefetch="intent">
                    Ver la cuenta
                  </Link>
                  {since && <span className="text-mute">, espera desde {relative(since, now)}</span>}
                </>
              }
            />
          ))}
        </div>
      )}
    </>
  )
}

function waitingWords(shown: number, count: Count): string {
  const { total } = count
  const all = `${countWords(count)} ${total === 1 ? 'comprobante espera' : 'comprobantes esperan'} revisión`
  return shown < total ? `${all}; estos son los ${shown} que llevan más tiempo.` : `${all}.`
}
