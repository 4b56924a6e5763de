import { randomUUID } from 'node:crypto'
import { toDate } from '../src/domain/calendar.ts'
import type { refunds } from '../src/server/database/money-schema.ts'
import { paperOf, type Told, type ToldPayment } from './paper.ts'
import type { WrittenDeal } from './quotes.ts'

/** Of nobody's account; its last digit is right. */
const clabe = '012180009876543215'

/** The refund of everything that was paid, and the payment that says so. */
export function refundOf(deal: WrittenDeal): { refund: Told<typeof refunds>; payment: ToldPayment }[] {
  const { refund } = deal.deal
  const { depositAmount: amount, reason } = deal.quote
  if (!refund || !amount || !reason) return []
  const at = (later: number) => toDate(deal.visitStart + later)
  const times = { asked: at(refund.asked), approved: at(refund.approved), paid: at(refund.paid) }
  const given = { ...deal, ...times, amount, reason, refundId: randomUUID() }
  return [{ refund: askedBack(given), payment: givenBack(given) }]
}

type Given = WrittenDeal & {
  asked: Date
  approved: Date
  paid: Date
  amount: number
  reason: string
  refundId: string
}

function askedBack(given: Given): Told<typeof refunds> {
  const { amount, approved, asked, customer, customerId, managerId, paid, projectId, quote, reason } = given
  const proof = paperOf(given, 'refund_proof', managerId, paid)
  const about = { entity: 'refund', entityId: given.refundId, data: { amount } }
  return {
    row: {
      ...{
        id: given.refundId,
        projectId,
        customerId,
        quoteId: quote.id,
        amount,
        reason,
        requestedBy: customerId,
      },
      ...{ state: 'paid', method: 'spei', clabe, beneficiary: `${customer.name} ${customer.lastname}` },
      ...{ decidedBy: managerId, decidedAt: approved, proofId: proof.id, paidAt: paid },
      ...{ createdAt: asked, updatedAt: paid, version: 3 },
    },
    papers: [proof],
    trail: [
      { ...about, actorId: customerId, name: 'request', toState: 'requested', reason, at: asked },
      {
        ...about,
        actorId: managerId,
        name: 'approve',
        fromState: 'requested',
        toState: 'approved',
        at: approved,
      },
      { ...about, actorId: managerId, name: 'pay', fromState: 'approved', toState: 'paid', at: paid },
    ],
  }
}

function givenBack({ amount, customerId, managerId, paid, projectId, quote, refundId }: Given): ToldPayment {
  const id = randomUUID()
  const money = { amount: -amount, method: 'spei' as const }
  const about = { entity: 'payment', entityId: id, actorId: managerId }
  return {
    row: {
      ...{ id, projectId, customerId, quoteId: quote.id, refundId, concept: 'refund', state: 'paid' },
      ...{ ...money, paidAt: paid, recordedBy: managerId, createdAt: paid, updatedAt: paid },
    },
    papers: [],
    trail: [{ ...about, name: 'pay', toState: 'paid', data: money, at: paid }],
  }
}
