import { z } from 'zod'
import { centavosOf } from './money.ts'
import { tidy } from './tidy.ts'

/** An amount that must be given, in whole centavos, both ends allowed. */
export const requiredAmount = (min: number, max: number, message: string) =>
  z.preprocess(
    tidy,
    z
      .string()
      .min(1, { error: 'Escribe una cantidad.', abort: true })
      .transform((typed, ctx) => {
        const centavos = centavosOf(typed)
        if (centavos !== null && centavos >= min && centavos <= max) return centavos
        ctx.addIssue(centavos === null ? 'Escribe la cantidad como 12,345.50.' : message)
        return z.NEVER
      }),
  )
