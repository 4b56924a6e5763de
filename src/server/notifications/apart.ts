import { createHash } from 'node:crypto'
import { type Db, transaction } from '../database/database.ts'
import { enqueue } from '../jobs/jobs.ts'
import type { Jobs } from '../jobs/queues.ts'

/** Leaves a letter's job for each of its readers; one each, however often the first is tried. */
export async function sendApart(
  db: Db,
  data: Jobs['letter'],
  jobId: string,
  readers: readonly string[],
): Promise<void> {
  await transaction(db, async (tx) => {
    for (const reader of readers)
      await enqueue(tx, 'letter', { ...data, reader }, undefined, jobIdFor(jobId, reader))
  })
}

/** Always the same id for the same job and reader, made as RFC 9562 makes a version 8. */
function jobIdFor(jobId: string, reader: string): string {
  const hex = createHash('sha256').update(`${jobId} ${reader}`).digest('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`]
  return [...parts, hex.slice(20, 32)].join('-')
}
