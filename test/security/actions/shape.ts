import type { Form } from '../../kit/visitor.ts'
import { type Everyone, signedOut, type Who } from '../everyone.ts'

export type Attempt = { path: string; form: Form }
export type Fields = Record<string, string>
/** What somebody hears: a status, or where they are led. */
export type Heard = number | string
export type Heards = Partial<Record<Who, Heard>>
/** One thing a screen's form can ask for. */
export type Action = {
  name: string
  /** Makes what there has to be, and answers the request of somebody who may make it. */
  attempt: (everyone: Everyone) => Promise<Attempt>
  /** Who may, in the order they try, and what they hear: the first does it, a later one may come too late. */
  may?: Heards
  /** Who is refused in another way than by 403 or by being led to their door. */
  hears?: Heards
}
export type Actions = Record<string, readonly Action[]>

const each = (who: readonly Who[], heard: Heard): Heards => Object.fromEntries(who.map((one) => [one, heard]))
const staff = ['manager', 'analyst', 'technician', 'technician2', 'gester', 'ally', 'ally2'] as const

export const customers = (heard: Heard) => each(['customer', 'customer2'], heard)
/** Every kind of staff. */
export const allStaff = (heard: Heard) => each(staff, heard)
/** At the public screens everybody who is signed in is led on. */
export const signedIn = { ...customers('/'), ...allStaff('/admin') }
/** Whose cookie serves no more is a stranger there. */
export const strangers = (heard: Heard) => each(signedOut, heard)

type Answered = Pick<Action, 'may' | 'hears'>

type Make = (everyone: Everyone) => Promise<Fields>

/** A form of a page whose address is always the same, and what it says, or what makes it. */
export const formAt = (name: string, path: string, form: Fields | Make, answered: Answered): Action => ({
  name,
  attempt: async (everyone) => ({
    path,
    form: typeof form === 'function' ? await form(everyone) : form,
  }),
  ...answered,
})

export const managerOnly = { may: { manager: 303 } }
/** The first of the office does it, the second comes too late. */
export const analystFirst = { may: { analyst: 303, manager: 409 } }

/** What only the manager may do. */
export const byManager = (name: string, attempt: Action['attempt'], heard: Heard = 303): Action => ({
  name,
  attempt,
  may: { manager: heard },
})
