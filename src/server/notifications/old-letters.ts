import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { retentionDays } from '../../domain/retention.ts'
import { outboxFolder } from './outbox.ts'

/** Deletes the letters that lie as files, where no mail server takes them, once they are too old. Answers how many. */
export async function forgetLetters(dataDir: string, now: Date): Promise<number> {
  const folder = outboxFolder(dataDir)
  const before = now.getTime() - retentionDays.letterFiles * 24 * 60 * 60 * 1000
  let count = 0
  for (const name of await readdir(folder).catch(() => [])) {
    const file = path.join(folder, name)
    const written = await stat(file).catch(() => null)
    if (!written?.isFile() || written.mtimeMs >= before) continue
    await rm(file, { force: true })
    count++
  }
  return count
}
