import { createCookie } from 'react-router'
import { screenAt } from '../../access/rules/routes.ts'
import { firstTouchDays } from '../../agencies/rules/clients.ts'
import { referralCodeIn } from '../../agencies/rules/codes.ts'
import { clientInvitation, firstTouchInput, type Touch } from '../../agencies/rules/referral-schema.ts'

const none: Touch = { code: null, invitation: null }
const cookie = createCookie('first-touch', {
  path: '/',
  httpOnly: true,
  sameSite: 'lax',
  maxAge: firstTouchDays * 24 * 60 * 60,
})

/** What this address carries. */
const touchIn = ({ searchParams }: URL): Touch => ({
  code: referralCodeIn(searchParams.get('codigo')),
  invitation: clientInvitation.parse(searchParams.get('registro') ?? ''),
})
const isSomething = ({ code, invitation }: Touch) => code !== null || invitation !== null

/** The first link that brought this browser: the stored one, otherwise the one of the address. */
export async function firstTouch(request: Request, url = new URL(request.url)): Promise<Touch> {
  const kept = firstTouchInput.safeParse(await cookie.parse(request.headers.get('cookie'))).data ?? none
  return isSomething(kept) ? kept : touchIn(url)
}

/** The headers that store the first link that a browser followed. A later one changes neither it nor its expiry. */
export async function rememberTouch(request: Request, url: URL): Promise<Headers> {
  const headers = new Headers()
  const first = await firstTouch(request, url)
  const isFirst = isSomething(first) && JSON.stringify(first) === JSON.stringify(touchIn(url))
  const isKept = /(?:^|[;\s])first-touch=/.test(request.headers.get('cookie') ?? '')
  if (isFirst && !isKept) headers.append('set-cookie', await cookie.serialize(first))
  return headers
}

const lastCode = createCookie('asked-code', {
  path: '/',
  httpOnly: true,
  sameSite: 'lax',
  maxAge: 30 * 24 * 60 * 60,
})

/** The postal code that this browser asked about last; null where it asked about none. */
export async function askedCode(request: Request): Promise<string | null> {
  const kept: unknown = await lastCode.parse(request.headers.get('cookie'))
  return typeof kept === 'string' && /^\d{5}$/.test(kept) ? kept : null
}

/** Keeps a postal code for the form of an address, so that it is typed once. */
export const rememberCode = async (headers: Headers, postalCode: string): Promise<void> =>
  headers.append('set-cookie', await lastCode.serialize(postalCode))

/** Deletes the stored source: it already brought one customer, and the next user of the browser came otherwise. */
export async function forgetTouch(headers: Headers = new Headers()): Promise<Headers> {
  headers.append('set-cookie', await cookie.serialize('', { maxAge: 0 }))
  return headers
}

/**
 * Where a signed-in visitor of a code's link is sent: to where they can use it, which without a profile is where
 * they complete it.
 */
export function withCode(elsewhere: string, url: URL): string {
  const there = { '/': '/quote', '/completion': '/completion' }[elsewhere]
  if (!there || screenAt(url.pathname)?.access.kind !== 'public') return elsewhere
  const { code, invitation } = touchIn(url)
  const carried = new URLSearchParams({
    ...(code && { codigo: code }),
    ...(invitation && { registro: invitation }),
  })
  return carried.size > 0 ? `${there}?${carried}` : elsewhere
}
