import { type MunicipalitySlug, municipalities } from '../shared/regions.ts'

type Centre = readonly [latitude: number, longitude: number]

/** Seats of government of the served municipalities, in degrees, good to some 2 km. */
export const centres: Record<MunicipalitySlug, Centre> = {
  'alvaro-obregon': [19.3903, -99.1954],
  azcapotzalco: [19.4841, -99.1843],
  'benito-juarez': [19.372, -99.1575],
  coyoacan: [19.35, -99.1622],
  'cuajimalpa-de-morelos': [19.357, -99.2998],
  cuauhtemoc: [19.4418, -99.1527],
  'gustavo-a-madero': [19.4828, -99.1134],
  iztacalco: [19.3955, -99.0976],
  iztapalapa: [19.3585, -99.0926],
  'la-magdalena-contreras': [19.3047, -99.2414],
  'miguel-hidalgo': [19.4063, -99.1914],
  'milpa-alta': [19.1922, -99.0231],
  tlahuac: [19.2699, -99.0046],
  tlalpan: [19.2883, -99.1672],
  'venustiano-carranza': [19.4194, -99.1136],
  xochimilco: [19.2626, -99.1049],
  huixquilucan: [19.3603, -99.3511],
  lerma: [19.2847, -99.5119],
  naucalpan: [19.4768, -99.2375],
  toluca: [19.2925, -99.6555],
}

/** How many zones there are; a zone's number is the index of its municipality. */
export const zoneCount = municipalities.length
/** The zone of what happens nowhere, such as a video call: no travel to it or from it. */
export const noZone = -1

const WITHIN_ONE = 15
const KM_PER_HOUR = 22
const EXTRA = 10
const EARTH_KM = 6371
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Great-circle distance in km (haversine). */
function distance([latitudeA, longitudeA]: Centre, [latitudeB, longitudeB]: Centre): number {
  const north = Math.sin(radians(latitudeB - latitudeA) / 2) ** 2
  const east = Math.sin(radians(longitudeB - longitudeA) / 2) ** 2
  const chord = north + Math.cos(radians(latitudeA)) * Math.cos(radians(latitudeB)) * east
  return 2 * EARTH_KM * Math.asin(Math.sqrt(chord))
}

const ride = (from: Centre, to: Centre) => Math.round((distance(from, to) / KM_PER_HOUR) * 60 + EXTRA)

/** Travel minutes from zone a to zone b at [a * zoneCount + b], until the manager edits them. */
export function defaultTravel(): Uint16Array {
  const minutes = new Uint16Array(zoneCount * zoneCount).fill(WITHIN_ONE)
  for (const from of municipalities)
    for (const to of municipalities)
      if (from !== to) minutes[from.index * zoneCount + to.index] = ride(centres[from.slug], centres[to.slug])
  return minutes
}

/** What a number of the matrix may be, in minutes. */
export const travelRange = [0, 600] as const

/** Minutes on the road between two zones; nothing when either is no place. The matrix need not be symmetrical or metric. */
export const travelBetween = (travel: Uint16Array, from: number, to: number): number =>
  from < 0 || to < 0 ? 0 : (travel[from * zoneCount + to] ?? 0)
