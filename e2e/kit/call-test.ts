import type { BrowserContextOptions, Page } from '@playwright/test'
import { withDatabase } from './database.ts'
import { watchConnections } from './media.ts'
import { newPerson } from './steps.ts'
import { test as base, expect } from './test.ts'

export { expect }

/** One side of a call: its page, who they are, and where the room is to them. */
export type Side = { page: Page; email: string; room: string }
type Input = { customer?: BrowserContextOptions; analyst?: BrowserContextOptions; folder?: string }

export const test = base.extend<{
  /** A call that starts now, both of whose sides are new and signed in, each in a browser of their own. */
  newCall: (input?: Input) => Promise<{ id: string; folio: string; customer: Side; analyst: Side }>
}>({
  newCall: async ({ arrive }, use) =>
    use(async ({ customer, analyst, folder } = {}) => {
      const hers = await arrive(customer)
      const his = await arrive(analyst)
      const emails: string[] = []
      for (const page of [hers, his]) {
        await watchConnections(page.context())
        emails.push(await newPerson(page))
      }
      const { id, folio } = await insertCall(emails, folder)
      const room = `/admin/appointment-pending-videocall/${id}?llamada`
      return {
        id,
        folio,
        customer: { page: hers, email: emails[0]!, room: '/videocall?llamada' },
        analyst: { page: his, email: emails[1]!, room },
      }
    }),
})

/** Makes the second person an analyst, and the first one's call theirs. */
const insertCall = (emails: string[], folder?: string) =>
  withDatabase(async (client) => {
    const { rows } = await client.query<{ id: string; folio: string }>(
      `with analyst as (
         update users set role = 'staff', kind = 'analyst', name = 'Andrés', email_verified = true where email = $2 returning id
       ), customer as (update users set email_verified = true where email = $1 returning id),
       opened as (insert into projects (customer_id) select id from customer returning id, customer_id)
       insert into appointments (folio, service, state, customer_id, project_id, assignee_id, confirmed_at, starts_at, minutes,
         interest, request_key, request_digest)
       select next_folio('AV', 2026), 'videocall', 'assigned', customer_id, opened.id, analyst.id, now(), date_trunc('minute', now()),
         30, '01', gen_random_uuid(), '' from opened, analyst returning id, folio`,
      emails,
    )
    return rows[0]!
  }, folder)
