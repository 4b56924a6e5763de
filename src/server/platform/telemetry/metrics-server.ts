import { createServer, type Server } from 'node:http'
import type { PrometheusExporter } from '@opentelemetry/exporter-prometheus'

/** Serves what Prometheus reads on a port that is not the product's own: it is for the operator's network alone. */
export async function serveMetrics(
  exporter: PrometheusExporter,
  { host, port }: { host: string; port: number },
): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url?.split('?', 1)[0] === '/metrics') exporter.getMetricsRequestHandler(request, response)
    else response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('/metrics\n')
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) =>
      reject(
        new Error(code === 'EADDRINUSE' ? `El puerto ${port} de METRICS_PORT ya está ocupado.` : message),
      ),
    )
    server.listen(port, host, resolve)
  })
  return server
}
