import type { Queryable } from '../platform/database/client.ts'
import { type CustomersRecord, hasLetters } from '../users/queries.ts'

/** What a toast says of the letter to a record's customer; of one without a mailbox, that somebody has to call. */
export const customerWords = async (db: Queryable, whose: CustomersRecord, words: string): Promise<string> =>
  (await hasLetters(db, whose)) ? words : 'No tiene correo: llámale.'
