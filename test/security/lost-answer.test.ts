import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openBare, realClockAfterEach, world } from '../kit/open.ts'
import { dataPath } from '../kit/visitor.ts'
import { everyModule } from '../kit/world.ts'
import { actions } from './actions.ts'
import { cast, openCastOnce, type Who } from './cast.ts'
import { fingerprint } from './fingerprint.ts'

openBare(everyModule)
openCastOnce()
realClockAfterEach()

const every = Object.entries(actions)
  .flatMap(([file, list]) => list.map((action) => ({ file, name: action.name, action })))
  // Whoever was let in, and not led away before anything was done.
  .filter(({ action }) => Object.values(action.may ?? {}).some((heard) => heard === 303 || heard === 200))
  .map((one, at) => ({ ...one, at }))

test.each(every)(
  '$file: $name, sent again because its answer was lost, is answered the same, and done once',
  async ({ action, at }) => {
    const { path, form } = await action.attempt(world, cast)
    const who = Object.entries(action.may ?? {}).find(
      ([, heard]) => heard === 303 || heard === 200,
    )![0] as Who
    const sent = new URLSearchParams([...new URLSearchParams(form), ['formKey', randomUUID()]])
    const address = at % 2 === 0 ? path : dataPath(path)
    // What the browser did not get, it does not keep.
    const deaf = { ...cast[who], cookies: new Map(cast[who].cookies) }
    const first = await world.post(address, sent, deaf)
    expect(first.status).toBeLessThan(400)
    const after = await fingerprint(world.db)
    const again = await world.post(address, sent, cast[who])
    // Where it led to is where a guard leads whoever has done it; a form with a key of its own kind may renew a link.
    expect([again.status < 400, again.location]).toEqual([true, first.location])
    if (!sent.has('requestKey')) expect(await fingerprint(world.db)).toEqual(after)
  },
)
