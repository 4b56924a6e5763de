import { sql } from 'drizzle-orm'
import { retentionDays } from '../../domain/accounts/privacy.ts'
import { type Db, transaction } from '../platform/database/database.ts'
import { forgetLine, isTold } from './forget-lines.ts'
import { forgetting } from './forget-words.ts'

/**
 * What the law had us keep of deleted customers, once it no longer does: names, addresses, accounts, fiscal data and
 * papers go, amounts and dates stay for the books. Answers how many customers it was of.
 */
export async function forgetFiscal(db: Db, now: Date): Promise<number> {
  const before = sql`${now}::timestamptz - make_interval(days => ${retentionDays.fiscal})`
  return transaction(db, async (tx) => {
    const { rows } = await tx.execute<{ id: string }>(sql`
      select id from users where deleted_at < ${before}
        and (exists (select from documents where customer_id = users.id and replaced_at is null)
          or exists (select from fiscal_data where customer_id = users.id)
          or exists (select from payments where customer_id = users.id and state <> 'in_review'
            and (bank, tracking_key, note, proof_id) is distinct from (null, null, null, null))
          or exists (select from quotes where customer_id = users.id and (addressee is not null or accepted_name <> '–')))
        and not exists (select from payments where customer_id = users.id and coalesce(paid_at, created_at) >= ${before})
        and not exists (select from invoices where customer_id = users.id and created_at >= ${before})
      limit 500 for update skip locked`)
    const theirs = sql`customer_id in (select jsonb_array_elements_text(${JSON.stringify(rows.map(({ id }) => id))}::jsonb)::uuid)`
    await tx.execute(sql`update quotes set addressee = null, address = null,
      accepted_name = case when accepted_name is not null then '–' end where ${theirs}`)
    await tx.execute(sql`update payments set bank = null, tracking_key = null, note = null, proof_id = null
      where ${theirs} and state <> 'in_review'`)
    await tx.execute(forgetting)
    await tx.execute(
      sql`${forgetLine} where payment_id in (select id from payments where ${theirs}) and ${isTold}`,
    )
    await tx.execute(sql`update refunds set clabe = null, beneficiary = null where ${theirs}`)
    await tx.execute(sql`update invoices set request = request || jsonb_build_object('Receptor', (request->'Receptor')
      || jsonb_build_object('Rfc', 'XAXX010101000', 'Nombre', '–')) where ${theirs} and request ? 'Receptor'`)
    await tx.execute(sql`delete from fiscal_data where ${theirs}`)
    // Their bytes go with the sweep.
    await tx.execute(
      sql`update documents set name = '–', replaced_at = ${now} where ${theirs} and replaced_at is null`,
    )
    return rows.length
  })
}
