import { sendEmail } from '../../src/notifications/send.ts'
import type { OutgoingEmail } from '../../src/notifications/transport.ts'
import type { Db } from '../../src/platform/database/client.ts'
import type { EmailJob } from '../../src/platform/jobs/emails.ts'
import { setJobSecret, unwrapJob } from '../../src/platform/jobs/queues.ts'
import { secret } from './people.ts'

type Asked = Parameters<typeof sendEmail> extends [...infer Rest, unknown] ? Rest : never

/** What e-mails are sent with where a test has no fixture of its own for it. */
export const emailEnv = {
  BRAND: 'Carga en Casa',
  baseUrl: 'https://carga.example',
  MAIL_FROM: 'Carga en Casa <citas@carga.example>',
}

/** An e-mail's job, and at once the jobs that it leaves for each of its readers. */
export async function deliver(...[db, env, transport, job, jobId]: Asked): Promise<void> {
  await sendEmail(db, env, transport, job, jobId, {
    split: async (readers) => {
      for (const reader of readers) await deliver(db, env, transport, { ...job, reader }, jobId)
    },
    notify: async () => {},
  })
}

/** The e-mails that a job sends as things stand now. */
export async function emailsOf(db: Db, job: EmailJob, env = emailEnv): Promise<OutgoingEmail[]> {
  const sent: OutgoingEmail[] = []
  await deliver(db, env, { send: async (email) => void sent.push(email) }, job, 'job-1')
  return sent
}

/** The data of a job of the tests' fixtures, as its handler is given them. */
export function openedJob<Data extends object>(kept: Data): Data {
  setJobSecret(secret)
  return unwrapJob(kept).data
}
