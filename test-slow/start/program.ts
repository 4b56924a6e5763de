import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Starts a program as a group of processes of its own, so that all of them can be killed at once, and keeps its output. */
export function startProgram([program, ...args]: string[], options: SpawnOptions) {
  const child = spawn(program!, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => (said += text))
  return {
    child,
    said: () => said,
    /** What it said last: where it failed, why. */
    lastLine: () => said.trim().split('\n').at(-1),
    /** Its exit code. */
    ended: once(child, 'close').then(() => child.exitCode),
    /** Waits for what it says or does; throws with its words where it ends before. */
    async reaches(what: string | (() => boolean)) {
      const isReached = typeof what === 'string' ? () => said.includes(what) : what
      while (!isReached()) {
        if (child.exitCode !== null || child.signalCode !== null) throw new Error(`It ended: ${said}`)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
    stop: () => stopped(child),
  }
}

async function stopped(child: ChildProcess) {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return child.exitCode
}
