import { openListeners } from '../bench/listeners.ts'
import { connect } from '../bench/load.ts'
import { arrivals, drive, type Mark, sendOne } from './drive.ts'
import { type Cast, type MixName, nextOf, reload } from './mix.ts'

/** What the generator is told; each order is answered by its number. */
export type Order =
  | { id: number; what: 'meet'; origin: string; cast: Cast; listening: readonly string[] }
  | { id: number; what: 'run'; mix: MixName; rate: number; seconds: number }
export type Done = { id: number; marks: Mark[] }

/** Milliseconds between two refreshes of a screen, as in the browser (web/lib/live.ts). */
const between = 300

let client: ReturnType<typeof connect>
let cast: Cast
/** The run under way, which what the open screens ask counts to. */
let current: { started: number; marks: Mark[] } | undefined

async function meet(order: Extract<Order, { what: 'meet' }>): Promise<Mark[]> {
  cast = order.cast
  client = connect(order, Number.POSITIVE_INFINITY)
  const waiting = new Set<number>()
  await openListeners(order.origin, cast.desk, (n) => {
    if (waiting.has(n)) return
    waiting.add(n)
    setTimeout(() => {
      waiting.delete(n)
      if (current)
        void sendOne(
          client.ask,
          reload(cast.desk[n]!),
          { ...current, at: performance.now() - current.started },
          current.marks,
        )
    }, between)
  })
  await openListeners(order.origin, order.listening)
  return []
}

async function run({ mix, rate, seconds }: Extract<Order, { what: 'run' }>): Promise<Mark[]> {
  const marks: Mark[] = []
  if (mix === 'usual') current = { started: performance.now(), marks }
  await drive(client.ask, arrivals(rate, seconds), () => nextOf(mix, cast), marks)
  if (mix === 'usual') current = undefined
  return marks
}

process.on('message', async (order: Order) => {
  const marks = order.what === 'meet' ? await meet(order) : await run(order)
  process.send?.({ id: order.id, marks } satisfies Done)
})
process.on('disconnect', () => process.exit(0))
