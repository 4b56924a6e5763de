import type { z } from 'zod'
import { Refusal } from './refusal.ts'
import { failed, type Result } from './result.ts'

/** An input that its schema does not take, as an answer. */
export function invalid({ issues }: z.ZodError): Result<never> {
  const errors: Record<string, string> = {}
  for (const { path, message } of issues) errors[String(path[0] ?? '')] ??= message
  const description = issues[0]?.message
  return failed(new Refusal('invalid-argument', { ...(description && { description }), details: { errors } }))
}
