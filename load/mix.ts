import { randomUUID } from 'node:crypto'
import type { Ask } from '../bench/load.ts'
import type { Request } from './drive.ts'

/** Who asks: the cookies of people of each sort, and what they ask about. */
export type Cast = {
  browsing: readonly string[]
  booking: string[]
  desk: readonly string[]
  starts: readonly string[]
  appointments: readonly string[]
  emails: readonly string[]
}

export const mixes = ['usual', 'slots', 'signIns'] as const
export type MixName = (typeof mixes)[number]

export const bookingKind = 'customer: books'
const slots = '/agenda-technics-visit'
/** Of the demo's sign-ins; only hashed anew for these worlds. */
export const password = 'carga-en-casa'
const words = ['maria', 'lista777@', '5512345678', 'hernandez']
const anyOf = <Item>(list: readonly Item[]): Item => list[Math.floor(Math.random() * list.length)]!

type Make = (cast: Cast) => Ask
const customer =
  (path: string): Make =>
  ({ browsing }) => ({ path, cookie: anyOf(browsing) })
const desk =
  (path: string | ((cast: Cast) => string)): Make =>
  (cast) => ({ path: typeof path === 'string' ? path : path(cast), cookie: anyOf(cast.desk) })

/** A busy morning: of a hundred requests, how many are of each sort. Two thirds are customers', most of them look at slots. */
const usual: readonly (readonly [kind: string, share: number, make: Make, good?: number])[] = [
  ['visitor: sign-in page', 4, () => ({ path: '/signin' })],
  ['customer: home', 8, customer('/')],
  ['customer: home, data', 9, customer('/_.data')],
  ['customer: slots', 8, customer(slots)],
  ['customer: slots, data', 22, customer(`${slots}.data`)],
  ['customer: own visits, data', 9, customer('/technics-visit.data')],
  [bookingKind, 4, booking, 202],
  ['staff: home', 3, desk('/admin')],
  ['staff: pending', 4, desk('/admin/appointments-pending')],
  ['staff: pending, data', 14, desk('/admin/appointments-pending.data')],
  ['staff: done, data', 6, desk('/admin/appointments-done.data')],
  ['staff: search', 3, desk(() => `/admin/buscar.json?q=${anyOf(words)}`)],
  [
    'staff: one appointment',
    6,
    desk(({ appointments }) => `/admin/appointments-pending/${anyOf(appointments)}.data`),
  ],
]

/** The next request of a mix. Whoever books is a customer of their own; when none is left, one who browses looks at the slots. */
export function nextOf(mix: MixName, cast: Cast): Request {
  if (mix === 'slots')
    return { kind: 'slots beside sign-ins', ask: customer(`${slots}.data`)(cast), good: [200] }
  if (mix === 'signIns') return { kind: 'sign-in', ask: signIn(cast), good: [202] }
  let drawn = Math.random() * 100
  const [kind, , make, good = 200] = usual.find(([, share]) => {
    drawn -= share
    return drawn < 0
  })!
  if (make === booking && cast.booking.length === 0) return nextOf(mix, cast)
  return { kind, ask: make(cast), good: [good] }
}

/** What a desk's screen asks when it hears of a change. */
export const reload = (cookie: string): Request => ({
  kind: 'live: pending again',
  ask: { path: '/admin/appointments-pending.data', cookie },
  good: [200],
})

function booking({ booking, starts }: Cast): Ask {
  const form = { startsAt: anyOf(starts), requestKey: randomUUID() }
  return { path: `${slots}.data`, cookie: booking.pop()!, form }
}

/** From a network of its own, so that only what everybody shares is short. */
function signIn({ emails }: Cast): Ask {
  const part = () => Math.floor(Math.random() * 254) + 1
  return {
    path: '/signin.data',
    form: { email: anyOf(emails), password },
    headers: { 'x-forwarded-for': `10.${part()}.${part()}.${part()}` },
  }
}
