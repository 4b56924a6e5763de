import { z } from 'zod'
import { unitPriceOf } from '../shared/quote-figures.ts'
import { choice, requiredText, ticked } from '../shared/text.ts'
import { tidy } from '../shared/tidy.ts'
import { chargedKinds, codeShape, satShapes } from './catalogue.ts'
import { type IvaRate, quoteLimits } from './quote-content.ts'

const upper = (shape: RegExp, message: string) =>
  z.preprocess((typed) => tidy(typed).toUpperCase(), z.string().regex(shape, message))

/** A unit price, as a form sends it. */
const price = z.preprocess(
  tidy,
  z.string().transform((typed, ctx) => {
    const read = unitPriceOf(typed)
    if (read !== null && read <= quoteLimits.unitPrice[1]) return read
    ctx.addIssue('Escribe el precio como 1,250.50, con 4 decimales como máximo.')
    return z.NEVER
  }),
)

/** Unit cost for the company, blank where it is unknown. */
const cost = z.preprocess(
  tidy,
  z.string().transform((typed, ctx) => {
    if (typed === '') return null
    const read = unitPriceOf(typed)
    if (read !== null && read <= quoteLimits.unitPrice[1]) return read
    ctx.addIssue('Escribe el costo como 1,250.50, o deja la casilla vacía.')
    return z.NEVER
  }),
)

/** The form of a catalogue item, without its code. */
export const catalogueInput = z.object({
  description: requiredText('Escribe qué es.', quoteLimits.description),
  kind: choice(chargedKinds, 'Elige de qué tipo es.'),
  unit: requiredText('Escribe en qué se mide: m, pieza, servicio.', quoteLimits.unit),
  unitPrice: price,
  unitCost: cost,
  iva: z.enum(['16', '0'], 'Elige el IVA.').transform((typed) => Number(typed) as IvaRate),
  satProduct: upper(...satShapes.satProduct),
  satUnit: upper(...satShapes.satUnit),
  active: ticked,
  /** The price that the form was asked to confirm, once it was. */
  sure: z
    .preprocess(tidy, z.string())
    .transform((typed) => (/^\d{1,12}$/.test(typed) ? Number(typed) : null)),
})
export type CatalogueInput = z.output<typeof catalogueInput>

/** What a new item is called for good. */
export const catalogueCode = upper(codeShape, 'Usa de 2 a 20 letras, números o guiones, como CAB-8.')
