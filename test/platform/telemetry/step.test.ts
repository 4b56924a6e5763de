import { toldStep } from '../../../src/platform/telemetry/step.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** What is said of a step whose work takes so many seconds. */
async function saidOf(run: Parameters<typeof toldStep>[1], seconds: number) {
  const said: string[] = []
  const done = toldStep('Migrating the database', run, (line) => said.push(line)).catch(() => undefined)
  await vi.advanceTimersByTimeAsync(seconds * 1000)
  await done
  await vi.advanceTimersByTimeAsync(60_000)
  return said
}
const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

test('an operator reads what a long step is, every five seconds how far it is, and how long it took', async () => {
  const said = await saidOf(async (tell) => {
    tell('0 of 55')
    await after(4_000)
    tell('31 of 55')
    await after(8_000)
  }, 12)
  expect(said).toEqual([
    'Migrating the database…',
    'Migrating the database… 31 of 55, 5 s',
    'Migrating the database… 31 of 55, 10 s',
    'Migrating the database… done, 12 s',
  ])
})

test('a step with nothing to do is not mentioned, unless even that takes five seconds', async () => {
  expect(await saidOf(() => after(1_000), 1)).toEqual([])
  expect(await saidOf(() => after(6_000), 6)).toEqual([
    'Migrating the database… 5 s',
    'Migrating the database… done, 6 s',
  ])
})

test('a step that fails says nothing more', async () => {
  const said = await saidOf(async (tell) => {
    tell()
    throw new Error('the disk is full')
  }, 1)
  expect(said).toEqual(['Migrating the database…'])
})
