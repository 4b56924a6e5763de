import { fixture } from '../kit/open.ts'
import { dataPath } from '../kit/visitor.ts'
import type { Action, Attempt, Heard } from './actions/shape.ts'
import { actions } from './actions.ts'
import { type Everyone, everyone, nameless, signedOut, type Who } from './everyone.ts'

/** Every action of every screen, with its place in the list. */
export const every = Object.entries(actions)
  .flatMap(([file, list]) => list.map((action) => ({ file, name: action.name, action })))
  .map((one, at) => ({ ...one, at }))

const led: Partial<Record<Who, Heard>> = Object.fromEntries([
  ...signedOut.map((who) => [who, '/signin']),
  ...nameless.map((who) => [who, '/completion']),
])
const doors = new Set(['/signin', '/completion', '/', '/admin'])

/** Everyone who may not make an action, with the answer that each gets. */
export const refusals = ({ may = {}, hears = {} }: Action): [who: Who, expected: Heard][] =>
  (Object.keys(everyone) as Who[])
    .filter((who) => !(who in may))
    .map((who) => [who, hears[who] ?? led[who] ?? 403])

/** The status that somebody gets for an attempt, or the door that they are led to. */
export async function hear({ path, form }: Attempt, as: Everyone[Who], asData = false): Promise<Heard> {
  const { status, location } = await fixture.post(asData ? dataPath(path) : path, form, as)
  // A form that was accepted also goes somewhere, but never to sign in.
  const isDoor = location !== null && doors.has(location) && (status !== 303 || location === '/signin')
  return isDoor ? location : status
}
