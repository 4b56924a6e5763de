import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { localDate, toDate, toMinutes } from '../src/domain/calendar.ts'
import { balanceDueDays } from '../src/domain/payment-terms.ts'
import { depositEnds } from '../src/domain/quote.ts'
import type { Tx } from '../src/server/database/database.ts'
import { documents, payments, refunds } from '../src/server/database/money-schema.ts'
import { events } from '../src/server/database/office-schema.ts'
import { type Drive, paperKey } from '../src/server/files/drive.ts'
import { demoPaper, paperOf, type ToldPayment, type Traced } from './paper.ts'
import { byTime, type WrittenDeal } from './quotes.ts'
import { refundOf } from './refunds.ts'

/** Writes what was asked for and paid, with proofs, refunds and history; the proofs lie in `drive`, where one is given. */
export async function writePayments(tx: Tx, deals: readonly WrittenDeal[], drive?: Drive): Promise<void> {
  const returned = deals.flatMap(refundOf)
  const asked = deals.flatMap((deal) => [...depositOf(deal), ...balanceOf(deal)])
  const paid = [...asked, ...returned.map(({ payment }) => payment)].sort(byMaking)
  const told = [...paid, ...returned.map(({ refund }) => refund)]
  const papers = told.flatMap((one) => one.papers)
  if (drive) await Promise.all(papers.map((paper) => drive.put(paperKey(paper), demoPaper, paper.type)))
  await tx.insert(documents).values(papers)
  await tx
    .insert(refunds)
    .values(returned.map(({ refund: { row } }) => ({ ...row, folio: folioOf('REE', row) })))
  await tx.insert(payments).values(paid.map(({ row }) => ({ ...row, folio: folioOf('PAG', row) })))
  await tx.insert(events).values(told.flatMap(({ trail }) => trail).sort(byTime))
}

const byMaking = (a: ToldPayment, b: ToldPayment) => a.row.createdAt.getTime() - b.row.createdAt.getTime()

const folioOf = (prefix: 'PAG' | 'REE', { createdAt }: { createdAt: Date }) =>
  sql<string>`next_folio(${prefix}, ${Number(localDate(toMinutes(createdAt)).slice(0, 4))})`

type Paying = {
  concept: 'deposit' | 'balance'
  amount: number
  asked: Date
  due: Date | null
  expires: Date | null
  method: 'spei' | 'cash' | 'terminal' | null
  proof: Date | null
  paid: Date | null
}

function depositOf(deal: WrittenDeal): ToldPayment[] {
  const { quote, visitStart } = deal
  const { deposit } = deal.deal
  if (!deposit || !quote.acceptedAt || !quote.depositAmount || !quote.validUntil) return []
  const at = (later: number | undefined) => (later === undefined ? null : toDate(visitStart + later))
  return [
    paymentOf(deal, {
      ...{ concept: 'deposit', amount: quote.depositAmount, asked: quote.acceptedAt, due: quote.validUntil },
      ...{ expires: depositEnds(quote.validUntil), method: deposit.method },
      ...{ proof: at(deposit.proof), paid: at(deposit.paid) },
    }),
  ]
}

function balanceOf(deal: WrittenDeal): ToldPayment[] {
  const { installedAt, quote } = deal
  const { balance } = deal.deal
  if (!balance || installedAt === null || !quote.acceptedTotal) return []
  const paid = toDate(installedAt + balance.after)
  return [
    paymentOf(deal, {
      ...{ concept: 'balance', amount: quote.acceptedTotal - (quote.depositAmount ?? 0) },
      ...{ asked: toDate(installedAt), due: toDate(installedAt + balanceDueDays * 1440), expires: null },
      ...{
        method: balance.method,
        paid,
        proof: balance.method === 'spei' ? toDate(toMinutes(paid) - 90) : null,
      },
    }),
  ]
}

const tracking = (at: Date) => `DEMO${Math.round(at.getTime() / 60_000)}`

function paymentOf(deal: WrittenDeal, paying: Paying): ToldPayment {
  const { customerId, managerId, projectId, quote } = deal
  const { amount, asked, concept, due, expires, method, paid, proof } = paying
  const id = randomUUID()
  const paper = proof && paperOf(deal, 'payment_proof', customerId, proof)
  const row = {
    ...{ id, projectId, customerId, quoteId: quote.id, concept, amount },
    ...{ dueAt: due, expiresAt: expires, state: stateOf(paying), method: paid || proof ? method : null },
    ...(paper && { bank: '012', trackingKey: tracking(proof), proofId: paper.id, proofSentAt: proof }),
    ...(paid && { paidAt: paid, recordedBy: managerId }),
    ...(paid && proof && { reviewedBy: managerId, reviewedAt: paid }),
    ...{
      createdAt: asked,
      updatedAt: paid ?? proof ?? asked,
      version: 1 + Number(proof !== null) + Number(paid !== null),
    },
  }
  return { row, papers: paper ? [paper] : [], trail: trailOf(id, deal, paying) }
}

const stateOf = ({ paid, proof }: Paying) =>
  paid ? ('paid' as const) : proof ? ('in_review' as const) : ('pending' as const)

function trailOf(id: string, deal: WrittenDeal, paying: Paying): Traced[] {
  const { customerId, managerId, projectId, quote } = deal
  const { amount, asked, concept, method, paid, proof } = paying
  const about = { entity: 'payment', entityId: id }
  const sent = {
    ...about,
    actorId: customerId,
    name: 'send_proof',
    fromState: 'pending',
    toState: 'in_review',
  }
  const came = { ...about, actorId: managerId, name: 'pay', toState: 'paid', data: { amount, method } }
  // Told once, so that nobody is told again that the installation can be booked.
  const ready = { entity: 'project', entityId: projectId, actorId: null, name: 'ready' }
  const isReady = paid && concept === 'deposit' && quote.acceptedAt
  return [
    { ...about, actorId: null, name: 'demand', toState: 'pending', data: { amount }, at: asked },
    ...(proof ? [{ ...sent, at: proof }] : []),
    ...(paid ? [{ ...came, fromState: proof ? 'in_review' : 'pending', at: paid }] : []),
    ...(isReady ? [{ ...ready, data: { acceptedAt: isReady.toISOString() }, at: paid }] : []),
  ]
}
