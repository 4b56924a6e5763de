import type { Queryable } from '../database/database.ts'
import { letterCodes } from '../database/schema.ts'
import { newCode } from './code.ts'

export type Purpose = (typeof letterCodes.$inferSelect)['purpose']

const lifetimeMinutes = 60

/** A fresh code for a letter that is being written; the answer is the only place where it can be read. */
export async function makeCode(db: Queryable, purpose: Purpose, userId: string, now: Date): Promise<string> {
  const { code, hash } = newCode()
  const expiresAt = new Date(now.getTime() + lifetimeMinutes * 60_000)
  await db.insert(letterCodes).values({ purpose, userId, codeHash: hash, expiresAt })
  return code
}
