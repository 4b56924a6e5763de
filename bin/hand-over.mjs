import { spawn } from 'node:child_process'
import { fail, pinnedNode, root } from './bootstrap.mjs'

/** Runs a file on the pinned Node in our place: its signals and its exit code are ours. */
export function handOver(...args) {
  const child = spawn(pinnedNode, args, { cwd: root, stdio: 'inherit' })
  child.once('error', (error) => fail(`No se pudo ejecutar ${pinnedNode}: ${error.message}`))
  child.once('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
  // Ctrl-C reaches the whole group: the child has it already, and we wait for its clean end.
  const terminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY)
  process.on('SIGINT', () => terminal || child.kill('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  if (process.env.npm_lifecycle_event) stopWithParent(child)
}

/** A killed npm does not pass the signal on; all that can be seen of it is that we have another parent. */
function stopWithParent(child) {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    child.kill('SIGTERM')
  }, 500)
}
