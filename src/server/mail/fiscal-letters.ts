import type { Db } from '../database/database.ts'
import type { AboutFiscal } from './kinds.ts'
import type { Addressed } from './money-letters.ts'
import type { House } from './told.ts'

/** Its own words come with what it is about. */
export const fiscalLetters = async (
  _db: Db,
  _job: AboutFiscal,
  _house: House,
  _now: Date,
): Promise<Addressed[]> => []
