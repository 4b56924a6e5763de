import { deliver as deliverOnce } from '../src/server/notifications/send.ts'

type Asked = Parameters<typeof deliverOnce> extends [...infer Rest, unknown] ? Rest : never

/** A letter's job, and at once the jobs that it leaves for each of its readers. */
export async function deliver(...[db, env, post, data, jobId]: Asked): Promise<void> {
  await deliverOnce(db, env, post, data, jobId, async (readers) => {
    for (const reader of readers) await deliver(db, env, post, { ...data, reader }, jobId)
  })
}
