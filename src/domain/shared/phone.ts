import { z } from 'zod'
import { tidy } from './tidy.ts'

// Country code with its exit and mobile prefixes, or the long-distance prefixes retired in 2019.
const mexican = /^(?:(?:00)?521?|044|045|01)?([2-9]\d{9})$/

/** The ten digits of a Mexican phone however it was typed (spaces, +52, 044 …), or null when it is not one. */
export const normalisePhone = (typed: string) => mexican.exec(typed.replace(/\D/g, ''))?.[1] ?? null

function tenDigits(typed: string, ctx: z.RefinementCtx<string>, whose = 'tu'): string {
  const phone = normalisePhone(typed)
  if (phone) return phone
  ctx.addIssue(`Escribe los 10 dígitos de ${whose} teléfono, con lada.`)
  return z.NEVER
}

/** A phone that must be given, as its ten digits. */
export const requiredPhone = required('tu')
/** The same for the phone of another person. */
export const theirPhone = required('su')

function required(whose: 'tu' | 'su') {
  return z.preprocess(
    tidy,
    z
      .string()
      .min(1, { error: `Escribe ${whose} teléfono.`, abort: true })
      .transform((typed, ctx) => tenDigits(typed, ctx, whose)),
  )
}

/** A phone that may be left out: null when blank. */
export const optionalPhone = z.preprocess(
  tidy,
  z.string().transform((typed, ctx) => (typed ? tenDigits(typed, ctx) : null)),
)
