import { type Fault, type Outcome, pause, seconds, until } from './outcome.ts'
import type { Weather } from './proxy.ts'
import { openExternal } from './server.ts'
import { type Answer, ask, startWork } from './work.ts'

const longestWait = 10_000
const goneFor = 10_000

type World = Awaited<ReturnType<typeof openExternal>>
type Seen = {
  answers: readonly Answer[]
  red: number
  green: number
  lost: number
  doubled: number
  half: number
}

/** People book and pay while the network to the database does something; answers what they met. */
async function under(change: (world: World) => Promise<void>): Promise<Seen> {
  const world = await openExternal()
  try {
    const work = await startWork(world, { hands: 8 })
    await pause(3_000)
    const before = work.answers.length
    const turned = performance.now()
    let red = Number.POSITIVE_INFINITY
    let watching = true
    const watch = (async () => {
      while (watching && red === Number.POSITIVE_INFINITY) {
        if ((await ask(`${world.origin}/readyz`, '')).status === 503) red = performance.now() - turned
        await pause(100)
      }
    })()
    await change(world)
    watching = false
    const green = await until(world.isReady)
    await watch
    await pause(3_000)
    await work.stop()
    return { answers: work.answers.slice(before), red, green, ...(await work.verdict()) }
  } finally {
    await world.close()
  }
}

const counted = (answers: readonly Answer[]) =>
  Object.entries(Object.groupBy(answers, ({ status }) => status))
    .map(([status, same]) => `${status} x ${same?.length}`)
    .join(', ')

function told(fault: string, done: string, seen: Seen, { failing = true, reddens = true } = {}): Outcome {
  const { answers, doubled, green, half, lost, red } = seen
  const longest = Math.max(...answers.map(({ ms }) => ms))
  const refused = answers.filter(({ status }) => status >= 500 || status === 0)
  const plain = refused.every(({ retryAfter, status }) => status === 503 && retryAfter !== null)
  const expected = [
    failing ? 'what can’t be done is a 503 with Retry-After' : 'everything is answered',
    `nobody waits over ${seconds(longestWait)}, nothing lost, doubled or half-made`,
    ...(reddens ? ['/readyz red, then green by itself'] : []),
  ].join('; ')
  const colours = reddens ? `; red after ${seconds(red)}, green ${seconds(green)} after the end` : ''
  const measured = `${counted(answers)}; longest ${seconds(longest)}; ${lost} lost, ${doubled} doubled, ${half} half-made${colours}`
  const coloured = !reddens || (Number.isFinite(red) && Number.isFinite(green))
  const ok = plain && coloured && longest <= longestWait && lost + doubled + half === 0
  return { fault, done, expected, measured, ok: ok && (failing || refused.length === 0) }
}

const weatherFor = (weather: Weather, ms: number) => async (world: World) => {
  world.proxy.turn(weather)
  await pause(ms)
  world.proxy.turn({ kind: 'fair' })
}

export const gone: Fault = async () =>
  told(
    'database gone',
    `silent for ${seconds(goneFor)}`,
    await under(weatherFor({ kind: 'silent' }, goneFor)),
  )

export const slow: Fault = async () =>
  told(
    'database slow',
    'each of its answers 500 ms later, for 15 s',
    await under(weatherFor({ kind: 'slow', ms: 500 }, 15_000)),
    { failing: false, reddens: false },
  )

/** Every connection is cut every half second; now and then one is cut between two pieces of an answer. */
export const resets: Fault = async () => {
  const seen = await under(async ({ proxy }) => {
    for (let cut = 0; cut < 10; cut++) {
      await pause(500)
      proxy.reset()
    }
    await weatherFor({ kind: 'cutting', after: 9 }, 5_000)({ proxy } as World)
  })
  return told('connections reset', '10 times all at once, then each after 9 answers for 5 s', seen, {
    reddens: false,
  })
}
