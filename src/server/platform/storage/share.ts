import { sql } from 'drizzle-orm'
import type { Actor } from '../../../domain/access/actor.ts'
import { uploadShareOf } from '../../../domain/documents/document.ts'
import { waitInWords } from '../../../domain/shared/format.ts'
import { Refusal } from '../../../domain/shared/refusal.ts'
import { type Db, planned } from '../database/database.ts'
import type { Drive } from './drive.ts'

const hourMs = 3_600_000

/**
 * Takes what is about to be kept out of its sender's share of this hour, and refuses what does not fit, into the share or on
 * the disk. Asked with the whole of it received, before it is worked on, so that a lost network costs nothing.
 */
export async function takeShare(db: Db, drive: Drive, actor: Actor, bytes: number, now: Date): Promise<void> {
  await drive.demandRoom(bytes)
  const share = uploadShareOf(actor)
  const [files, kilobytes] = [`uploads ${actor.id}`, `uploaded kilobytes ${actor.id}`]
  const sent = Math.ceil(bytes / 1024)
  const endsAt = new Date(now.getTime() + hourMs)
  // One statement: of any number at once exactly those that fit pass.
  const rows = await planned<[key: string, count: number, endsAt: Date]>(
    db,
    sql`insert into limits as kept (key, count, window_ends_at) values (${files}, 1, ${endsAt}), (${kilobytes}, ${sent}, ${endsAt})
    on conflict (key) do update set
      count = excluded.count + case when kept.window_ends_at <= ${now} then 0 else kept.count end,
      window_ends_at = case when kept.window_ends_at <= ${now} then excluded.window_ends_at else kept.window_ends_at end
    returning key, count, window_ends_at`,
  )
  const [full] = rows.filter(([key, count]) => count > (key === files ? share.files : share.kilobytes))
  if (!full) return
  await planned(
    db,
    sql`update limits set count = greatest(count - case when key = ${files} then 1 else ${sent} end, 0)
    where key in (${files}, ${kilobytes})`,
  )
  const wait = waitInWords((full[2].getTime() - now.getTime()) / 1000)
  throw new Refusal('resource-exhausted', {
    title: 'Muchos archivos seguidos',
    description: `Este no se guardó. Espera ${wait} y vuelve a enviarlo; todo lo demás funciona como siempre.`,
  })
}
