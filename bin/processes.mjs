import { spawn } from 'node:child_process'
import { fail, pinnedNode, root, toolEnv } from './bootstrap.mjs'
import { whenParentEnds } from './steps.mjs'
import { waitingServer } from './waiting.mjs'

/** Runs a file on the pinned Node and takes over its signals and exit code. */
export function handOver(...args) {
  const child = spawn(pinnedNode, args, { cwd: root, stdio: 'inherit' })
  child.once('error', couldNotRun)
  child.once('exit', endAs)
  passSignals((signal) => child.kill(signal))
}

const couldNotRun = (error) => fail(`Could not run ${pinnedNode}: ${error.message}`)

/** Ends this process with the exit code or signal of its child. */
function endAs(code, signal) {
  if (!signal) process.exit(code ?? 1)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

/** Passes every termination signal to `pass`; `received` runs for a signal that the child already received. */
function passSignals(pass, received = () => undefined) {
  // Ctrl-C reaches the whole process group: the child has received it, and this process waits for its clean end.
  const terminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY)
  process.on('SIGINT', () => (terminal ? received() : pass('SIGINT')))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => pass(signal))
  whenParentEnds(() => pass('SIGTERM'))
}

/** A server that ran this long after it was ready did not fail because of its configuration. */
const settledMs = 1_000
const longestWaitMs = 15_000

/** A server ends by this code where a start may succeed if it is simply tried again (src/app/failure.ts). */
const tryAgain = 75

/**
 * Runs a server on the pinned Node, which sends 'ready' once it serves, and restarts it when it ends unexpectedly: at
 * once, then after increasing waits. A server that was never ready is not restarted: its own message states the reason.
 * One that lost the database while starting is tried once more. Meanwhile the supervisor answers at its port: a server
 * that starts again takes it (`--late`) once it is ready.
 */
export function supervise(...args) {
  let child
  let waiting
  let asked = false
  let everReady = false
  let ends = 0
  let triesLeft = 1
  let place
  const meanwhile = waitingServer()
  const start = () => {
    let readyAt = Number.POSITIVE_INFINITY
    child = spawn(pinnedNode, place ? [...args, '--late'] : args, {
      cwd: root,
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    })
    child.once('error', couldNotRun)
    child.on('message', (message) => {
      if (message === 'port') meanwhile.leave()
      if (message.listening) place = message.listening
      if (message !== 'ready') return
      readyAt = performance.now()
      everReady = true
    })
    child.once('exit', (code, signal) => {
      if (!asked && !everReady && code === tryAgain && triesLeft-- > 0) {
        console.error('Trying once more.')
        return start()
      }
      if (asked || !everReady || code === 0) return endAs(code, signal)
      if (place) meanwhile.hold(place)
      ends = performance.now() - readyAt > settledMs ? 1 : ends + 1
      const ms = Math.min(100 * 2 ** (ends - 1), longestWaitMs)
      console.error(`The server ended unexpectedly (${signal ?? `exit code ${code}`}); restarting.`)
      waiting = setTimeout(start, ms)
    })
  }
  /** Between two starts there is no child process. */
  const ask = () => {
    asked = true
    if (child.exitCode === null && child.signalCode === null) return true
    clearTimeout(waiting)
    process.exit(0)
  }
  passSignals((signal) => ask() && child.kill(signal), ask)
  // Web processes are replaced one after the other below it.
  process.on('SIGUSR2', () => child.kill('SIGUSR2'))
  start()
}

/**
 * Runs the steps one after the other, also after a failure; ends with each step's last lines and the first failing exit
 * code.
 */
export async function runSteps(steps, { closing = 6 } = {}) {
  const results = []
  for (const { name, command, env } of steps) {
    console.log(`\n── ${name}`)
    results.push({ name, ...(await runStep(command, env)) })
  }
  console.log('\nSummary')
  for (const { name, code, lines } of results) {
    console.log(`${code === 0 ? '✓' : '✗'} ${name}${code === 0 ? '' : ` (exit code ${code})`}`)
    for (const line of last(lines, code === 0 ? closing : 30)) console.log(`    ${line}`)
  }
  process.exit(results.find(({ code }) => code !== 0)?.code ?? 0)
}

const last = (lines, count) => lines.slice(Math.max(0, lines.length - count))

/** Shows a command's output as it arrives and keeps its last lines. */
function runStep([program, ...args], env) {
  const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
  const child = spawn(program, args, {
    cwd: root,
    env: toolEnv({ ...color, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const keep = (stream) => (chunk) => {
    stream.write(chunk)
    text = (text + chunk).slice(-20_000)
  }
  child.stdout.setEncoding('utf8').on('data', keep(process.stdout))
  child.stderr.setEncoding('utf8').on('data', keep(process.stderr))
  return new Promise((resolve) => {
    const end = (code) => resolve({ code, lines: text.split('\n').filter((line) => line.trim()) })
    child.once('error', (error) => {
      text += error.message
      end(1)
    })
    child.once('close', (code) => end(code ?? 1))
  })
}
