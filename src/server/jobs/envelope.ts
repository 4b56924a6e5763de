import { currentCause } from '../telemetry/cause.ts'
import { type Carrier, carrier } from '../telemetry/spans.ts'

/** What travels with a job beside its data: the request that left it, and the trace that goes on with it. */
type Envelope = { cause?: { request?: string } & Carrier }

/** A job's data as they are kept. What the clock asks for comes from nobody, and has nothing added. */
export function sealed<Data extends object>(data: Data): Data & Envelope {
  const { request } = currentCause()
  const cause = { ...(request && { request }), ...carrier() }
  return Object.keys(cause).length > 0 ? { ...data, cause } : data
}

/** The data of a job as its handler knows them, and what came with them. */
export function opened<Data extends object>(
  kept: Data,
): {
  data: Data
  request: string | undefined
  carried: Carrier | undefined
} {
  const { cause, ...data } = kept as Data & Envelope
  const { request, ...carried } = cause ?? {}
  return { data: data as unknown as Data, request, carried: carried.traceparent ? carried : undefined }
}
