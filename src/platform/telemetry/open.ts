import { context, type Meter, metrics, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions'
import { externalSystems, failureKindOf, limited } from '../external.ts'
import { externalFailed } from './spans.ts'
import type { TelemetrySettings } from './telemetry-env.ts'

type Otlp = NonNullable<TelemetrySettings['otlp']>

/** What is gathered, and where it is read. `close` sends what is left. */
export type Opened = {
  meter: Meter
  prometheus: PrometheusExporter | null
  close: () => Promise<void>
}

/** OpenTelemetry's libraries, loaded only where the operator enables them. */
export function openTelemetry({ service, metrics: shown, otlp }: TelemetrySettings, role: string): Opened {
  const resource = resourceFromAttributes({ [ATTR_SERVICE_NAME]: service, 'carga.role': role })
  // Never started: our own server, on the private port, asks it.
  const prometheus = shown && new PrometheusExporter({ preventServerStart: true, withoutScopeInfo: true })
  const pushed = otlp && new PeriodicExportingMetricReader({ exporter: metricExporter(otlp) })
  const readers = [prometheus, pushed].filter((reader) => reader !== null)
  const meters = new MeterProvider({ resource, readers })
  metrics.setGlobalMeterProvider(meters)
  const tracers = otlp && openTraces(otlp, resource)
  return {
    meter: meters.getMeter('carga-en-casa'),
    prometheus,
    close: async () => {
      const sent = () => Promise.allSettled([tracers?.shutdown(), meters.shutdown()])
      await limited('telemetry', sent).catch(() => undefined)
    },
  }
}

const timeoutMillis = externalSystems.telemetry.answer

type Exporter = { export(items: never, done: (result: { code: number; error?: Error }) => void): void }

/** Counts what could not be sent. */
function watched<One extends Exporter>(exporter: One): One {
  const send: Exporter['export'] = exporter.export.bind(exporter)
  exporter.export = (items, done) =>
    send(items, (result) => {
      if (result.code !== 0)
        externalFailed({ system: 'telemetry', kind: failureKindOf(result.error) ?? 'broken' })
      done(result)
    })
  return exporter
}

const metricExporter = ({ endpoint, headers }: Otlp) =>
  watched(new OTLPMetricExporter({ url: `${endpoint}/v1/metrics`, headers, timeoutMillis }))

function openTraces({ endpoint, headers, share }: Otlp, resource: Resource): TracerProvider {
  const exporter = watched(new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers, timeoutMillis }))
  const kept = new TraceIdRatioBasedSampler(share)
  const tracers = new TracerProvider({
    resource,
    // A trace that began elsewhere continues here, but the sampling rate is ours, not the caller's.
    sampler: new ParentBasedSampler({ root: kept, remoteParentSampled: kept, remoteParentNotSampled: kept }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(tracers)
  return tracers
}
