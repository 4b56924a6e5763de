import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Env } from '../env.ts'
import { isLocal, isLoopback } from '../loopback.ts'
import { readEml } from './eml.ts'

/** One letter of the outbox folder; `file` is its name there. */
export type KeptLetter = { file: string; at: Date; subject: string; to: string; text: string }

const shown = 50
const named = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z-[\w.-]+\.eml$/

/** Where letters wait when there is no mail server. */
export const outboxFolder = (dataDir: string) => path.join(dataDir, 'outbox')

/**
 * The folder behind the development page, or null when there is no such page. It shows everybody's letters to anybody:
 * only for the demo world, without a mail server, and where nobody but this machine can ask.
 */
export function readableOutbox(
  env: Pick<Env, 'SMTP_URL' | 'demo' | 'host' | 'baseUrl' | 'dataDir'>,
): string | null {
  const local = isLoopback(env.host) && isLocal(env.baseUrl)
  return env.demo && !env.SMTP_URL && local ? outboxFolder(env.dataDir) : null
}

/** The newest letters of the outbox, newest first. */
export async function newestLetters(folder: string): Promise<KeptLetter[]> {
  const files = (await readdir(folder).catch(none)).filter((file) => named.test(file))
  const newest = files.sort().reverse().slice(0, shown)
  const letters = await Promise.all(newest.map((file) => keptLetter(folder, file)))
  return letters.filter((letter) => letter !== null)
}

/** One letter by its file's name; null when there is none. */
export async function keptLetter(folder: string, file: string): Promise<KeptLetter | null> {
  const at = timeOf(file)
  if (!at) return null
  const source = await readFile(path.join(folder, file), 'utf8').catch(() => null)
  return source === null ? null : { file, at, ...readEml(source) }
}

/** When a letter was written, told by its name; null for any other name, above all one that leaves the folder. */
function timeOf(file: string): Date | null {
  const [, day, hour, minute, second, thousandth] = named.exec(file) ?? []
  return day ? new Date(`${day}T${hour}:${minute}:${second}.${thousandth}Z`) : null
}

function none(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}
