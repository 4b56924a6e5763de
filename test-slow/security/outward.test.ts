import { sql } from 'drizzle-orm'
import { sendAccountEmail } from '../../src/notifications/send.ts'
import type { OutgoingEmail } from '../../src/notifications/transport.ts'
import type { AccountEmailJob, EmailJob } from '../../src/platform/jobs/emails.ts'
import { setJobSecret, unwrapJob } from '../../src/platform/jobs/queues.ts'
import { runWithContext } from '../../src/platform/telemetry/log.ts'
import { deliver, emailEnv } from '../../test/kit/delivered.ts'
import { everyModule } from '../../test/kit/fixture.ts'
import { db, openBare, post, sendJobsOnce } from '../../test/kit/open.ts'
import { secret } from '../../test/kit/people.ts'
import { every } from '../../test/security/attempts.ts'
import { everyone, openEveryoneOnce } from '../../test/security/everyone.ts'

openBare(everyModule)
openEveryoneOnce()
sendJobsOnce()

/** A late cancellation is never held back: the bookings of a day bound it. An address is saved once for a home. */
const bounded = ['cancel-late', 'save']
const acts = every.filter(
  ({ action, name }) => [200, 303].includes(Number(action.may?.customer)) && !bounded.includes(name),
)
const times = 20
const budget = 10

type Row = { id: string; name: 'letter' | 'account-letter'; data: EmailJob | AccountEmailJob }

/** Sends the e-mails that a customer caused, as the jobs do, and answers how many each mailbox got. */
async function mailboxes(): Promise<Map<string, number>> {
  const { rows } = await db.execute<Row>(sql`select id, name, data from pgboss.job
    where name in ('letter', 'account-letter') and data -> 'cause' ->> 'by' is not null order by created_on`)
  const sent: OutgoingEmail[] = []
  const transport = { send: async (email: OutgoingEmail) => void sent.push(email) }
  for (const { data: kept, id, name } of rows) {
    const { caused, data } = unwrapJob(kept)
    await runWithContext(caused, () =>
      name === 'letter'
        ? deliver(db, emailEnv, transport, data as EmailJob, id)
        : sendAccountEmail(db, emailEnv, transport, data as AccountEmailJob, id),
    )
  }
  return new Map([...Map.groupBy(sent, ({ to }) => to)].map(([to, emails]) => [to, emails.length]))
}

test.each(acts)(
  '$file: $name, sent twenty times, writes at most its budget to a mailbox',
  async ({ action }) => {
    setJobSecret(secret)
    await db.execute(sql`delete from outward`)
    await db.execute(sql`delete from pgboss.job`)
    for (let n = 0; n < times; n++) {
      const { form, path } = await action.attempt(everyone)
      await post(path, form, everyone.customer)
    }
    for (const [to, count] of await mailboxes()) expect(count, to).toBeLessThanOrEqual(budget)
  },
)
