import type { Counter, Histogram, Meter } from '@opentelemetry/api'

/** Upper bounds, in seconds. A page is ready in hundredths, a letter in seconds. */
const ofRequests = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const ofJobs = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300]

export type Answered = { method: string; route: string; status: number; seconds: number; turnedAway: boolean }
export type JobDone = { queue: string; ok: boolean; seconds: number }

let requests: Histogram | undefined
let jobs: Counter | undefined
let jobTimes: Histogram | undefined
let inFlight = 0

/** Requests that wait for their answer right now. */
export const requestsInFlight = (): number => inFlight
export const requestBegan = () => {
  inFlight++
}

/** Makes what is counted as it happens; until then nothing is. */
export function makeMeters(meter: Meter): void {
  requests = meter.createHistogram('http_server_request_duration_seconds', {
    description: 'Time from a request to its answer, by route, method and class of status',
    advice: { explicitBucketBoundaries: ofRequests },
  })
  jobs = meter.createCounter('carga_jobs_total', {
    description: 'Jobs that were run, by queue and by how they went; one tried again counts each time',
  })
  jobTimes = meter.createHistogram('carga_job_duration_seconds', {
    description: 'Time that a job took',
    advice: { explicitBucketBoundaries: ofJobs },
  })
}

/** Notes that a request was answered, or its asker gone. One that was turned away is a class of its own: nothing failed. */
export function requestEnded({ method, route, seconds, status, turnedAway }: Answered): void {
  inFlight--
  const status_class = turnedAway ? 'turned_away' : `${Math.floor(status / 100)}xx`
  requests?.record(seconds, { method, route, status_class })
}

/** Notes that a job was tried. */
export function jobEnded({ queue, ok, seconds }: JobDone): void {
  jobs?.add(1, { queue, outcome: ok ? 'done' : 'failed' })
  jobTimes?.record(seconds, { queue })
}
