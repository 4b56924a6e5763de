import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inject } from 'vitest'
import { freshDatabase } from '../kit/fresh-database.ts'
import { secret } from '../kit/people.ts'

export type Listening = Awaited<ReturnType<typeof listening>>

/** The program itself, as `npm start` leaves it running, on a port and a database of its own. */
export async function listening(environment: Record<string, string> = {}) {
  const db = await freshDatabase(2)
  const { database } = db.$client.options
  const { host, user } = inject('postgres')
  const port = 20_000 + Math.floor(Math.random() * 20_000)
  const base = `http://127.0.0.1:${port}`
  const folder = mkdtempSync(path.join(tmpdir(), 'carga-wire-'))
  const env = {
    ...process.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    BASE_URL: base,
    DATA_DIR: folder,
    AUTH_SECRET: secret,
    DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
    NODE_ENV: 'production',
    LOG_LEVEL: 'error',
    ...environment,
  }
  const child = spawn(process.execPath, ['src/app/main.ts'], { env, stdio: 'inherit' })
  const isReady = () =>
    fetch(`${base}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error('The server did not start.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    db,
    base,
    /** The processor's time that the program took so far, in milliseconds; on Linux, in ticks of ten. */
    worked() {
      const figures = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
      return figures.slice(11, 13).reduce((sum, ticks) => sum + Number(ticks) * 10, 0)
    },
    /** Sends bytes as they are and reads until the other side ends, or nothing came for a while. */
    raw: (text: string) => exchange(port, text),
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      await db.$client.end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let got = ''
    socket.setTimeout(1_500, () => socket.destroy())
    socket.on('data', (piece) => {
      got += piece.toString('latin1')
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(got))
    socket.write(text)
  })
}

export const crlf = '\r\n'
export const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])
