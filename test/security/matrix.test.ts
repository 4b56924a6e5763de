import { describe, expect, test } from 'vitest'
import { openBare, realClockAfterEach, world } from '../kit/open.ts'
import { dataPath } from '../kit/visitor.ts'
import { everyModule } from '../kit/world.ts'
import type { Action, Attempt, Heard } from './actions/shape.ts'
import { actions } from './actions.ts'
import { cast, nameless, openCastOnce, signedOut, type Who } from './cast.ts'
import { fingerprint } from './fingerprint.ts'

openBare(everyModule)
openCastOnce()
realClockAfterEach()

const led: Partial<Record<Who, Heard>> = Object.fromEntries([
  ...signedOut.map((who) => [who, '/signin']),
  ...nameless.map((who) => [who, '/completion']),
])
const doors = new Set(['/signin', '/completion', '/', '/admin'])

/** Whose cookie opens nothing is found out before any action is known: each of them tries every third one, those without any each. */
const tries = (who: Who, action: number) => {
  const place = signedOut.findIndex((one) => one !== 'anonymous' && one === who)
  return place < 0 || (place + action) % 3 === 0
}

/** What those hear who may not. */
function refusals({ may = {}, hears = {} }: Action, at: number): [who: Who, heard: Heard][] {
  const others = (Object.keys(cast) as Who[]).filter((who) => !(who in may) && tries(who, at))
  return others.map((who) => [who, hears[who] ?? led[who] ?? 403])
}

async function hear({ path, form }: Attempt, who: Who, asData = false): Promise<Heard> {
  const { status, location } = await world.post(asData ? dataPath(path) : path, form, cast[who])
  // A form that was accepted also goes somewhere, but never to sign in.
  const led = location !== null && doors.has(location) && (status !== 303 || location === '/signin')
  return led ? location : status
}

const every = Object.entries(actions)
  .flatMap(([file, list]) => list.map((action) => ({ file, name: action.name, action })))
  .map((one, at) => ({ ...one, at }))
/** A page of refusal is long to make, and the guard is the same for data: each action is asked for pages by every fifth. */
const asPage = (action: number, who: number) => (action + who) % 5 === 0

describe('who may do what', () => {
  test.each(every)('$file: $name', async ({ action, at }) => {
    const attempt = await action.attempt(world, cast)
    const refused = refusals(action, at)
    const before = await fingerprint(world.db)
    const heard = []
    for (const [turn, [who, expected]] of refused.entries()) {
      const page = asPage(at, turn) ? await hear(attempt, who) : expected
      heard.push([who, await hear(attempt, who, true), page])
    }
    expect(heard).toEqual(refused.map(([who, expected]) => [who, expected, expected]))
    expect(await fingerprint(world.db)).toEqual(before)
    for (const [who, expected] of Object.entries(action.may ?? {}))
      expect([who, await hear(attempt, who as Who)]).toEqual([who, expected])
  })
})
