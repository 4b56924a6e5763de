import { z } from 'zod'
import { addressInputBy } from '../../domain/address.ts'
import { start } from '../../domain/appointment-input.ts'
import { seenVersion } from '../../domain/seen-version.ts'
import { placeOfCode } from '../../server/addresses/postal-codes.ts'
import type { Db } from '../../server/database/database.ts'

/** The address itself, and how the form stood when it was shown. */
export const formInput = (db: Db) =>
  z.intersection(
    addressInputBy((postalCode) => placeOfCode(db, postalCode)),
    z.object({
      version: seenVersion.optional(),
      moveVisit: z.string().optional(),
      visitSeen: z.string().optional(),
      newStart: start.optional(),
    }),
  )

export const archiveInput = z.object({ version: seenVersion })
