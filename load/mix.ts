import { randomUUID } from 'node:crypto'
import type { Request } from './drive.ts'

/** Who asks: the cookies of people of each sort, and what they ask about. */
export type Everyone = {
  customer: string[]
  booking: string[]
  desk: string[]
  starts: string[]
  appointments: string[]
  emails: string[]
}

export type MixName = 'usual' | 'slots' | 'signIns'

const slots = '/agenda-technics-visit.data'
/** Of the demo's sign-ins; only hashed anew for these fixtures. */
export const password = 'carga-en-casa'
const words = ['maria', 'lista777@', '5512345678', 'hernandez']
const anyOf = <Item>(list: readonly Item[]): Item => list[Math.floor(Math.random() * list.length)]!

/**
 * A busy morning: of a hundred requests, how many are of each sort; two thirds are customers', and most of those look at
 * slots. `*` stands for a word that is looked for, or an appointment.
 */
const usual: readonly (readonly [
  share: number,
  who: 'customer' | 'booking' | 'desk' | null,
  path: string,
])[] = [
  [4, null, '/signin'],
  [8, 'customer', '/'],
  [9, 'customer', '/_.data'],
  [8, 'customer', '/agenda-technics-visit'],
  [22, 'customer', slots],
  [9, 'customer', '/technics-visit.data'],
  [4, 'booking', slots],
  [3, 'desk', '/admin'],
  [4, 'desk', '/admin/appointments-pending'],
  [14, 'desk', '/admin/appointments-pending.data'],
  [6, 'desk', '/admin/appointments-done.data'],
  [3, 'desk', '/admin/buscar.json?q=*'],
  [6, 'desk', '/admin/appointments-pending/*.data'],
]

/** The next request of a mix. */
export function nextOf(mix: MixName, everyone: Everyone): Request {
  if (mix === 'signIns') return signIn(everyone)
  let drawn = Math.random() * 100
  const isDrawn = ([share]: (typeof usual)[number]) => {
    drawn -= share
    return drawn < 0
  }
  const [, who, path] = mix === 'slots' ? ([0, 'customer', slots] as const) : usual.find(isDrawn)!
  if (who === 'booking') return booking(everyone)
  const wanted = path.replace('*', anyOf(path.includes('?') ? words : everyone.appointments))
  return { kind: path, path: wanted, good: 200, ...(who && { cookie: anyOf(everyone[who]) }) }
}

/** Whoever books is a customer of their own; when none is left, one who browses looks at the slots. */
function booking(everyone: Everyone): Request {
  const cookie = everyone.booking.pop()
  if (!cookie) return nextOf('slots', everyone)
  const form = { startsAt: anyOf(everyone.starts), requestKey: randomUUID() }
  return { kind: 'booking', path: slots, cookie, form, good: 202 }
}

/** From a network of its own, so that only what everybody shares is short. */
function signIn({ emails }: Everyone): Request {
  const part = () => Math.floor(Math.random() * 254) + 1
  return {
    kind: 'sign-in',
    path: '/signin.data',
    form: { email: anyOf(emails), password },
    headers: { 'x-forwarded-for': `10.${part()}.${part()}.${part()}` },
    good: 202,
  }
}
