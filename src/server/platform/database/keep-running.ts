import { setTimeout as sleep } from 'node:timers/promises'
import { log } from '../../app/log.ts'

/** In milliseconds: how often one looks, how long one waits before it is started again when it fell soon, and what soon is. */
const usual = { look: 200, firstWait: 250, longestWait: 30_000, soon: 5_000 }

type Server = { lives: () => boolean; relaunch: () => Promise<void> }

/**
 * Starts a server anew whenever it has ended without having been told to. One loop does it, so there are never two at work;
 * a server that falls again soon waits longer each time. The answer ends the watch, once what is being started has started.
 */
export function keepRunning({ lives, relaunch }: Server, times = usual): () => Promise<void> {
  const ended = new AbortController()
  const rest = (ms: number) => sleep(ms, undefined, { ref: false, signal: ended.signal })
  const watch = async () => {
    for (let falls = 0, since = performance.now(); ; ) {
      await rest(times.look)
      if (seenAlive(lives)) continue
      if (performance.now() - since > times.soon) falls = 0
      log.error({ falls }, 'PostgreSQL ended and is started again')
      if (falls > 0) await rest(Math.min(times.firstWait * 2 ** (falls - 1), times.longestWait))
      falls++
      await relaunch().then(
        () => log.warn('PostgreSQL runs again'),
        (err) => log.error({ err }, 'PostgreSQL could not be started again'),
      )
      since = performance.now()
    }
  }
  // Only a rest that was ended ends it.
  const watching = watch().catch(() => undefined)
  return () => {
    ended.abort()
    return watching
  }
}

/** Where one can't look, as when no file can be opened, nothing is believed dead. */
function seenAlive(lives: () => boolean): boolean {
  try {
    return lives()
  } catch (err) {
    log.warn({ err }, 'PostgreSQL could not be looked at')
    return true
  }
}
