import { sendAccountEmail } from '../../src/notifications/send.ts'
import type { Jobs } from '../../src/platform/jobs/queues.ts'
import { emailEnv, openedJob } from '../kit/delivered.ts'
import { mailServer, readEmail } from '../kit/mail-server.ts'
import { db, runSql } from '../kit/open.ts'

type Job = { id: string; data: Jobs['account-letter'] }
const env = { ...emailEnv, baseUrl: 'http://carga.test' }

/** A real mail server for one test. `delivered` sends the account e-mails that wait, and answers what arrived so far. */
export async function letterBox() {
  const { received, transport } = await mailServer()
  return {
    async delivered() {
      const { rows } =
        await runSql<Job>`delete from pgboss.job where name = 'account-letter' returning id, data`
      for (const { id, data } of rows) await sendAccountEmail(db, env, transport, openedJob(data), id)
      return Promise.all(received.map(async ({ source }) => ({ ...(await readEmail(source)), source })))
    },
  }
}

/** The e-mails about accounts that arrive while something is done. */
export async function lettersOf(run: () => Promise<unknown>) {
  const box = await letterBox()
  const before = (await box.delivered()).length
  await run()
  return (await box.delivered()).slice(before)
}
export type Letters = Awaited<ReturnType<typeof lettersOf>>

/** The path on our own site that an e-mail links to. */
export const linkIn = ({ text }: { text: string }) => /http:\/\/carga\.test(\/\S+)/.exec(text)?.[1] ?? ''
export const codeIn = (letter: { text: string }) =>
  new URLSearchParams(linkIn(letter).split('?')[1]).get('oobCode') ?? ''
