import type { Db } from '../database/database.ts'
import type { AboutInvoice } from './kinds.ts'
import type { Addressed } from './money-letters.ts'
import type { House } from './told.ts'

/** Its own words come with what it is about. */
export const invoiceLetters = async (
  _db: Db,
  _job: AboutInvoice,
  _house: House,
  _now: Date,
): Promise<Addressed[]> => []
