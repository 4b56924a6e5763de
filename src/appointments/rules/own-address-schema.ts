import { z } from 'zod'
import { nextPath } from '../../accounts/rules/schema.ts'
import { addressInputBy, outsideCode, whyNotThere, writtenCode } from '../../projects/rules/schema.ts'
import { seenVersion, staleForm } from '../../shared/schema.ts'
import { startField } from './schema.ts'

/** The forms of a customer's address; booked appointments may move with it. */
export const ownAddressInput = (placeOfCode: Parameters<typeof addressInputBy>[0]) => ({
  save: z.intersection(
    addressInputBy(placeOfCode),
    z.object({
      version: seenVersion.optional(),
      moveVisit: z.string().optional(),
      visitSeen: z.string().optional(),
      newStart: startField.optional(),
    }),
  ),
  archive: z.object({ version: seenVersion }),
})

/**
 * The same forms as customers fill them in: where we do not go, their code is the only thing wrong, whatever else is
 * missing; they may ask for a notice with it alone, or with none where it is stored.
 */
export function customersAddressInput(placeOfCode: Parameters<typeof addressInputBy>[0]) {
  const { archive, save } = ownAddressInput(placeOfCode)
  return {
    archive,
    save: z.record(z.string(), z.unknown()).transform(async (typed, ctx): Promise<z.output<typeof save>> => {
      const code = writtenCode(typed.postalCode)
      const place = code ? await placeOfCode(code) : null
      const against = code && place && whyNotThere(code, place, typed.confirmInArea === 'on')
      if (against) ctx.addIssue({ code: 'custom', path: ['postalCode'], message: against })
      if (against) return z.NEVER
      // The code alone says where it is, whatever a former one filled in.
      const said = place?.area === 'served' ? { municipality: '', regionGroup: '', state: '' } : {}
      const read = await save.safeParseAsync({ ...typed, ...said }, { error: () => staleForm })
      if (read.success) return read.data
      for (const { message, path } of read.error.issues) ctx.addIssue({ code: 'custom', message, path })
      return z.NEVER
    }),
    notice: z.object({ postalCode: outsideCode(placeOfCode).optional() }),
    'discard-home': z.object({ home: z.uuid(staleForm) }),
    'choose-home': z.object({ home: z.uuid(staleForm), back: nextPath }),
  }
}
