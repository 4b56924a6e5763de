import { z } from 'zod'
import { start } from '../../domain/appointments/appointment-input.ts'
import { addressInputBy } from '../../domain/projects/address.ts'
import { seenVersion } from '../../domain/shared/seen-version.ts'
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
