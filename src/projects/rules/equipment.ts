/** The car that a charger is for, as far as it is known. */
export type Vehicle = {
  brand: string | null
  model: string | null
  year: number | null
  deliveredOn: string | null
}

/** Who provides the charger, by stored value. */
export const chargerOrigins = {
  ours: 'De Carga en Casa',
  own: 'Propio',
  dealership: 'De la concesionaria',
} as const
export type ChargerOrigin = keyof typeof chargerOrigins
export type Charger = { origin: ChargerOrigin | null; brand: string | null; kilowatts: number | null }

export type Equipment = { vehicle: Vehicle; charger: Charger }

/** Whether any value is known. */
export const tellsSomething = ({ vehicle, charger }: Equipment) =>
  [...Object.values(vehicle), ...Object.values(charger)].some((value) => value !== null)

const joined = (parts: readonly (string | number | null | undefined)[]) =>
  parts.filter(Boolean).join(' ') || null

/** "BYD Dolphin 2026"; null when nothing is known. */
export const vehicleInWords = (vehicle: Partial<Vehicle> | null) =>
  vehicle && joined([vehicle.brand, vehicle.model, vehicle.year])

/** "Propio, Wallbox, 7.4 kW"; null when nothing is known. */
export const chargerInWords = (charger: Charger | null) =>
  charger &&
  ([
    charger.origin && chargerOrigins[charger.origin],
    charger.brand,
    charger.kilowatts && `${charger.kilowatts}\u00a0kW`,
  ]
    .filter(Boolean)
    .join(', ') ||
    null)
