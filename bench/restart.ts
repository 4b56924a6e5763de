import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ended, firstAnswer, freePort, root, withoutOurs } from './stack.ts'

// A start installs and builds what is missing: a measurement must cause neither.
const stamps = ['node_modules/.stamps/install', 'build/.stamp']

/**
 * How long two starts of a prepared checkout take until they answer, in milliseconds: the first makes the database and the demo world.
 * Null in a checkout that is not prepared.
 */
export async function startTimes(): Promise<number[] | null> {
  if (!stamps.every((file) => existsSync(path.join(root, file)))) return null
  const folder = mkdtempSync(path.join(tmpdir(), 'carga-bench-'))
  try {
    return [await startOnce(folder), await startOnce(folder)]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function startOnce(folder: string): Promise<number> {
  const port = await freePort()
  const started = performance.now()
  const child = spawn(process.execPath, ['bin/run.mjs', 'start'], {
    cwd: root,
    env: { ...withoutOurs(process.env), PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await firstAnswer(`http://localhost:${port}/signin`, child)
  const elapsed = performance.now() - started
  await ended(child)
  return Math.round(elapsed)
}
