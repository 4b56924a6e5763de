import { Refusal, type RefusalCode, refusals } from './refusal.ts'

/** Why an operation failed, in words for the person; `errors` go under the fields they name. */
export type Failed = {
  code: string
  title: string
  description: string
  errors?: Partial<Record<string, string>>
  details?: unknown
}

/** What an operation answers: it never throws (specification §7). */
export type Result<T> = { ok: true; value: T } | { ok: false; error: Failed }

/** A refusal as an answer. */
export function failed({ code, title, description, details }: Refusal): Result<never> {
  const errors = errorsIn(details)
  return {
    ok: false,
    error: { code, title, description, ...(errors && { errors }), ...(details !== undefined && { details }) },
  }
}

/** The value of a store's operation; a failure becomes the Refusal that screens know how to show. */
export function orRefuse<T>(result: Result<T>): T {
  if (result.ok) return result.value
  const { code, title, description, details } = result.error
  throw new Refusal(code in refusals ? (code as RefusalCode) : 'unknown', { title, description, details })
}

function errorsIn(details: unknown): Failed['errors'] {
  if (typeof details !== 'object' || details === null || !('errors' in details)) return undefined
  return details.errors as Record<string, string>
}
