import { createServer, type Server } from 'node:http'
import type { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { externalSystems, failureKinds } from '../external.ts'
import { makeGauges, type Watched } from './gauges.ts'
import { externalFailed, gatherSpans, makeMeters } from './spans.ts'
import type { TelemetrySettings } from './telemetry-env.ts'

type Telemetry = {
  /** Starts reporting the state, once there is a database to query. */
  watch: (watched: Watched) => void
  /** Sends the remaining data, and stops. */
  stop: () => Promise<void>
}

const nothing: Telemetry = { watch: () => undefined, stop: async () => undefined }

/** How long a collector that does not answer may delay the shutdown, in milliseconds. */
const farewell = 1_000

/** Opens only what the environment enables: by default not even the libraries are loaded. */
export async function openTelemetryOf(settings: TelemetrySettings, role: string): Promise<Telemetry> {
  if (!settings.metrics && !settings.otlp) return nothing
  const { openTelemetry } = await import('./open.ts')
  const { close, meter, prometheus } = openTelemetry(settings, role)
  const server = prometheus && settings.metrics ? await serveMetrics(prometheus, settings.metrics) : undefined
  makeMeters(meter)
  // So that a first failure is a rise: an alert sees none in a figure that begins with it.
  for (const system of Object.keys(externalSystems))
    for (const kind of failureKinds) externalFailed({ system, kind }, 0)
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

/** Serves the metrics for Prometheus on a port of its own, for the operator's network only. */
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
