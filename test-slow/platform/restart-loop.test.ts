import { setTimeout as sleep } from 'node:timers/promises'
import { startRestartLoop } from '../../src/platform/database/embedded/cluster.ts'

const times = { look: 1, firstWait: 20, longestWait: 40, soon: 200 }

/** A server that is up until it is told to fall, and how often it was started. */
function fake(launch: () => boolean = () => true) {
  const starts: number[] = []
  const state = { up: true, starts }
  const relaunch = async () => {
    starts.push(performance.now())
    await sleep(5)
    state.up = launch()
    if (!state.up) throw new Error('no space')
  }
  return { state, stop: startRestartLoop({ lives: () => state.up, relaunch }, times) }
}

test('what fell is started once, and what falls again soon waits longer each time', async () => {
  const { state, stop } = fake()
  for (let falls = 1; falls <= 4; falls++) {
    state.up = false
    await vi.waitFor(() => expect(state.up).toBe(true), { timeout: 1_000, interval: 2 })
    expect(state.starts).toHaveLength(falls)
  }
  const waits = state.starts.slice(1).map((at, n) => at - state.starts[n]!)
  for (const [n, least] of [20, 40, 40].entries()) expect(waits[n]).toBeGreaterThanOrEqual(least)
  await stop()
})

test('one that can not be started is tried again, and the end of the watch waits for a start under way', async () => {
  let tries = 0
  const { state, stop } = fake(() => ++tries > 2)
  state.up = false
  await vi.waitFor(() => expect(state.up).toBe(true), 1_000)
  expect(tries).toBe(3)
  state.up = false
  await vi.waitFor(() => expect(state.starts).toHaveLength(4), { timeout: 1_000, interval: 1 })
  await stop()
  expect(state.up).toBe(true)
  state.up = false
  await sleep(20)
  expect(state.starts).toHaveLength(4)
})

test('where it can not be looked at, it is believed alive', async () => {
  let looks = 0
  const relaunch = vi.fn(async () => undefined)
  const lives = () => {
    looks++
    throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
  }
  const stop = startRestartLoop({ lives, relaunch }, times)
  await vi.waitFor(() => expect(looks).toBeGreaterThan(3), 1_000)
  await stop()
  expect(relaunch).not.toHaveBeenCalled()
})
