import { longDate, money } from '../../domain/shared/format.ts'
import { DocumentLink } from '../documents/document-link.tsx'
import { Alert } from '../ui/alert.tsx'
import { Card } from '../ui/card.tsx'
import type { OwnRefund } from './own-account.ts'
import { RefundBadge } from './payment-badge.tsx'
import { AccountForm } from './refund-forms.tsx'

type OwnRefundCardProps = { refund: OwnRefund; hasPassword: boolean }

/** A refund as its customer follows it: what comes next, and which account it goes to. */
export function OwnRefundCard({ refund, hasPassword }: OwnRefundCardProps) {
  const { amount, folio, materials, proof, reason, state } = refund
  return (
    <Card title={`Reembolso ${folio}`} aside={<RefundBadge state={state} />}>
      <p className="text-2xl font-semibold tracking-tight tabular-nums">{money(amount)}</p>
      <p>{reason}</p>
      {materials > 0 && state !== 'refused' && <p>Descontamos {money(materials)} de material ya comprado.</p>}
      <Next refund={refund} />
      {state === 'requested' && <AccountForm refund={refund} hasPassword={hasPassword} />}
      {proof && <DocumentLink document={proof}>Comprobante del reembolso</DocumentLink>}
    </Card>
  )
}

function Next({ refund: { clabe, method, paidAt, refusedReason, state } }: { refund: OwnRefund }) {
  if (state === 'refused')
    return (
      <Alert tone="bad" title="No procede">
        {refusedReason}
      </Alert>
    )
  if (state === 'paid') return <p>{paidAt && `Te lo enviamos el ${longDate(paidAt)}.`}</p>
  if (state === 'approved')
    return (
      <p>
        {method === 'card'
          ? 'Vuelve a tu tarjeta. Tu banco puede tardar de 5 a 10 días.'
          : 'Ya se aprobó: falta la transferencia.'}
      </p>
    )
  return (
    <p>{clabe ? `Va a la CLABE que termina en ${clabe.slice(-4)}.` : 'Dinos a qué cuenta te lo mandamos.'}</p>
  )
}
