import { sql } from 'drizzle-orm'
import { sentPaymentStates } from '../../domain/payments/payment.ts'
import type { Tx } from '../platform/database/database.ts'
import { listed } from '../platform/database/literals.ts'

/**
 * Of somebody's money, what the law wants kept stays (Código Fiscal de la Federación, article 30: five years): accepted quotes
 * with whom they were made for, payments and refunds that were made with their proofs, invoices with what they were made
 * of. All else that tells who it was goes.
 */
export async function forgetMoney(tx: Tx, id: string): Promise<void> {
  await tx.execute(sql`
    update quotes set accepted_ip = null, reason = null, version = version + 1,
      addressee = case when accepted_at is not null then addressee end,
      address = case when accepted_at is not null then address end
    where customer_id = ${id}`)
  await tx.execute(sql`
    update tasks set subject = regexp_replace(subject, ': «.*$', '')
    where quote_id in (select id from quotes where customer_id = ${id})`)
  await tx.execute(sql`
    update payments set note = null, bank = null, tracking_key = null, proof_id = null, version = version + 1
    where customer_id = ${id} and state not in (${listed(sentPaymentStates)})`)
  await tx.execute(sql`
    update refunds set reason = '–', version = version + 1,
      clabe = case when state = 'refused' then null else clabe end,
      beneficiary = case when state = 'refused' then null else beneficiary end
    where customer_id = ${id}`)
  await tx.execute(sql`
    delete from fiscal_data where customer_id = ${id}
      and not exists (select from invoices where invoices.customer_id = ${id})`)
  await forgetPapers(tx, id)
}

/** Papers that nothing which stays was made of. */
async function forgetPapers(tx: Tx, id: string): Promise<void> {
  await tx.execute(sql`
    delete from documents where customer_id = ${id}
      and not exists (select from payments where payments.proof_id = documents.id)
      and not exists (select from refunds where refunds.proof_id = documents.id)
      and not exists (select from invoices where documents.id in (invoices.xml_id, invoices.pdf_id))
      and not exists (select from fiscal_data where fiscal_data.constancia_id = documents.id)`)
}
