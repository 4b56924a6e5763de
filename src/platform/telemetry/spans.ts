import { AsyncResource } from 'node:async_hooks'
import {
  type Attributes,
  type Context,
  type Counter,
  context,
  type Histogram,
  type Meter,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import pg from 'pg'

/** Without a collector tracing is off: checking this flag costs less than a span. */
let tracing = false

/** Switches the collection of spans on or off. */
export const gatherSpans = (gather: boolean) => {
  tracing = gather
}

export const isTracing = (): boolean => tracing

type Kind = 'server' | 'client' | 'consumer' | 'producer'
const kinds: Record<Kind, SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  producer: SpanKind.PRODUCER,
}

type Input = {
  kind: Kind
  attributes?: Attributes
  /** The W3C headers of the cause; without them the span is a child of the current one. */
  from?: Carrier | undefined
}

/** Carries a trace from one process to another: the headers of W3C Trace Context. */
export type Carrier = { traceparent?: string; tracestate?: string }

/** Runs a function as a span, which ends with `run`; an error thrown is recorded by its type, never by its message. */
export async function spanned<Result>(
  name: string,
  { kind, attributes = {}, from }: Input,
  run: (span: Span | null) => Promise<Result>,
): Promise<Result> {
  if (!tracing) return run(null)
  const parent = from ? propagation.extract(context.active(), from) : context.active()
  const span = tracer().startSpan(name, { kind: kinds[kind], attributes }, parent)
  try {
    return await context.with(trace.setSpan(parent, span), () => run(span))
  } catch (error) {
    failed(span, error)
    throw error
  } finally {
    span.end()
  }
}

/** The span of an SQL statement within the current span; null where there is none, as in the queues' own rounds. */
function statementSpan(name: string, summary: string): Span | null {
  const inside = trace.getActiveSpan()
  if (!inside?.isRecording()) return null
  return tracer().startSpan(name, {
    kind: SpanKind.CLIENT,
    attributes: { 'db.system.name': 'postgresql', 'db.query.summary': summary },
  })
}

/** Marks a span as failed. The error's message may contain personal data and is left out. */
function failed(span: Span, error: unknown): void {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  span.setAttribute('error.type', String(code ?? name ?? typeof error))
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** The headers that let another process continue this trace; empty where there is none. */
export function carrier(of: Context = context.active()): Carrier {
  const headers: Carrier = {}
  if (tracing) propagation.inject(of, headers)
  return headers
}

/** The ids of the current span, for the log. */
export function traceIds(): { trace?: string; span?: string } {
  const inside = tracing ? trace.getActiveSpan()?.spanContext() : undefined
  return inside ? { trace: inside.traceId, span: inside.spanId } : {}
}

const tracer = () => trace.getTracer('carga-en-casa')

/** The pool class to use: with tracing, one that records every statement; else the library's own, at no cost. */
export const poolClass = (): typeof pg.Pool => (isTracing() ? TracedPool : pg.Pool)

type Done = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (broken?: unknown) => void,
) => void

class TracedPool extends pg.Pool {
  constructor(config: pg.PoolConfig = {}) {
    super({ ...config, Client: TracedClient })
  }

  // A connection given to a waiter runs in the context of its releaser, and the span would become a child of that one:
  // the waiter's own context is restored.
  override connect(done?: Done): never {
    const connect = super.connect as (done?: Done) => never
    return connect.call(this, done && AsyncResource.bind(done))
  }
}

type Statement = { name?: string; text?: string; callback?: Callback; submit?: unknown }
type Callback = (error: unknown, result: unknown) => void

class TracedClient extends pg.Client {
  // The library accepts a text or an object, with values or without, and answers by a promise or a callback.
  override query(...given: unknown[]): never {
    const query = super.query as (...given: unknown[]) => never
    const [statement] = given as [string | Statement]
    const { name, text } = typeof statement === 'string' ? { text: statement } : statement
    const summary = summaryOf(text ?? '')
    const span = statementSpan(name && !isNumbered(name) ? name : summary, summary)
    if (!span) return query.apply(this, given)
    const last = given.at(-1)
    if (typeof last === 'function')
      return query.apply(this, [...given.slice(0, -1), ending(span, last as Callback)])
    const answer = query.apply(this, given) as unknown
    if (answer instanceof Promise) end(span, answer)
    else span.end()
    return answer as never
  }
}

/** Some prepared statements differ by a number only, which carries no information. */
const isNumbered = (name: string) => /^form_\d+$/.test(name)

const ending =
  (span: Span, callback: Callback): Callback =>
  (error, result) => {
    if (error) failed(span, error)
    span.end()
    callback(error, result)
  }

const end = (span: Span, answer: Promise<unknown>) =>
  answer.then(
    () => span.end(),
    (error) => {
      failed(span, error)
      span.end()
    },
  )

/** What a statement does and to which table, such as `select appointments`: its text may hold values that were written into it. */
export function summaryOf(text: string): string {
  const [verb = ''] = /^[a-z]+/i.exec(text.trimStart()) ?? []
  const [, table] =
    /\b(?:from|into|update|join)\s+(?:only\s+)?"?([a-z_]\w*(?:"?\."?[a-z_]\w*)?)/i.exec(text) ?? []
  return [verb.toLowerCase(), table?.replaceAll('"', '')].filter(Boolean).join(' ')
}

/** Upper bounds, in seconds. A page is ready in hundredths, a letter in seconds. */
const ofRequests = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const ofJobs = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300]

type Answered = { method: string; route: string; status: number; seconds: number; wasShed: boolean }
type JobDone = { queue: string; ok: boolean; seconds: number }

let requests: Histogram | undefined
let jobs: Counter | undefined
let jobTimes: Histogram | undefined
let failures: Counter | undefined
let dropped: Counter | undefined
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
  dropped = meter.createCounter('carga_messages_dropped_total', {
    description: 'Messages that were not sent, since what they say was over, by queue and kind',
  })
  failures = meter.createCounter('carga_external_failures_total', {
    description: 'Failures of external systems, by system and kind',
  })
}

/** Counts a message that is of no use any more. */
export const messageDropped = (message: { queue: string; kind: string }): void => dropped?.add(1, message)

/** Counts a failure of an external system (platform/external.ts). */
export const externalFailed = (failure: { system: string; kind: string }, count = 1): void =>
  failures?.add(count, failure)

/**
 * Records that a request was answered, or its client disconnected. A shed request is a class of its own: it did not
 * fail.
 */
export function requestEnded({ method, route, seconds, status, wasShed: turnedAway }: Answered): void {
  inFlight--
  const status_class = turnedAway ? 'turned_away' : `${Math.floor(status / 100)}xx`
  requests?.record(seconds, { method, route, status_class })
}

/** Records a try of a job. */
export function jobEnded({ queue, ok, seconds }: JobDone): void {
  jobs?.add(1, { queue, outcome: ok ? 'done' : 'failed' })
  jobTimes?.record(seconds, { queue })
}
