import { pino } from 'pino'
import { type Cause, currentCause } from '../platform/telemetry/cause.ts'
import { traceIds } from '../platform/telemetry/spans.ts'

const isLevel = (name: string | undefined): name is string =>
  name !== undefined && (name === 'silent' || name in pino.levels.values)

/** One JSON line per entry on standard output. Never give it form values, addresses, e-mails or an error's SQL message. */
export const log = pino({
  // A wrong level is named with the other variables (env.ts), once there is somebody to tell.
  level: isLevel(process.env.LOG_LEVEL) ? process.env.LOG_LEVEL : 'info',
  serializers: { err: withoutPersonalData },
  // On whose behalf it is written; a line's own words for the same come after, and count.
  mixin: () => ({ ...named(currentCause()), ...traceIds() }),
})

/** The log's own name of a request is short, since every line has it. */
const named = ({ request, ...rest }: Cause) => ({ ...(request && { req: request }), ...rest })

/** Database errors quote their parameters, so only what can't hold them is kept: name, code, constraint, and where it was thrown. */
export function withoutPersonalData(error: unknown) {
  if (typeof error !== 'object' || error === null) return { type: typeof error }
  // The job queue reports what is like an error, without being one.
  if (!(error instanceof Error)) return withoutPersonalData(Object.assign(new Error(), error))
  const cause = (error.cause ?? error) as { code?: string; constraint?: string }
  const isQuery = error.name === 'DrizzleQueryError' || error.message.startsWith('Failed query')
  return {
    type: error.name,
    ...(isQuery ? {} : { message: error.message }),
    ...(cause.code && { code: cause.code, constraint: cause.constraint }),
    stack: error.stack
      ?.split('\n')
      .filter((line) => line.trimStart().startsWith('at '))
      .slice(0, 12),
  }
}
