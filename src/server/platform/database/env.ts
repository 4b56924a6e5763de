import { z } from 'zod'

const address = z.url({ protocol: /^postgres(ql)?$/ })

export const databaseVariables = {
  DATABASE_URL: address.optional(),
  /** Connections a process may open: two of them listen all the time. */
  DATABASE_POOL: z.coerce.number().int().min(3).max(200).default(16),
  /** `transaction`: DATABASE_URL leads to a pooler that gives out a connection for each transaction. */
  DATABASE_POOLING: z.enum(['session', 'transaction']).default('session'),
  /** The same database, past that pooler. */
  DATABASE_DIRECT_URL: address.optional(),
}

type Given = {
  DATABASE_URL?: string | undefined
  DATABASE_DIRECT_URL?: string | undefined
  DATABASE_POOLING: 'session' | 'transaction'
}

/** `direct` leads past the pooler, where there is one; `sessions` wherever a connection stays one's own. */
export type External = { url: string; direct: string | null; sessions: string }

/** Where somebody else's database is; null for the embedded one. */
export function databaseOf(given: Given): External | null {
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: direct } = given
  const pooled = given.DATABASE_POOLING === 'transaction'
  if (pooled && !(url && direct))
    throw new Error(
      'DATABASE_POOLING=transaction needs DATABASE_URL (the pooler) and DATABASE_DIRECT_URL (the server itself).',
    )
  if (direct && !pooled)
    throw new Error('DATABASE_DIRECT_URL is only used with DATABASE_POOLING=transaction.')
  return url ? { url, direct: direct ?? null, sessions: direct ?? url } : null
}
