import type { Form } from '../../kit/visitor.ts'
import type { World } from '../../kit/world.ts'
import type { Cast, Who } from '../cast.ts'

export type Attempt = { path: string; form: Form }
/** What somebody hears: a status, or where they are led. */
export type Heard = number | string
/** One thing a screen's form can ask for. */
export type Action = {
  name: string
  /** Makes what there has to be, and answers the request of somebody who may make it. */
  attempt: (world: World, cast: Cast) => Promise<Attempt>
  /** Who may, in the order they try, and what they hear: the first does it, a later one may come too late. */
  may?: Partial<Record<Who, Heard>>
  /** Who is refused in another way than by 403 or by being led to their door. */
  hears?: Partial<Record<Who, Heard>>
}

export const everybodyNamed = (heard: Heard): Partial<Record<Who, Heard>> => ({
  customer: heard,
  customer2: heard,
  manager: heard,
  analyst: heard,
  technician: heard,
  technician2: heard,
  gester: heard,
  ally: heard,
  ally2: heard,
})
/** The same for every kind of staff. */
export const allStaff = (heard: Heard): Partial<Record<Who, Heard>> => ({
  manager: heard,
  analyst: heard,
  technician: heard,
  technician2: heard,
  gester: heard,
  ally: heard,
  ally2: heard,
})
/** At the public screens everybody who is signed in is led on. */
export const signedIn = { ...everybodyNamed('/admin'), customer: '/', customer2: '/' }
/** Whose cookie serves no more is a stranger there. */
export const strangers = (heard: Heard): Partial<Record<Who, Heard>> => ({
  anonymous: heard,
  inactive: heard,
  ended: heard,
  expired: heard,
  forged: heard,
  closedAgency: heard,
})

export type Actions = Record<string, readonly Action[]>
