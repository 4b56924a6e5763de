import { z } from 'zod'
import { withoutTail } from '../../shared/text.ts'

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
