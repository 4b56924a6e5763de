import { z } from 'zod'
import { optionalText } from '../shared/text.ts'
import { tidy } from '../shared/tidy.ts'
import { type ChargerOrigin, chargerOrigins, type Equipment } from './equipment.ts'

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

/** Car and charger as they are kept. */
export const equipmentOf = (typed: Typed): Equipment => ({
  vehicle: {
    brand: typed.vehicleBrand,
    model: typed.vehicleModel,
    year: typed.vehicleYear,
    deliveredOn: typed.vehicleDeliveredOn,
  },
  charger: { origin: typed.chargerOrigin, brand: typed.chargerBrand, kilowatts: typed.chargerKilowatts },
})
