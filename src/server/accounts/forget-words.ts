import { sql } from 'drizzle-orm'
import type { Tx } from '../platform/database/database.ts'

/** The one key that opens the history: what it says stays, the free words beside it go, and what named a transfer. */
export const forgetting = sql`select set_config('carga.forgetting', 'on', true)`

/** The free words that the history has of somebody and of what is theirs: reasons, notes, what came of a task. */
export async function forgetWords(tx: Tx, customerId: string): Promise<void> {
  const projects = sql`select id from projects where customer_id = ${customerId}`
  await tx.execute(forgetting)
  await forgetTransfers(tx, customerId)
  await tx.execute(sql`
    update events set reason = null where reason is not null and entity_id in (
      select ${customerId}::uuid
      union all ${projects}
      union all select id from addresses where project_id in (${projects})
      union all select id from appointments where customer_id = ${customerId}
      union all select id from faults where customer_id = ${customerId}
      union all select id from quotes where customer_id = ${customerId}
      union all select id from payments where customer_id = ${customerId}
      union all select id from refunds where customer_id = ${customerId}
      union all select id from invoices where customer_id = ${customerId}
      union all select id from clients where customer_id = ${customerId}
      union all select id from cfe_cases where customer_id = ${customerId}
      union all select id from tasks where person_id = ${customerId} or project_id in (${projects}))`)
}

/** Bank and key of a transfer, which the history once repeated: where the law wants them kept, the payment has them. */
async function forgetTransfers(tx: Tx, customerId: string): Promise<void> {
  const named = sql`array['bank', 'trackingKey']`
  await tx.execute(sql`
    update events set reason = null, data = data - ${named}
    where entity = 'payment' and entity_id in (select id from payments where customer_id = ${customerId}) and data ?| ${named}`)
}
