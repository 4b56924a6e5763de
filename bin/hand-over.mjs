import { spawn } from 'node:child_process'
import { fail, pinnedNode, root } from './bootstrap.mjs'

/** Runs a file on the pinned Node in our place: its signals and its exit code are ours. */
export function handOver(...args) {
  const child = spawn(pinnedNode, args, { cwd: root, stdio: 'inherit' })
  child.once('error', couldNotRun)
  child.once('exit', endAs)
  passSignals((signal) => child.kill(signal))
}

export const couldNotRun = (error) => fail(`No se pudo ejecutar ${pinnedNode}: ${error.message}`)

/** Ends this process as its child ended. */
export function endAs(code, signal) {
  if (!signal) process.exit(code ?? 1)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

/** Gives every wish to end to `pass`; to `heard` also one that the child has already. */
export function passSignals(pass, heard = () => undefined) {
  // Ctrl-C reaches the whole group: the child has it already, and we wait for its clean end.
  const terminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY)
  process.on('SIGINT', () => (terminal ? heard() : pass('SIGINT')))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => pass(signal))
  if (process.env.npm_lifecycle_event) passEndOfParent(pass)
}

/** A killed npm does not pass the signal on; all that can be seen of it is that we have another parent. */
function passEndOfParent(pass) {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    pass('SIGTERM')
  }, 500)
}
