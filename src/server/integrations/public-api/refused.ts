import { HTTPException } from 'hono/http-exception'
import { Refusal, type RefusalCode } from '../../../domain/shared/refusal.ts'
import { databaseRefusal } from '../../platform/database/faults.ts'
import { Problem, type ProblemCode } from './problems.ts'

/** What the product's refusals are called here; of one that is not among them nobody outside can make anything. */
const meanings: Partial<Record<RefusalCode, ProblemCode>> = {
  'invalid-argument': 'invalid_request',
  'out-of-range': 'invalid_request',
  'not-found': 'not_found',
  'already-exists': 'conflict',
  'failed-precondition': 'conflict',
  'resource-exhausted': 'too_many_requests',
  aborted: 'unavailable',
  unavailable: 'unavailable',
  'deadline-exceeded': 'unavailable',
}
const ofStatus: Record<number, ProblemCode> = {
  400: 'invalid_request',
  413: 'body_too_large',
  415: 'media_type',
}

/** What an error says to whoever asked; null where it is a fault of ours. */
export function problemOf(error: unknown): Problem | null {
  if (error instanceof Problem) return error
  if (error instanceof HTTPException) return ofHttp(error)
  const refusal = error instanceof Refusal ? error : databaseRefusal(error)
  const code = refusal && meanings[refusal.code]
  if (!code) return null
  if (code === 'unavailable') return new Problem(code)
  const { waits } = (refusal.details ?? {}) as { waits?: number }
  return new Problem(code, refusal.description, [], waits)
}

function ofHttp({ status }: HTTPException): Problem | null {
  const code = ofStatus[status]
  if (!code) return null
  return code === 'invalid_request' ? new Problem(code, 'El cuerpo no es JSON válido.') : new Problem(code)
}

type Issue = { path: readonly PropertyKey[]; message: string }

/** Wrong fields, each by its path ("vehicle.year"). */
export const invalid = (issues: readonly Issue[]) =>
  new Problem(
    'invalid_request',
    undefined,
    issues.map(({ path, message }) => ({ field: path.map(String).join('.'), message })),
  )
