import { spawn } from 'node:child_process'
import { pinnedNode, root } from './bootstrap.mjs'
import { couldNotRun, endAs, passSignals } from './hand-over.mjs'

/** A server that lived this long after it was ready did not end by how it was started. */
const settledMs = 1_000
const longestWaitMs = 15_000

/**
 * Runs a server on the pinned Node, which says 'ready' once it serves, and starts it again when it ends without having
 * been asked to: at once, then later each time. One that was never ready is not tried twice: its words say what is wrong.
 */
export function supervise(...args) {
  let child
  let waiting
  let asked = false
  let everReady = false
  let ends = 0
  const start = () => {
    let readyAt = Number.POSITIVE_INFINITY
    child = spawn(pinnedNode, args, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
    child.once('error', couldNotRun)
    child.on('message', (message) => {
      if (message !== 'ready') return
      readyAt = performance.now()
      everReady = true
    })
    child.once('exit', (code, signal) => {
      if (asked || !everReady || code === 0) return endAs(code, signal)
      ends = performance.now() - readyAt > settledMs ? 1 : ends + 1
      const ms = Math.min(100 * 2 ** (ends - 1), longestWaitMs)
      console.error(
        `El servidor terminó sin que nadie lo pidiera (${signal ?? `código ${code}`}); arranca de nuevo.`,
      )
      waiting = setTimeout(start, ms)
    })
  }
  /** Between two starts there is nobody to end. */
  const ask = () => {
    asked = true
    if (child.exitCode === null && child.signalCode === null) return true
    clearTimeout(waiting)
    process.exit(0)
  }
  passSignals((signal) => ask() && child.kill(signal), ask)
  start()
}
