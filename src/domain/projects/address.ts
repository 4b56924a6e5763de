import { z } from 'zod'
import { optionalPhone } from '../shared/phone.ts'
import { regionGroups } from '../shared/regions.ts'
import { stateSlugs } from '../shared/states.ts'
import { anyText, choice, optionalText, requiredText, ticked } from '../shared/text.ts'
import { tidy } from '../shared/tidy.ts'
import { dwellingLabels, parkingLabels } from './dwelling.ts'
import { type Locality, localityOf } from './locality.ts'
import { type Place, placeOf } from './postal.ts'

const withoutGaps = (typed: unknown) => tidy(typed).replace(/[\s-]/g, '')

const orNull = (typed: unknown) => tidy(typed) || null

const groupIds = regionGroups.map(({ id }) => id)

const postalCode = z.preprocess(
  withoutGaps,
  z
    .string()
    .min(1, { error: 'Escribe tu código postal.', abort: true })
    .regex(/^\d{5}$/, 'El código postal tiene 5 dígitos.'),
)

const details = z.object({
  postalCode,
  colonia: requiredText('Escribe tu colonia.', 80),
  street: requiredText('Escribe tu calle.', 120),
  outerNumber: requiredText('Escribe el número exterior, o S/N si no tiene.', 20),
  innerNumber: optionalText(20),
  betweenStreets: optionalText(120),
  references: optionalText(300),
  receiverName: optionalText(160),
  receiverPhone: optionalPhone,
  dwelling: choice(dwellingLabels, 'Elige el tipo de vivienda.'),
  parking: choice(parkingLabels, 'Elige el tipo de estacionamiento.'),
  gateNotes: optionalText(300),
  cfeServiceNumber: z.preprocess(withoutGaps, optionalText(30)),
})

const typedPlace = z.object({
  regionGroup: z.preprocess(
    orNull,
    z.enum(groupIds, 'Elige Ciudad de México o Estado de México.').nullable(),
  ),
  municipality: anyText(80),
  state: z.preprocess(orNull, z.enum(stateSlugs, 'Elige un estado de la lista.').nullable()),
  confirmInArea: ticked,
})

/** An address as it is kept: what was typed, and where it lies. */
export type Address = z.output<typeof details> & Locality

const asTyped = details.extend(typedPlace.shape)

/** The form of /address. The place may be left blank where the postal code alone names it. */
export const addressInput = asTyped.transform((typed, ctx) => located(typed, placeOf(typed.postalCode), ctx))

/** The same form, its postal code judged by a list that has to be asked. */
export const addressInputBy = (placeOfCode: (postalCode: string) => Promise<Place>) =>
  asTyped.transform(async (typed, ctx) => located(typed, await placeOfCode(typed.postalCode), ctx))

function located(typed: z.output<typeof asTyped>, place: Place, ctx: z.RefinementCtx): Address {
  const { regionGroup, municipality, state, confirmInArea, ...rest } = typed
  const locality = localityOf(
    { postalCode: rest.postalCode, regionGroup, municipality, state, confirmInArea },
    place,
  )
  if ('area' in locality) return { ...rest, ...locality }
  ctx.addIssue({ code: 'custom', path: [locality.field], message: locality.message })
  return z.NEVER
}
