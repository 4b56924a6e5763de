import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { root, secret, withoutOurs } from '../bench/stack.ts'
import { halfRestored } from '../src/server/platform/database/embedded/data-folder.ts'
import { type Fault, pause, seconds } from './outcome.ts'
import { openEmbedded } from './server.ts'

const kills = 12
const files = 200

/** A command of the program, or its start; answers what it said and, unless told otherwise, waits for its end. */
function run(dataDir: string, ...args: string[]) {
  const child = spawn(process.execPath, ['src/server/app/main.ts', ...args], {
    cwd: root,
    env: {
      ...withoutOurs(process.env),
      DATA_DIR: dataDir,
      PORT: '0',
      DEMO: 'false',
      AUTH_SECRET: secret,
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  return { child, said: () => said, ended: once(child, 'exit') }
}

/** Whether a start serves, or in what words it does not. */
async function started(dataDir: string): Promise<string> {
  const { child, ended, said } = run(dataDir)
  while (child.exitCode === null && !said().includes('is ready')) await pause(50)
  child.kill()
  await ended
  return said()
}

const countIn = (dataDir: string) => {
  const folder = path.join(dataDir, 'files/documents')
  return existsSync(folder) ? readdirSync(folder).length : 0
}

/** A restore killed at many points of its time: what starts afterwards is whole, or it does not start. */
export const restore: Fault = async () => {
  const server = await openEmbedded()
  const base = mkdtempSync(path.join(tmpdir(), 'carga-restore-'))
  try {
    const folder = path.join(server.folder, 'files/documents')
    mkdirSync(folder, { recursive: true })
    for (let nth = 0; nth < files; nth++)
      writeFileSync(path.join(folder, `paper-${nth}`), Buffer.alloc(20_000, nth))
    const backup = run(server.folder, 'backup')
    await backup.ended
    const made = path.join(
      server.folder,
      'backups',
      readdirSync(path.join(server.folder, 'backups')).sort()[0]!,
    )
    const from = performance.now()
    const whole = run(path.join(base, 'whole'), 'restore', made)
    await whole.ended
    const takes = performance.now() - from
    const seen = { refused: 0, whole: 0, half: 0 }
    for (let kill = 0; kill < kills; kill++) {
      const dataDir = path.join(base, `${kill}`)
      const { child, ended } = run(dataDir, 'restore', made)
      await Promise.race([pause((takes * (kill + 1)) / (kills + 1)), ended])
      child.kill('SIGKILL')
      await ended
      // Killed before its first byte, there is nothing that could be half there.
      const isBegun = existsSync(dataDir) && readdirSync(dataDir).length > 0
      const isThere = existsSync(path.join(dataDir, 'postgres'))
      const words = isBegun ? await started(dataDir) : halfRestored
      const isWhole = isThere && words.includes('is ready') && countIn(dataDir) === files
      if (isWhole) seen.whole++
      else if (!isThere && words.includes(halfRestored)) seen.refused++
      else seen.half++
      if (!isThere && isBegun && kill % 4 === 3) {
        await run(dataDir, 'restore', made).ended
        if (countIn(dataDir) !== files || !(await started(dataDir)).includes('is ready')) seen.half++
      }
      rmSync(dataDir, { recursive: true, force: true })
    }
    return {
      fault: 'kill -9 of a restore',
      done: `at ${kills} points of the ${seconds(takes)} that it takes; every fourth restored again`,
      expected: 'what starts is whole, what is not does not start, and restored again it is whole',
      measured: `${seen.refused} refused, ${seen.whole} whole, ${seen.half} started half there`,
      ok: seen.half === 0 && seen.refused > 0,
    }
  } finally {
    rmSync(base, { recursive: true, force: true })
    await server.close()
  }
}
