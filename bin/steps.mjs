// The steps before our own Node runs: what they do is said, what they print goes to a log.
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import path from 'node:path'

/** Who started this process, as it began: npm, if it runs below npm. */
const parent = process.ppid
const everyMs = 5_000

/** Calls back once npm was killed without a word: the only sign is that this process has another parent. */
export function whenParentEnds(tell) {
  if (!process.env.npm_lifecycle_event) return () => undefined
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    tell()
  }, 500)
  return () => clearInterval(watch)
}

/**
 * Runs a program and says every five seconds how long it has run. `options.log` receives what it prints, `began` its
 * process id. Returns how it ended.
 */
export async function toldRun(name, [program, ...args], { log, began, ...options }) {
  const from = performance.now()
  const seconds = () => `${Math.round((performance.now() - from) / 1000)} s`
  console.log(`${name}…`)
  mkdirSync(path.dirname(log), { recursive: true })
  const file = openSync(log, 'w')
  const child = spawn(program, args, { ...options, stdio: ['ignore', file, file] })
  closeSync(file)
  if (child.pid) began(child.pid)
  const timer = setInterval(() => console.log(`${name}… ${seconds()}`), everyMs)
  const unheard = endTogether(child)
  const done = await new Promise((resolve) => {
    child.once('error', (error) => resolve({ status: 1, error }))
    child.once('exit', (status, signal) => resolve({ status, signal }))
  })
  clearInterval(timer)
  unheard()
  if (done.status === 0) console.log(`${name}… done, ${seconds()}`)
  return done
}

/** What ends this process ends the program too: a later start must not find it at work. */
function endTogether(child) {
  const end = (signal) => {
    child.kill(signal)
    process.exit(128 + constants.signals[signal])
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, end)
  const unwatched = whenParentEnds(() => end('SIGTERM'))
  return () => {
    for (const signal of signals) process.removeListener(signal, end)
    unwatched()
  }
}

const causes = [
  [/ENOSPC|EDQUOT|no space left on device/i, ({ root }) => `the disk of ${root} is full: free 2 GB`],
  [
    /EACCES|EPERM|EROFS|permission denied/,
    ({ root }) => `${root} cannot be written: start as the user who owns it`,
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|network/,
    () => 'the npm registry does not answer: check the network (only this step needs one)',
  ],
]

/** Why a step failed and what to do, in one sentence; the end of its log comes before it where the cause is not known. */
export function failureOf(what, { error, signal, status }, { log, root }) {
  const text = error ? String(error.message) : readFileSync(log, 'utf8')
  const [, known] = causes.find(([pattern]) => pattern.test(text)) ?? []
  const how = error?.message ?? signal ?? `exit code ${status}`
  const end = `then start again. Log: ${log}`
  if (known) return `${what} (${how}): ${known({ root })}, ${end}`
  if (signal)
    return `${what} (${how}): it was ended from outside, perhaps for want of memory: free 2 GB, ${end}`
  const last = text.trim().split('\n').slice(-20).join('\n')
  return `${last}\n\n${what} (${how}): mend what the lines above say, ${end}`
}
