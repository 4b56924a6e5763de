import { z } from 'zod'
import { lengthOf, tidy } from './tidy.ts'

const within = (max: number) =>
  [(text: string) => lengthOf(text) <= max, `Usa como máximo ${max} caracteres.`] as const

/** Text no longer than `max` characters; blank when absent. */
export const anyText = (max: number) => z.preprocess(tidy, z.string().refine(...within(max)))

/** Text that must be there; `blank` is the message when it is missing or empty. */
export const requiredText = (blank: string, max: number) =>
  z.preprocess(
    tidy,
    z
      .string()
      .min(1, { error: blank, abort: true })
      .refine(...within(max)),
  )

/** Text that may be left out: null when blank. */
export const optionalText = (max: number) => anyText(max).transform((text) => text || null)

/** One of the keys of a table of labels. */
export const choice = <Key extends string>(table: Readonly<Record<Key, string>>, message: string) =>
  z.preprocess(tidy, z.enum(Object.keys(table) as Key[], message))

/** A tick box: a form sends it only when it is ticked. */
export const ticked = z.preprocess(
  (sent) => sent === true || (typeof sent === 'string' && sent !== ''),
  z.boolean(),
)
