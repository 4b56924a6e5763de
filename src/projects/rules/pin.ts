import { isSameDoor } from './address.ts'

/** Where a home stands, in degrees. */
export type Pin = { latitude: number; longitude: number }

/** A pin as an address keeps it: both numbers, or neither. */
export type Pinned = { latitude: number | null; longitude: number | null }

/** The pin of an address; null where none was set. */
export const pinOf = ({ latitude, longitude }: Pinned): Pin | null =>
  latitude === null || longitude === null ? null : { latitude, longitude }

/** A pin as people copy it: "19.4326, -99.1332". */
export const pinText = ({ latitude, longitude }: Pin) => `${latitude}, ${longitude}`

const degrees = String.raw`([-+]?\d{1,3}(?:\.\d+)?)`
const pair = `${degrees},[+ ]?${degrees}`
const alone = new RegExp(String.raw`^\(?${degrees}°?[,;\s]\s*${degrees}°?\)?$`)

/** Where the link of a map says it: a place before the middle of what was shown. */
const inLinks = [
  new RegExp(`!3d${degrees}!4d${degrees}`),
  new RegExp(`[?&](?:q|query|destination|daddr)=(?:loc:)?${pair}`),
  new RegExp(`[?&](?:ll|center)=${pair}`),
  new RegExp(`@${pair}`),
]
const isShortLink = /^(https?:\/\/)?(maps\.app\.goo\.gl|goo\.gl|g\.co|share\.google)\//i

const shortLink =
  'Ese enlace corto no dice dónde está. Ábrelo en tu navegador y pega aquí el enlace largo, o las coordenadas.'
const noPlace =
  'Ese enlace no dice dónde está. En el mapa deja presionado el punto y copia sus coordenadas, como 19.4326, -99.1332.'
const unread = 'Pega un enlace de Google Maps o las coordenadas, como 19.4326, -99.1332.'

/** Mexico with its islands. The table of addresses has the same limits. */
const mexico = { south: 14, north: 33, west: -119, east: -86 }

/** A tenth of a metre. */
const rounded = (text: string) => Math.round(Number(text) * 1e6) / 1e6

/** Reads what was pasted, a link of a map or coordinates: the pin, null for nothing, or why it is none in words. */
export function readPin(pasted: string): Pin | null | string {
  if (pasted === '') return null
  const text = pasted.replace(/%2C/gi, ',').replace(/%20/g, ' ')
  if (isShortLink.test(text)) return shortLink
  const isLink = text.includes('/')
  const found = isLink ? inLinks.map((form) => form.exec(text)).find(Boolean) : alone.exec(text)
  if (!found) return isLink ? noPlace : unread
  const pin = { latitude: rounded(found[1]!), longitude: rounded(found[2]!) }
  const { east, north, south, west } = mexico
  const { latitude, longitude } = pin
  return latitude >= south && latitude <= north && longitude >= west && longitude <= east
    ? pin
    : 'Ese punto queda fuera de México. Copia la ubicación otra vez.'
}

type Place = Parameters<typeof isSameDoor>[0]

/**
 * The pin of an address that is saved. The home of before keeps its own unless the form asked for one; another home has
 * only a new one, since a form shows the pin of before and sends it again.
 */
export function pinAfter(before: (Place & Pinned) | null, after: Place & Partial<Pinned>): Pinned {
  const { latitude = null, longitude = null } = after
  const given = { latitude, longitude }
  if (!before) return given
  const isAsked = after.latitude !== undefined
  if (isSameDoor(before, after))
    return isAsked ? given : { latitude: before.latitude, longitude: before.longitude }
  const isRepeated = latitude === before.latitude && longitude === before.longitude
  return isRepeated ? { latitude: null, longitude: null } : given
}

/** The pin of the place that an appointment was booked for: that of its customer's home, unless they moved since. */
export const pinAt = (booked: Place | null, home: (Place & Pinned) | null): Pin | null =>
  booked && home && isSameDoor(booked, home) ? pinOf(home) : null
