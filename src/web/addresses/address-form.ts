import { z } from 'zod'
import { addressInputBy } from '../../domain/address.ts'
import { placeOfCode } from '../../server/addresses/postal-codes.ts'
import type { Db } from '../../server/database/database.ts'

const version = z.coerce.number('Vuelve a abrir la página.').int().positive()

/** The address itself, and how the form stood when it was shown. */
export const formInput = (db: Db) =>
  z.intersection(
    addressInputBy((postalCode) => placeOfCode(db, postalCode)),
    z.object({ version: version.optional(), moveVisit: z.string().optional() }),
  )

export const archiveInput = z.object({ version })
