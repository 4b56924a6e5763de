import { pino } from 'pino'
import { currentContext, type RequestContext } from './request-context.ts'
import { traceIds } from './spans.ts'

const isLevel = (name: string | undefined): name is string =>
  name !== undefined && (name === 'silent' || name in pino.levels.values)

/** One JSON line per entry on standard output. Never pass form values, addresses, e-mails or an error's SQL message. */
export const log = pino({
  // An invalid level is reported with the other variables (env.ts).
  level: isLevel(process.env.LOG_LEVEL) ? process.env.LOG_LEVEL : 'info',
  serializers: { err: withoutPersonalData },
  // The context of the line; a line's own fields of the same name come after, and win.
  mixin: () => ({ ...named(currentContext()), ...traceIds() }),
})

/** The log's own name of a request is short, since every line has it. */
const named = ({ request, ...rest }: RequestContext) => ({ ...(request && { req: request }), ...rest })

/**
 * Database errors quote their parameters, so only fields without them are kept: name, code, constraint, and where it
 * was thrown.
 */
export function withoutPersonalData(error: unknown) {
  if (typeof error !== 'object' || error === null) return { type: typeof error }
  // The job queue reports objects like errors that are no Error.
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
