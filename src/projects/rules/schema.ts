import { z } from 'zod'
import { whyFarFrom } from '../../scheduling/rules/roster.ts'
import { addDays, localDate, toMinutes } from '../../shared/calendar.ts'
import {
  isMunicipality,
  type MunicipalitySlug,
  municipalities,
  municipalityLabel,
  type RegionGroup,
  regionGroups,
  type StateSlug,
  stateLabel,
  stateSlugs,
} from '../../shared/places.ts'
import {
  anyText,
  choice,
  optionalPhone,
  optionalText,
  requiredText,
  seenVersion,
  staleForm,
  ticked,
} from '../../shared/schema.ts'
import { lengthOf, tidy } from '../../shared/text.ts'
import { coverageOf, dwellingLabels, type Locality, parkingLabels } from './address.ts'
import { type ChargerOrigin, chargerOrigins, type Equipment } from './equipment.ts'
import { type Pinned, readPin } from './pin.ts'
import { mostDaysToCall } from './pipeline.ts'
import { noSuchCode, notYetAt, type Place, placeOf, stateOfCode } from './postal-codes.ts'
import { lostReasons } from './stages.ts'

const rowId = z.uuid('Vuelve a abrir la página.')

const losing = z.object({
  projectId: rowId,
  reason: choice(lostReasons, 'Elige por qué no se concretó.'),
  note: optionalText(500),
})

/** The forms that end a project, ask the manager to, or reopen it, by their intent. */
export const endingInput = {
  'lose-project': losing,
  'ask-to-lose': losing,
  'reopen-project': z.object({ projectId: rowId }),
}
export type Losing = z.output<(typeof endingInput)['lose-project']>

const whose = z.enum(['kept', 'ended'], staleForm)

/** The form that merges two customers, and the one that undoes it, by their intent. */
export const mergeInput = {
  merge: z.object({
    keptId: rowId,
    endedId: rowId,
    nameOf: whose,
    phoneOf: whose,
    confirmed: ticked.refine(Boolean, 'Marca la casilla: confirma que es la misma persona.'),
  }),
  'undo-merge': z.object({ mergeId: rowId }),
}

const firstYear = 1990
const kilowattRange = [1.4, 22] as const

const orNull = (typed: unknown) => tidy(typed) || null
const numberOrNull = (typed: unknown) => {
  const text = tidy(typed).replace(',', '.')
  return text === '' ? null : Number(text)
}

/** The fields of car and charger, all of them optional; the newest model year is next year's. */
export const equipmentInput = (now: Date) => {
  const lastYear = now.getUTCFullYear() + 1
  const wrongYear = `Escribe un año de ${firstYear} a ${lastYear}.`
  const [least, most] = kilowattRange
  const wrongPower = `Escribe los kW del cargador, de ${least} a ${most}.`
  return z.object({
    vehicleBrand: optionalText(40),
    vehicleModel: optionalText(60),
    vehicleYear: z.preprocess(
      numberOrNull,
      z.int(wrongYear).min(firstYear, wrongYear).max(lastYear, wrongYear).nullable(),
    ),
    vehicleDeliveredOn: z.preprocess(orNull, z.iso.date('Elige la fecha de entrega.').nullable()),
    chargerOrigin: z.preprocess(
      orNull,
      z.enum(Object.keys(chargerOrigins) as ChargerOrigin[], 'Elige una opción.').nullable(),
    ),
    chargerBrand: optionalText(40),
    chargerKilowatts: z.preprocess(
      numberOrNull,
      z.number(wrongPower).min(least, wrongPower).max(most, wrongPower).nullable(),
    ),
  })
}
type Typed = z.output<ReturnType<typeof equipmentInput>>

/** Car and charger as stored. */
export const equipmentOf = (typed: Typed): Equipment => ({
  vehicle: {
    brand: typed.vehicleBrand,
    model: typed.vehicleModel,
    year: typed.vehicleYear,
    deliveredOn: typed.vehicleDeliveredOn,
  },
  charger: { origin: typed.chargerOrigin, brand: typed.chargerBrand, kilowatts: typed.chargerKilowatts },
})

const ofTask = { taskId: z.uuid(staleForm) }

/** The office's answers to a task: its outcome, whether we serve a home, or whether an appointment is reopened. */
export const taskInput = {
  'close-task': z.object({
    ...ofTask,
    result: anyText(500).refine((text) => lengthOf(text) >= 3, 'Escribe en qué quedó.'),
  }),
  'verify-area': z.object({
    ...ofTask,
    version: seenVersion,
    answer: z.enum(['yes', 'no'], 'Di si llegamos o no.'),
  }),
  'reopen-claim': z.object(ofTask),
  'decline-claim': z.object({
    ...ofTask,
    words: anyText(500).refine((text) => lengthOf(text) >= 10, 'Dile por qué, con al menos 10 caracteres.'),
  }),
}

/** What was said in a call with a customer. */
export const customerCallInput = z.object({
  result: anyText(500).refine((text) => lengthOf(text) >= 3, 'Escribe en qué quedaron.'),
})

/** The outcome of a call about a quote, the last call that the form showed, and the day of the next one where it was agreed. */
export const callInput = (now: Date) => {
  const today = localDate(toMinutes(now))
  const isDay = (date: string) =>
    z.iso.date().safeParse(date).success && date > today && date <= addDays(today, mostDaysToCall)
  return z.object({
    ...customerCallInput.shape,
    quoteId: z.uuid(staleForm),
    seen: z.union([z.literal(''), z.uuid(staleForm)]),
    again: anyText(10)
      .refine((date) => date === '' || isDay(date), 'Elige un día desde mañana y hasta 90 días después.')
      .transform((date) => date || null),
  })
}

const withoutGaps = (typed: unknown) => tidy(typed).replace(/[\s-]/g, '')

const textOrNull = (typed: unknown) => tidy(typed) || null

const groupIds = regionGroups.map(({ id }) => id)

const postalCode = z.preprocess(
  withoutGaps,
  z
    .string()
    .min(1, { error: 'Escribe el código postal.', abort: true })
    .regex(/^\d{5}$/, 'El código postal tiene 5 dígitos.'),
)

/** A postal code without the gaps it was typed with; null where it is none yet, which its field says. */
export const writtenCode = (typed: unknown) => postalCode.safeParse(typed).data ?? null

/** Why nobody visits a code, unless its customer says that it is in an area of ours; null where somebody does. */
export function whyNotThere(code: string, at: Place, claims: boolean): string | null {
  if (stateOfCode(code) === null) return noSuchCode
  return coverageOf(at, claims) === 'not_yet' ? notYetAt(code) : null
}

/** A code outside our area, for a notice. */
export const outsideCode = (placeOfCode: (postalCode: string) => Promise<Place>) =>
  postalCode
    .refine(async (code) => stateOfCode(code) !== null, noSuchCode)
    .refine(async (code) => (await placeOfCode(code)).area !== 'served', 'A ese código postal sí llegamos.')

const details = z.object({
  postalCode,
  colonia: requiredText('Escribe la colonia.', 80),
  street: requiredText('Escribe la calle.', 120),
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
    textOrNull,
    z.enum(groupIds, 'Elige Ciudad de México o Estado de México.').nullable(),
  ),
  municipality: anyText(80),
  state: z.preprocess(textOrNull, z.enum(stateSlugs, 'Elige un estado de la lista.').nullable()),
  confirmInArea: ticked,
  // Not asked by every form: then the home keeps the one it has.
  pin: anyText(2000).optional(),
})

/** An address as stored: what was typed, its area, and its pin where the form asked for one. */
export type Address = z.output<typeof details> & Locality & Partial<Pinned>

const place = typedPlace.extend({ postalCode })

/** The form of /address. The place may be left blank where the postal code alone names it. What is wrong is said at once. */
export const addressInput = z.intersection(
  details,
  place.transform((typed, ctx) => located(typed, placeOf(typed.postalCode), ctx)),
)

/** The same form, its postal code looked up asynchronously. */
export const addressInputBy = (placeOfCode: (postalCode: string) => Promise<Place>) =>
  z.intersection(
    details,
    place.transform(async (typed, ctx) => located(typed, await placeOfCode(typed.postalCode), ctx)),
  )

function located(
  { pin, ...typed }: z.output<typeof place>,
  where: Place,
  ctx: z.RefinementCtx,
): Locality & Partial<Pinned> {
  const wrong = (field: string, message: string) => ctx.addIssue({ code: 'custom', path: [field], message })
  const locality = localityOf(typed, where)
  const read = pin === undefined ? undefined : readPin(pin)
  const against =
    read && typeof read !== 'string' && 'area' in locality ? whyFarFrom(locality.municipality, read) : read
  if (typeof against === 'string') wrong('pin', against)
  if (!('area' in locality)) wrong(locality.field, locality.message)
  if (!('area' in locality) || typeof against === 'string' || typeof read === 'string') return z.NEVER
  return read === undefined ? locality : { ...locality, ...(read ?? { latitude: null, longitude: null }) }
}

/** A place in a form. Only the postal code is always present; it preselects the rest. */
type TypedPlace = {
  postalCode: string
  regionGroup: RegionGroup | null
  municipality: string
  state: StateSlug | null
  confirmInArea: boolean
}

/** Why a place cannot be saved, and the field of the message. */
type Clash = { field: 'regionGroup' | 'municipality' | 'state'; message: string }

/** Resolves the area of an address, or names the field that contradicts its postal code. */
function localityOf(typed: TypedPlace, place: Place): Locality | Clash {
  if (place.area === 'served') return served(typed, place.municipality)
  if (place.area === 'elsewhere') return elsewhere(typed)
  return typed.confirmInArea ? toVerify(typed) : outsideInEdomex(typed)
}

function served(typed: TypedPlace, slug: MunicipalitySlug): Locality | Clash {
  const { group, label } = municipalities.find((municipality) => municipality.slug === slug)!
  const isOf = (name: string) => `El código postal ${typed.postalCode} es de ${name}. Cambia uno de los dos.`
  if (!['', slug, label].includes(typed.municipality)) return { field: 'municipality', message: isOf(label) }
  if (typed.regionGroup && typed.regionGroup !== group) {
    return { field: 'regionGroup', message: isOf(stateLabel(group)) }
  }
  if (typed.state && typed.state !== group) return { field: 'state', message: isOf(stateLabel(group)) }
  return { area: 'served', regionGroup: group, municipality: slug, state: group }
}

function toVerify({ municipality, state }: TypedPlace): Locality | Clash {
  const claimed = municipalities.find(({ slug, label }) => municipality === slug || municipality === label)
  if (claimed?.group !== 'edomex') {
    return { field: 'municipality', message: 'Elige Toluca, Lerma, Huixquilucan o Naucalpan.' }
  }
  if (state && state !== 'edomex')
    return { field: 'state', message: 'Ese código postal es del Estado de México.' }
  return { area: 'to_verify', regionGroup: 'edomex', municipality: claimed.slug, state: 'edomex' }
}

function outsideInEdomex(typed: TypedPlace): Locality | Clash {
  if (typed.state && typed.state !== 'edomex') {
    return { field: 'state', message: 'Ese código postal es del Estado de México.' }
  }
  return outside(typed, 'edomex', 'edomex')
}

function elsewhere(typed: TypedPlace): Locality | Clash {
  const { postalCode } = typed
  const state = typed.state ?? stateOfCode(postalCode)
  if (!state) return { field: 'state', message: 'Elige el estado.' }
  if (state !== 'cdmx' && state !== 'edomex') return outside(typed, null, state)
  const message = `El código postal ${postalCode} no es de ${stateLabel(state)}. Cambia uno de los dos.`
  return { field: 'state', message }
}

function outside(typed: TypedPlace, regionGroup: 'edomex' | null, state: StateSlug): Locality | Clash {
  const { postalCode, municipality } = typed
  if (!municipality) return { field: 'municipality', message: 'Escribe el municipio.' }
  // A slug was picked from the list of served municipalities: another municipality of the same name is typed as text.
  if (isMunicipality(municipality)) {
    const message = `El código postal ${postalCode} no es de ${municipalityLabel(municipality)}. Cambia uno de los dos.`
    return { field: 'municipality', message }
  }
  return { area: 'outside', regionGroup, municipality, state }
}
