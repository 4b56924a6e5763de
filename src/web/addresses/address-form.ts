import { z } from 'zod'
import { addressInputBy } from '../../domain/address.ts'
import { start } from '../../domain/appointment-input.ts'
import { placeOfCode } from '../../server/addresses/postal-codes.ts'
import type { Db } from '../../server/database/database.ts'

const stale = 'Vuelve a abrir la página.'
const version = z.coerce.number(stale).int(stale).positive(stale).max(1_000_000_000, stale)

/** The address itself, and how the form stood when it was shown. */
export const formInput = (db: Db) =>
  z.intersection(
    addressInputBy((postalCode) => placeOfCode(db, postalCode)),
    z.object({
      version: version.optional(),
      moveVisit: z.string().optional(),
      visitSeen: z.string().optional(),
      newStart: start.optional(),
    }),
  )

export const archiveInput = z.object({ version })
