import { z } from 'zod'
import { centavosOf, percentOf } from '../../shared/money.ts'
import { municipalities } from '../../shared/places.ts'
import {
  choice,
  optionalEmail,
  optionalText,
  paidOn,
  requiredAmount,
  requiredText,
  seenVersion,
  staleForm,
} from '../../shared/schema.ts'
import { normalisePhone } from '../../shared/search.ts'
import { tidy, withoutAccents } from '../../shared/text.ts'
import { type BenefitKind, benefitLabels, type CommissionTermKind, commissionLabels } from './agency.ts'
import { monthPattern } from './commissions.ts'
import { type ApiScope, endpointUrl, keyLives, type Life, scopeNames } from './integrations.ts'

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

/** A served municipality is stored by its slug; any other as typed. */
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
  return value <= max ? { value } : { error: `Usa como máximo ${max / 100}\u00a0%.` }
}

function amount(typed: string): Read {
  const value = centavosOf(typed)
  if (value === null) return { error: 'Escribe la cantidad como 12,345.50.' }
  return value <= mostAmount ? { value } : { error: 'Usa como máximo $1,000,000.00.' }
}

const someOf = (read: Read): Read =>
  'value' in read && read.value === 0 ? { error: 'Escribe más de cero.' } : read

const commissionOf: Record<CommissionTermKind, (typed: string) => Read> = {
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

/** The two fields of a benefit, with the message where no kind is chosen. */
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

/** The form of an existing agency. */
export const editAgencyInput = z.intersection(agencyInput, shownWith)

/** Whether an agency is to be active. */
export const switchAgencyInput = shownWith.extend({ active: z.enum(['yes', 'no'], staleForm) })

/** The form that transfers one ally's holdings to another ally of the agency. */
export const holdingsHandOverInput = z.object({
  from: z.uuid(staleForm),
  to: z.uuid('Elige a quién se los pasas.'),
})

const box = z.unknown().optional()
const boxes: Record<ApiScope, typeof box> = {
  'clients:write': box,
  'clients:read': box,
  'codes:read': box,
  'events:read': box,
  'events:replay': box,
}

/** The form of a new key: what it is for, a box for each scope, and how long it serves. */
export const apiKeyInput = z.intersection(
  z.object({
    name: requiredText('Escribe para qué sistema es la llave.', 80),
    life: z.preprocess(tidy, z.enum(Object.keys(keyLives) as Life[], 'Elige cuánto dura.')),
    sandbox: box.transform((ticked) => ticked !== undefined),
  }),
  z.object(boxes).transform((ticked, ctx) => {
    const scopes = scopeNames.filter((scope) => ticked[scope] !== undefined)
    if (scopes.length === 0)
      ctx.addIssue({ code: 'custom', path: [scopeNames[0]!], message: 'Elige al menos un permiso.' })
    return { scopes }
  }),
)
export type NewApiKey = z.output<typeof apiKeyInput>

/** The form that revokes a key. */
export const revokeKeyInput = z.object({ keyId: z.uuid(staleForm) })

/** The form of a new endpoint. */
export const endpointInput = (allowHttp: boolean) =>
  z.object({
    url: z.preprocess(
      tidy,
      z
        .string()
        .max(500, 'Usa como máximo 500 caracteres.')
        .transform((typed, ctx) => {
          const read = endpointUrl(typed, allowHttp)
          if ('url' in read) return read.url
          ctx.addIssue(read.error)
          return z.NEVER
        }),
    ),
  })

/** The forms of an existing endpoint. */
export const endpointMoveInput = z.object({ endpointId: z.string(staleForm), version: seenVersion })

/** The form of a delivery. */
export const deliveryInput = z.object({ deliveryId: z.string(staleForm) })

/** The most that one transfer can be, in centavos. */
const most = 10_000_000_00

/** An amount in centavos as the form showed it. */
const shown = z
  .string(staleForm)
  .regex(/^-?\d{1,13}$/, staleForm)
  .transform(Number)

const adjusting = z.object({
  commissionId: z.uuid(staleForm),
  amount: requiredAmount(1, most, 'Usa de $0.01 a $10,000,000.00.'),
  reason: requiredText('Escribe por qué se ajusta.', 300),
  standing: shown,
  month: z.string(staleForm).regex(monthPattern, staleForm),
  requestKey: z.uuid(staleForm),
})

const line = z.tuple([
  z
    .string()
    .transform((name) => name.slice('line.'.length))
    .pipe(z.uuid()),
  shown,
])

const paying = (now: Date) =>
  z
    .looseObject({
      amount: requiredAmount(1, most, 'Usa de $0.01 a $10,000,000.00.'),
      paidOn: paidOn(now),
      reference: requiredText('Escribe la referencia o clave de rastreo.', 60),
      requestKey: z.uuid(staleForm),
    })
    .transform(({ amount, paidOn: on, reference, requestKey, ...sent }, ctx) => {
      const boxes = Object.entries(sent).filter(([name]) => name.startsWith('line.'))
      const lines = z.array(line).safeParse(boxes)
      if (!lines.success) ctx.addIssue(staleForm)
      return { amount, paidOn: on, reference, requestKey, lines: new Map(lines.data ?? []) }
    })

/** The manager's commission forms, by their intent; `now` is the time of sending. */
export const commissionInput = (now: Date) => ({
  'commissions.adjust': adjusting,
  'commissions.pay': paying(now),
})
