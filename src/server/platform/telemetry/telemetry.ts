import { createServer, type Server } from 'node:http'
import type { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { z } from 'zod'
import { withoutTail } from '../../../domain/shared/text.ts'
import { makeGauges, type Watched } from './gauges.ts'
import { gatherSpans, makeMeters } from './spans.ts'

type Telemetry = {
  /** Begins to tell how things stand, once there is a database to ask. */
  watch: (watched: Watched) => void
  /** Sends what is left, and ends. */
  stop: () => Promise<void>
}

const nothing: Telemetry = { watch: () => undefined, stop: async () => undefined }

/** A collector that does not answer holds nobody up who stops, in milliseconds. */
const farewell = 1_000

/** Opens what the environment asks for, and nothing else: by default not even the libraries are read. */
export async function openTelemetryOf(settings: TelemetrySettings, role: string): Promise<Telemetry> {
  if (!settings.metrics && !settings.otlp) return nothing
  const { openTelemetry } = await import('./open.ts')
  const { close, meter, prometheus } = openTelemetry(settings, role)
  const server = prometheus && settings.metrics ? await serveMetrics(prometheus, settings.metrics) : undefined
  makeMeters(meter)
  gatherSpans(settings.otlp !== null)
  let unwatch = () => {}
  return {
    watch: (watched) => {
      unwatch = makeGauges(meter, watched)
    },
    stop: async () => {
      unwatch()
      gatherSpans(false)
      server?.closeAllConnections()
      server?.close()
      await Promise.race([close(), new Promise((resolve) => setTimeout(resolve, farewell).unref())])
    },
  }
}

/** Serves what Prometheus reads on a port that is not the product's own: it is for the operator's network alone. */
async function serveMetrics(
  exporter: PrometheusExporter,
  { host, port }: { host: string; port: number },
): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url?.split('?', 1)[0] === '/metrics') exporter.getMetricsRequestHandler(request, response)
    else response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('/metrics\n')
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) =>
      reject(new Error(code === 'EADDRINUSE' ? `Port ${port} of METRICS_PORT is in use.` : message)),
    )
    server.listen(port, host, resolve)
  })
  return server
}

/** Where figures and traces go, in the environment; nowhere by default. The names with OTEL are OpenTelemetry's own. */
export const telemetryVariables = {
  METRICS_PORT: z.coerce.number().int().min(1).max(65535).optional(),
  METRICS_HOST: z.string().trim().min(1).default('127.0.0.1'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(/^[^=,]+=[^,]*(,[^=,]+=[^,]*)*$/, 'must look like key=value,other=value')
    .default(''),
  OTEL_SERVICE_NAME: z.string().trim().min(1).default('carga-en-casa'),
  /** The share of traces that are kept. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
}

type Values = z.output<z.ZodObject<typeof telemetryVariables>> & { PORT: number }

/** The same, checked together. `metrics` is the private port's; `otlp` is who is sent traces and figures; null where off. */
export type TelemetrySettings = {
  service: string
  metrics: { host: string; port: number } | null
  otlp: { endpoint: string; headers: Record<string, string>; share: number } | null
}

export function telemetryOf(env: Values): TelemetrySettings {
  const { METRICS_HOST: host, METRICS_PORT: port, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = env
  if (port !== undefined && port === env.PORT)
    throw new Error('METRICS_PORT must differ from PORT: metrics are not public.')
  return {
    service: env.OTEL_SERVICE_NAME,
    metrics: port === undefined ? null : { host, port },
    otlp:
      endpoint === undefined
        ? null
        : {
            endpoint: withoutTail(endpoint, '/'),
            headers: headersIn(env.OTEL_EXPORTER_OTLP_HEADERS),
            share: env.OTEL_TRACES_SAMPLER_ARG,
          },
  }
}

const headersIn = (list: string): Record<string, string> =>
  Object.fromEntries(
    list
      .split(',')
      .filter(Boolean)
      .map((pair) => {
        const [name, ...value] = pair.split('=')
        return [name!.trim(), decodeURIComponent(value.join('=').trim())]
      }),
  )
