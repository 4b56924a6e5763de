import { ReceiptText } from 'lucide-react'
import { Link } from 'react-router'
import { relative, thousands } from '../../domain/shared/format.ts'
import type { proofQueue } from '../../server/payments/waiting.ts'
import { LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { OrphanedFormError } from '../ui/form.tsx'
import { partPath } from './office-path.ts'
import { ReviewProof } from './review-proof.tsx'

type ProofQueueProps = {
  queue: Awaited<ReturnType<typeof proofQueue>>
  now: Date
}

/** The proofs that wait for somebody to look at them, the longest wait first. */
export function ProofQueue({ queue: { rows, total }, now }: ProofQueueProps) {
  if (rows.length === 0)
    return (
      <>
        <OrphanedFormError />
        <EmptyState
          icon={ReceiptText}
          action={
            <LinkButton variant="ghost" to={partPath('banco')}>
              Comparar con el banco
            </LinkButton>
          }
        >
          No hay comprobantes por revisar. Aquí aparecen cuando un cliente manda el de su transferencia.
        </EmptyState>
      </>
    )
  return (
    <div className="grid max-w-3xl gap-4">
      <OrphanedFormError />
      <p className="text-mute">{countWords(rows.length, total)}</p>
      {rows.map(({ customer, since, to, ...payment }) => (
        <ReviewProof
          key={payment.id}
          payment={payment}
          now={now}
          payer={
            <>
              <Link to={to} prefetch="intent" className="font-medium">
                {customer}
              </Link>
              {since && <span className="text-mute">, espera desde {relative(since, now)}</span>}
            </>
          }
        />
      ))}
    </div>
  )
}

function countWords(shown: number, total: number): string {
  const all = `${thousands(total)} ${total === 1 ? 'comprobante espera' : 'comprobantes esperan'} revisión`
  return shown < total ? `${all}; estos son los ${shown} que llevan más tiempo.` : `${all}.`
}
