import { cookieIn } from '../../shared/device.ts'
/** Every constant of sign-in, with the section of the specification it comes from; milliseconds unless the name says otherwise. */
export const sessionLimits = {
  /** Pixels of the provider's window (§9). */
  popup: { width: 500, height: 600 },
  /** From the moment the provider's window is closed until the attempt ends as popup-closed-by-user (§4, §9). */
  popupClosedAfter: 8_000,
  /** The ID token goes to the sync address only while it is younger than this (§9). */
  tokenSyncSeconds: 300,
  /** A session is refreshed this long before its end (§9). */
  refreshBefore: 5 * 60_000,
  /** A session counts as ended this long before its real end (§9). */
  endedEarlySeconds: 30,
  /** Days after signing in until the password is asked again, however active the session is. Our own constant. */
  longestDays: 90,
  /** The wait before a refresh is tried again: it doubles from the first to the longest (§9). */
  retry: { first: 30_000, longest: 16 * 60_000 },
  /** How long a call may take, at a desk and on a phone (§9). */
  networkTimeout: { desk: 30_000, phone: 60_000 },
  /** How often a tab checks whether another tab signed in or out (§9). */
  poll: 800,
  /** How long the answer of a redirect to the provider is valid; it is used once (§9). */
  redirectAnswer: 10 * 60_000,
} as const

/** The wait before try number `tries` + 1: 30 s, 1 min, 2 min … 16 min. */
export const retryWait = (tries: number): number =>
  Math.min(sessionLimits.retry.first * 2 ** Math.max(0, tries - 1), sessionLimits.retry.longest)

/** A cookie that scripts may read: it says only that the session changed, never whose it is. */
export const markerCookie = 'carga.who'

/** The marker among a page's or a request's cookies; empty when signed out. */
export const markerIn = (cookies: string) => cookieIn(cookies, markerCookie)

const systems: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'Chromebook'],
  [/Macintosh|Mac OS X/, 'Mac'],
  [/Linux/, 'Linux'],
]

// Browsers also name the browsers they are compatible with: the most specific name comes first.
const browsers: readonly [RegExp, string][] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

/** A browser and its device in words ("Chrome en Android"), from the User-Agent it sent. */
export function deviceInWords(userAgent: string | null): string {
  const named = (table: readonly [RegExp, string][]) =>
    table.find(([sign]) => sign.test(userAgent ?? ''))?.[1]
  const browser = named(browsers)
  const system = named(systems)
  if (!browser && !system) return 'Dispositivo desconocido'
  return system ? `${browser ?? 'Navegador'} en ${system}` : (browser ?? '')
}

/** How long a code sent by phone works. */
export const phoneCodeMinutes = 5
