import { randomUUID } from 'node:crypto'
import { everyModule } from '../kit/fixture.ts'
import { db, openBare, post, realClockAfterEach } from '../kit/open.ts'
import type { Action, Attempt, Fields, Heard } from './actions/shape.ts'
import { every, hear, refusals } from './attempts.ts'
import { everyone, openEveryoneOnce, type Who } from './everyone.ts'
import { fingerprint } from './fingerprint.ts'

openBare(everyModule)
openEveryoneOnce()
realClockAfterEach()

/** The kinds that may the most like each, the nearest first: where a guard is wrong, it is wrong by one of these. */
const near: Partial<Record<Who, Who[]>> = {
  customer: ['customer2', 'ally', 'technician'],
  ally: ['ally2', 'customer', 'gester'],
  technician: ['technician2', 'gester', 'analyst'],
  gester: ['technician', 'analyst'],
  analyst: ['gester', 'technician', 'ally'],
  manager: ['analyst', 'gester'],
}

/** Of those who may not: somebody signed out, a stranger of the owner's kind, the nearest other kind. */
function nearestRefusals(action: Action, at: number): [who: Who, expected: Heard][] {
  const refused = refusals(action)
  const tried = (Object.keys(action.may ?? {}) as Who[]).flatMap((who) => near[who] ?? []).slice(0, 3)
  const nearest = refused.filter(([who]) => tried.includes(who)).slice(0, 2)
  const others = refused.filter(([who]) => !tried.includes(who))
  // Also one of all others, each time another one.
  return [...nearest, ...others.slice(at % Math.max(1, others.length)).slice(0, 1)]
}

/** Sends a form with its key, and again as a browser does whose answer was lost: answered the same, and done once. */
async function sendTwice({ path, form }: Attempt, who: Who): Promise<Heard> {
  const sent = new URLSearchParams([...new URLSearchParams(form), ['formKey', randomUUID()]])
  // What the browser did not get, it does not keep.
  const deaf = { ...everyone[who], cookies: new Map(everyone[who].cookies) }
  const first = await post(path, sent, deaf)
  const after = await fingerprint(db)
  const again = await post(path, sent, everyone[who])
  // Where it led to is where a guard leads whoever has done it.
  expect([again.status < 400, again.location]).toEqual([true, first.location])
  // A form with a key of its own kind may renew a link.
  if (!sent.has('requestKey')) expect(await fingerprint(db)).toEqual(after)
  return first.status
}

/** These are the same whatever else changed: no to a request, one thing more, the next of what stands now. */
const unversioned =
  /^(staffing\.refuseTimeOff|settings\.catalogue\.add|ask-anew|note-viewed|revise-quote|retry-stamp)/
/** Past what four bytes hold, and past what a number of JavaScript tells apart. */
const tooMuch = ['2147483648', '99999999999', '9007199254740993', '-2147483649', '1e99']

/** Sends a form with versions that nothing ever had, which are refused. */
async function sendVersions({ path, form }: Attempt, who: Who) {
  const names = Object.keys(form).filter((name) => /^(version|seen\.)/.test(name))
  for (const [at, name] of names.entries()) {
    const number = tooMuch[(path.length + at) % tooMuch.length]!
    const { status } = await post(path, { ...(form as Fields), [name]: number }, everyone[who])
    expect([400, 409], `${name} ${number}`).toContain(status)
  }
}

test.each(every)(
  '$file: $name is refused to a stranger, the nearest wrong kind and at an unknown version, and done once for its owner',
  async ({ action, at, name }) => {
    const attempt = await action.attempt(everyone)
    const refused = nearestRefusals(action, at)
    const before = await fingerprint(db)
    const heard = []
    for (const [who] of refused) heard.push([who, await hear(attempt, everyone[who], at % 5 > 0)])
    expect(heard).toEqual(refused)
    const owners = Object.entries(action.may ?? {}) as [Who, Heard][]
    if (owners.length > 0 && !unversioned.test(name)) await sendVersions(attempt, owners[0]![0])
    expect(await fingerprint(db)).toEqual(before)
    const first = owners.findIndex(([, expected]) => expected === 303 || expected === 200)
    for (const [place, [who, expected]] of owners.entries())
      expect(place === first ? await sendTwice(attempt, who) : await hear(attempt, everyone[who]), who).toBe(
        expected,
      )
  },
)
