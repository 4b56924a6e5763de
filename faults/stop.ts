import { addCustomers } from '../bench/crowd.ts'
import { on, pause, seconds } from './outcome.ts'
import { ended, openExternal } from './server.ts'
import { startWork } from './work.ts'

const connections = 32
const endsWithin = 10_000

/** An operator ends the server under load; what it had begun it answers. */
export const sigterm = on(
  () => openExternal({ supervised: false }),
  async (world) => {
    await addCustomers(world.pool, 1)
    const work = await startWork(world, { hands: connections })
    await pause(4_000)
    const from = performance.now()
    const ending = ended(world.child)
    // From here on what breaks was sent to a server that had said it would end.
    const stopping = work.stop()
    const code = await ending
    const ms = performance.now() - from
    await stopping
    const { doubled, half, lost } = await work.verdict()
    const { bookings, payments } = work.acknowledged
    return {
      fault: 'SIGTERM',
      done: `under ${connections} connections that book and pay`,
      expected: `ends by itself within ${seconds(endsWithin)} with code 0; nothing acknowledged is lost, nothing half-made`,
      measured: `code ${code} after ${seconds(ms)}; ${bookings.size} bookings and ${payments.size} payments acknowledged: ${lost} lost, ${doubled} doubled, ${half} half-made`,
      ok: code === 0 && ms <= endsWithin && lost + doubled + half === 0,
    }
  },
)
