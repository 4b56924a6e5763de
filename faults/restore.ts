import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { halfRestored } from '../src/platform/database/embedded/data-folder.ts'
import { newPlace } from '../test/platform/backup/place.ts'
import { type Fault, openServer, run, until } from './server.ts'

const kills = 8
const files = 200
const documents = 'files/documents'

/** A command of the program, or its start, on a data folder. */
const program = (dataDir: string, ...operands: string[]) =>
  run(['src/app/main.ts', ...operands], { DATA_DIR: dataDir, PORT: '0' })

/** Starts the program on what is there; answers in what words it serves, or does not. */
async function wordsOf(dataDir: string): Promise<string> {
  const { child, said, stop } = program(dataDir)
  await until(async () => child.exitCode !== null || said().includes('is ready'))
  await stop()
  return said()
}

const isWhole = async (dataDir: string) =>
  (await wordsOf(dataDir)).includes('is ready') && readdirSync(path.join(dataDir, documents)).length === files

/** Until a restore has written its first byte. */
const begins = (dataDir: string) => until(async () => readdirSync(dataDir).length > 0)

/** A restore killed at many points of its time: what starts afterwards is whole, or it does not start. */
export const restore: Fault = async () => {
  const server = await openServer()
  const base = newPlace('carga-restore-')
  try {
    mkdirSync(path.join(server.folder, documents), { recursive: true })
    for (let nth = 0; nth < files; nth++)
      writeFileSync(path.join(server.folder, documents, `paper-${nth}`), Buffer.alloc(20_000, nth))
    await program(server.folder, 'backup').ended
    const backups = path.join(server.folder, 'backups')
    const made = path.join(backups, readdirSync(backups)[0]!)
    const whole = path.join(base, 'whole')
    const first = program(whole, 'restore', made)
    await begins(whole)
    const from = performance.now()
    await first.ended
    const takes = performance.now() - from
    const seen = { refused: 0, whole: 0, half: 0 }
    for (let kill = 0; kill < kills; kill++) {
      const dataDir = path.join(base, `${kill}`)
      const { child, ended } = program(dataDir, 'restore', made)
      await begins(dataDir)
      await pause((takes * kill) / kills)
      child.kill('SIGKILL')
      await ended
      if (existsSync(path.join(dataDir, 'postgres'))) seen[(await isWhole(dataDir)) ? 'whole' : 'half']++
      else {
        const isRefused = (await wordsOf(dataDir)).includes(halfRestored)
        await program(dataDir, 'restore', made).ended
        seen[isRefused && (await isWhole(dataDir)) ? 'refused' : 'half']++
      }
      rmSync(dataDir, { recursive: true, force: true })
    }
    return {
      ...seen,
      goal: 'what starts is whole, what is not does not start, and restored again it is whole',
      met: seen.half === 0 && seen.refused > 0,
    }
  } finally {
    rmSync(base, { recursive: true, force: true })
    await server.close()
  }
}
