import { z } from 'zod'
import { withoutAccents } from '../shared/collation.ts'
import { optionalEmail } from '../shared/email.ts'
import { centavosOf, percentOf } from '../shared/money.ts'
import { normalisePhone } from '../shared/phone.ts'
import { municipalities } from '../shared/regions.ts'
import { seenVersion, staleForm } from '../shared/seen-version.ts'
import { choice, optionalText, requiredText } from '../shared/text.ts'
import { tidy } from '../shared/tidy.ts'
import { type BenefitKind, benefitLabels, type CommissionKind, commissionLabels } from './agency.ts'

const wholePercent = 100_00
const mostBenefit = 30_00
const mostAmount = 1_000_000_00

const agencyPhone = z.preprocess(
  tidy,
  z.string().transform((typed, ctx) => {
    const phone = normalisePhone(typed)
    if (typed === '' || phone) return phone
    ctx.addIssue('Escribe los 10 dígitos del teléfono, con lada.')
    return z.NEVER
  }),
)

/** One of those served is kept by its slug; any other as it was typed. */
const municipality = optionalText(80).transform(
  (typed) =>
    municipalities.find(
      ({ slug, label }) => typed === slug || (typed && withoutAccents(label) === withoutAccents(typed)),
    )?.slug ?? typed,
)

const details = z.object({
  name: requiredText('Escribe el nombre de la concesionaria.', 120),
  brand: optionalText(80),
  contact: optionalText(160),
  phone: agencyPhone,
  email: optionalEmail,
  address: optionalText(200),
  municipality,
  notes: optionalText(1000),
})

type Read = { value: number } | { error: string }

function percentUpTo(typed: string, max: number): Read {
  const value = percentOf(typed)
  if (value === null) return { error: 'Escribe el porcentaje como 12.5.' }
  return value <= max ? { value } : { error: `Usa como máximo ${max / 100} %.` }
}

function amount(typed: string): Read {
  const value = centavosOf(typed)
  if (value === null) return { error: 'Escribe la cantidad como 12,345.50.' }
  return value <= mostAmount ? { value } : { error: 'Usa como máximo $1,000,000.00.' }
}

const someOf = (read: Read): Read =>
  'value' in read && read.value === 0 ? { error: 'Escribe más de cero.' } : read

const commissionOf: Record<CommissionKind, (typed: string) => Read> = {
  percent: (typed) => (typed === '' ? { value: 0 } : percentUpTo(typed, wholePercent)),
  amount: (typed) => (typed === '' ? { value: 0 } : amount(typed)),
}
const nothing = (): Read => ({ value: 0 })
const benefitOf: Record<BenefitKind, (typed: string) => Read> = {
  none: nothing,
  percent: (typed) => someOf(percentUpTo(typed, mostBenefit)),
  amount: (typed) => someOf(amount(typed)),
  free_visit: nothing,
}

const typedText = z.preprocess(tidy, z.string())

const commission = z
  .object({
    commissionKind: choice(commissionLabels, 'Elige porcentaje o cantidad.'),
    commissionValue: typedText,
  })
  .transform(({ commissionKind, commissionValue }, ctx) => ({
    commissionKind,
    commissionValue: taken(commissionOf[commissionKind](commissionValue), 'commissionValue', ctx),
  }))

/** The two boxes of a benefit, with what to say where no kind is chosen. */
export const benefitFields = (unchosen: string) =>
  z
    .object({ benefitKind: choice(benefitLabels, unchosen), benefitValue: typedText })
    .transform(({ benefitKind, benefitValue }, ctx) => ({
      benefitKind,
      benefitValue: taken(benefitOf[benefitKind](benefitValue), 'benefitValue', ctx),
    }))

function taken(read: Read, field: string, ctx: z.RefinementCtx): number {
  if ('value' in read) return read.value
  ctx.addIssue({ code: 'custom', path: [field], message: read.error })
  return z.NEVER
}

/** The form of an agency. Percentages become hundredths of a percent, amounts centavos. */
export const agencyInput = z.intersection(
  details,
  z.intersection(commission, benefitFields('Elige el límite de los códigos.')),
)
export type AgencyDetails = z.output<typeof agencyInput>

const shownWith = z.object({ version: seenVersion })

/** The form of an agency that is there. */
export const editAgencyInput = z.intersection(agencyInput, shownWith)

/** Whether an agency is to be active. */
export const switchAgencyInput = shownWith.extend({ active: z.enum(['yes', 'no'], staleForm) })

/** From which of an agency's people to which what they hold goes. */
export const handOverInput = z.object({ from: z.uuid(staleForm), to: z.uuid('Elige a quién se los pasas.') })
