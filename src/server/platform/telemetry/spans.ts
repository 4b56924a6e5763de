import {
  type Attributes,
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

/** Without a collector nothing of this does anything: the question costs less than what would be answered. */
let tracing = false

/** Says that spans are gathered from here on. */
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

type Wish = {
  kind: Kind
  attributes?: Attributes
  /** W3C headers of whoever caused it; without them it is a part of what runs. */
  from?: Carrier | undefined
}
/** What carries a trace from one process to another: the headers of W3C Trace Context. */
export type Carrier = { traceparent?: string; tracestate?: string }

/** Runs something as a span: its end is the end of `run`, and an error thrown is told by its type, never by its words. */
export async function spanned<Result>(
  name: string,
  { kind, attributes = {}, from }: Wish,
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

/** A statement of SQL within what runs; null where nobody follows that, as in the queues' own rounds. */
export function statementSpan(name: string, summary: string): Span | null {
  const inside = trace.getActiveSpan()
  if (!inside?.isRecording()) return null
  return tracer().startSpan(name, {
    kind: SpanKind.CLIENT,
    attributes: { 'db.system.name': 'postgresql', 'db.query.summary': summary },
  })
}

/** Marks a span as failed. An error's own words may hold what somebody typed: they stay here. */
export function failed(span: Span, error: unknown): void {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  span.setAttribute('error.type', String(code ?? name ?? typeof error))
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** The headers that let somebody else go on with this trace; none where there is none. */
export function carrier(of: Context = context.active()): Carrier {
  const headers: Carrier = {}
  if (tracing) propagation.inject(of, headers)
  return headers
}

/** The ids of what runs, for the log. */
export function traceIds(): { trace?: string; span?: string } {
  const inside = tracing ? trace.getActiveSpan()?.spanContext() : undefined
  return inside ? { trace: inside.traceId, span: inside.spanId } : {}
}

const tracer = () => trace.getTracer('carga-en-casa')
