import { setJobSecret, unwrapJob } from '../../src/server/platform/jobs/queues.ts'
import { secret } from './people.ts'

/** The data of a job of the tests' worlds, as its handler is given them. */
export function openedJob<Data extends object>(kept: Data): Data {
  setJobSecret(secret)
  return unwrapJob(kept).data
}
