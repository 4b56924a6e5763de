import { z } from 'zod'
import { start } from '../../domain/appointments/schema.ts'
import { addressInputBy } from '../../domain/projects/schema.ts'
import { seenVersion } from '../../domain/shared/schema.ts'
import type { Db } from '../../server/platform/database/database.ts'
import { placeOfCode } from '../../server/projects/postal-codes.ts'

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
