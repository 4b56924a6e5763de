import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { freePort } from '../../test/kit/two-servers.ts'
import { startProgram } from './program.ts'

const root = path.resolve(import.meta.dirname, '../..')
const modules = path.join(root, 'node_modules')
const parts = ['bin', 'src', 'seeds', 'public', 'types']
const isOurs = (name: string) => parts.includes(name) || /\.(ts|json)$/.test(name)

/** Copies packages without their content: the files are the same ones, the folders are not. */
const link = (from: string, to: string) => `cp -alf "${from}"/* "${from}/.bin" "${to}"`

type Kind = { built?: boolean; installed?: boolean; commit?: string }

export type Checkout = Awaited<ReturnType<typeof newCheckout>>

/**
 * A copy of this checkout on which `npm start` is tried, without data: `installed` with its packages, `built` with its
 * build, or what an older commit was. Where packages are missing, the npm on its PATH brings them from here.
 */
export async function newCheckout({ built = false, installed = built, commit = '' }: Kind = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'start-'))
  // PostgreSQL never runs as root: its user has to get in.
  chmodSync(folder, 0o755)
  const at = (name: string) => path.join(folder, name)
  if (commit) shell(`git archive ${commit} | tar -x -C "${folder}"`)
  else
    for (const name of readdirSync(root).filter(isOurs))
      cpSync(path.join(root, name), at(name), { recursive: true })
  if (built) cpSync(path.join(root, 'build'), at('build'), { recursive: true })
  mkdirSync(at('host'))
  writeFileSync(at('host/npm'), `#!/bin/sh\n${link(modules, 'node_modules')}\n`, { mode: 0o755 })
  if (installed) {
    mkdirSync(at('node_modules/.stamps'), { recursive: true })
    shell(link(modules, at('node_modules')))
    cpSync(path.join(modules, '.stamps/install'), at('node_modules/.stamps/install'))
  }
  const port = await freePort()
  const environment = {
    PATH: `${at('host')}:${path.dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: tmpdir(),
    PORT: String(port),
    WEB_PROCESSES: '1',
    LOG_LEVEL: 'error',
  }
  return {
    folder,
    at,
    port,
    /** Below another program where one is named, or as another user. */
    start: (more: Record<string, string> = {}, { below = [], ...as }: Input = {}) =>
      startProgram([...below, process.execPath, 'bin/run.mjs', 'start'], {
        cwd: folder,
        env: { ...environment, ...more },
        ...as,
      }),
    rows: (query: string, data = 'data') => rowsOf(at(`${data}/postgres`), query),
    postmaster: () => postmasterOf(at('data/postgres')),
    async remove() {
      const pid = postmasterOf(at('data/postgres'))
      if (pid) await killed(pid)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Input = { below?: readonly string[]; uid?: number; gid?: number }

const shell = (line: string) => spawnSync('/bin/sh', ['-c', line], { cwd: root })

/** The number in the cluster's file, if that process lives. */
function postmasterOf(cluster: string): number | undefined {
  const file = path.join(cluster, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10)
  return existsSync(`/proc/${pid}`) ? pid : undefined
}

/** Kills a process, and returns once it is gone. */
export async function killed(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
  while (/^State:\s+[^Z]/m.test(stateOf(Math.abs(pid))))
    await new Promise((resolve) => setTimeout(resolve, 10))
}

function stateOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}

async function rowsOf(host: string, query: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ host, user: 'postgres', database: 'carga' })
  await client.connect()
  try {
    return (await client.query(query)).rows
  } finally {
    await client.end()
  }
}
