/** The car a charger is for, as far as its owner told. */
export type Vehicle = {
  brand: string | null
  model: string | null
  year: number | null
  deliveredOn: string | null
}

/** Who brings the charger, by stored value. */
export const chargerOrigins = {
  ours: 'De Carga en Casa',
  own: 'Propio',
  dealership: 'De la concesionaria',
} as const
export type ChargerOrigin = keyof typeof chargerOrigins
export type Charger = { origin: ChargerOrigin | null; brand: string | null; kilowatts: number | null }
