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
      await Promise.allSettled([tracers?.shutdown(), meters.shutdown()])
    },
  }
}

const metricExporter = ({ endpoint, headers }: Otlp) =>
  new OTLPMetricExporter({ url: `${endpoint}/v1/metrics`, headers })

function openTraces({ endpoint, headers, share }: Otlp, resource: Resource): TracerProvider {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers })
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
