import { expect, test } from 'vitest'
import { openBare, realClockAfterEach, world } from '../kit/open.ts'
import type { Form } from '../kit/visitor.ts'
import { everyModule } from '../kit/world.ts'
import { every } from './attempts.ts'
import { cast, openCastOnce, type Who } from './cast.ts'

openBare(everyModule)
openCastOnce()
realClockAfterEach()

/** These are the same whatever else changed: no to a request, one thing more, the next of what stands now. */
const unread = (name: string) =>
  /^(staffing\.refuseTimeOff|settings\.catalogue\.add|ask-anew|note-viewed|revise-quote|retry-stamp)/.test(
    name,
  )
/** Past what four bytes hold, and past what a number of JavaScript tells apart. */
const tooMuch = ['2147483648', '99999999999', '9007199254740993', '-2147483649', '1e99']

test.each(every.filter(({ action, name }) => action.may && !unread(name)))(
  '$file: $name takes no version that nothing ever had',
  async ({ action }) => {
    const who = Object.keys(action.may!)[0] as Who
    const { form, path } = await action.attempt(world, cast)
    const right = form as Record<string, string>
    const names = Object.keys(right).filter((name) => /^(version|seen\.)/.test(name))
    for (const [at, name] of names.entries())
      for (const number of [tooMuch[at % 5], tooMuch[(at + 2) % 5]]) {
        const { status } = await world.post(path, { ...right, [name]: number } as Form, cast[who])
        expect([400, 409], `${name} ${number}`).toContain(status)
      }
  },
)
