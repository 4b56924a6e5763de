import { phaseFactor, type Supply, supplies, voltsOf } from './preliminary-calculation.ts'
import type { HouseLoad } from './sheet.ts'

/** A house as its demand follows from it: floor area in m², what is contracted with CFE in kW (null where it was not asked), main breaker in amperes. */
export type House = {
  area: number
  loads: readonly HouseLoad[]
  mainBreaker: number
  contracted: number | null
  supply: Supply
}

/** What a house asks for, and where its charger hangs on it, with that: in kVA; what its main breaker gives, and what is contracted. */
export type Demand = {
  /** Lighting, circuits and appliances before the factors, without air conditioning. */
  connected: number
  cooling: number
  charging: number
  needed: number
  available: number
  contracted: number | null
  exceeds: boolean
}

/** Load of an existing house (220-83): lighting and outlets by m² (220-12), two kitchen circuits and one for laundry (220-52). */
export const demandRules = { vaPerSquareMetre: 33, kitchen: 2 * 1500, laundry: 1500, whole: 8000, rest: 0.4 }

const wattsOf = (loads: readonly HouseLoad[]) =>
  loads.reduce((sum, { quantity, watts }) => sum + quantity * watts, 0)
const isCooling = ({ name }: HouseLoad) => /aire|clima|split/i.test(name)

/** What a house asks for (220-83): the first 8 kVA whole and the rest at 40 %, beside it air conditioning whole and the charger at 125 %. */
export function demandOf(house: House, charger: { amps: number; supply: Supply }): Demand {
  const { area, contracted, loads, mainBreaker, supply } = house
  const { kitchen, laundry, rest, vaPerSquareMetre, whole } = demandRules
  const general = vaPerSquareMetre * area + kitchen + laundry
  const connected = general + wattsOf(loads.filter((load) => !isCooling(load)))
  const cooling = wattsOf(loads.filter(isCooling))
  const charging = 1.25 * charger.amps * voltsOf[charger.supply] * phaseFactor(charger.supply)
  const factored = Math.min(connected, whole) + rest * Math.max(connected - whole, 0)
  const needed = (factored + cooling + charging) / 1000
  const available = (mainBreaker * voltsOf[supply] * phaseFactor(supply)) / 1000
  const most = Math.min(available, contracted ?? available)
  return {
    ...{ connected: connected / 1000, cooling: cooling / 1000, charging: charging / 1000 },
    ...{ needed, available, contracted, exceeds: needed > most + 1e-9 },
  }
}

/** Up to how many kW CFE prepares a supply for; null where its specifications set no such end. */
const mostContracted: Record<Supply, number | null> = { single: 5, split: 10, two: 10, three: null }

/** Whether a house can't feed a charger as it is supplied: three phases, or two hots, where there are none. */
const isOtherSupply = (house: Supply, charger: Supply) =>
  (charger === 'three' && house !== 'three') || (house === 'single' && charger !== 'single')

/** Why the contract with CFE has to grow for a charger on the house's own meter, in words; none where it has not to. `demand` is null until it is known. */
export function whyLoadIncrease(demand: Demand | null, house: Supply, charger: Supply): string[] {
  return [
    ...(demand ? overWords(demand, house) : []),
    ...(isOtherSupply(house, charger)
      ? [`El cargador pide ${named(charger)} y la casa tiene ${named(house)}.`]
      : []),
  ]
}

function overWords({ available, contracted, needed }: Demand, house: Supply): string[] {
  const most = mostContracted[house]
  const isOverContract = contracted !== null && needed > contracted + 1e-9
  const words = []
  if (needed > available + 1e-9)
    words.push('La demanda con el cargador pasa de lo que da el interruptor principal.')
  if (isOverContract) words.push('La demanda con el cargador pasa de los kW contratados con CFE.')
  if (isOverContract && most !== null && needed > most)
    words.push(
      `CFE prepara un suministro ${named(house)} hasta para ${most} kW: hace falta otro suministro, o un segundo medidor.`,
    )
  return words
}

const named = (supply: Supply) => supplies[supply].toLowerCase().replace(/ v$/, ' V')
