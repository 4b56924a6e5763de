import { randomInt } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Db } from '../platform/database/database.ts'
import { codes } from '../platform/database/schema/agencies.ts'

/** What a code is made of: nothing that is read as something else. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const length = 8

/** A code's text that nobody has yet, and nobody guesses. */
export async function suggestCode(db: Db): Promise<string> {
  for (;;) {
    const text = Array.from({ length }, () => letters[randomInt(letters.length)]).join('')
    const [taken] = await db.select({ id: codes.id }).from(codes).where(eq(codes.code, text))
    if (!taken) return text
  }
}
