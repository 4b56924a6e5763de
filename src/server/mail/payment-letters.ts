import type { Db } from '../database/database.ts'
import type { AboutPayment, AboutProject, AboutRefund } from './kinds.ts'
import type { Addressed } from './money-letters.ts'
import type { House } from './told.ts'

/** Its own words come with what it is about. */
export const paymentLetters = async (
  _db: Db,
  _job: AboutPayment,
  _house: House,
  _now: Date,
): Promise<Addressed[]> => []

/** Its own words come with what it is about. */
export const projectLetters = async (
  _db: Db,
  _job: AboutProject,
  _house: House,
  _now: Date,
): Promise<Addressed[]> => []

/** Its own words come with what it is about. */
export const refundLetters = async (
  _db: Db,
  _job: AboutRefund,
  _house: House,
  _now: Date,
): Promise<Addressed[]> => []
