import { z } from 'zod'
import { tidy } from './tidy.ts'

/** The least and the most that a number may be. */
export type Range = readonly [least: number, most: number]

/** A whole number within a range, as a form sends it. */
export const wholeNumber = ([least, most]: Range) =>
  z.preprocess(
    tidy,
    z
      .string()
      .min(1, { error: 'Escribe un número.', abort: true })
      .regex(/^-?\d+$/, { error: 'Escribe un número entero.', abort: true })
      .transform(Number)
      .refine((value) => value >= least && value <= most, `Escribe un número de ${least} a ${most}.`),
  )
