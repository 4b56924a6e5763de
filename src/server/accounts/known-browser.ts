import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { cookieNamed, cookiePrefix } from './session.ts'

/** The longest that browsers keep a cookie. */
const keptSeconds = 400 * 24 * 60 * 60

export type KnownBrowser = ReturnType<typeof knownBrowser>

/**
 * A browser in which somebody signed in before: a signed number bound to that e-mail. Wrong passwords typed there count
 * apart, so that who tries them elsewhere never makes the account's owner wait at home.
 */
export function knownBrowser(
  { secret, baseUrl }: { secret: string; baseUrl: string },
  cookies: string | null,
) {
  const name = `${cookiePrefix(baseUrl)}.known`
  const [number = '', mark = ''] = (cookieNamed(name, cookies ?? '') ?? '').split('.')
  const markOf = (one: string, email: string) =>
    createHmac('sha256', secret).update(`known browser ${one} ${email}`).digest('base64url')
  /** The browser's number when it is known to this e-mail, else blank. */
  const numberFor = (email: string) => (number && same(mark, markOf(number, email)) ? number : '')
  return {
    numberFor,
    /** The cookie that makes this browser known to an e-mail, or keeps it so. */
    cookieFor(email: string): string {
      const kept = numberFor(email) || randomBytes(12).toString('base64url')
      return `${name}=${kept}.${markOf(kept, email)}; Max-Age=${keptSeconds}; Path=/; HttpOnly; SameSite=Lax`
    },
  }
}

function same(given: string, ours: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(ours)]
  return one.length === other.length && timingSafeEqual(one, other)
}
