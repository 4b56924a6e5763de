import type { Actor } from '../../domain/access/actor.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import type { Db } from '../platform/database/database.ts'
import { layOut } from '../platform/pdf/lay-out.ts'
import { type Drive, keysOf } from '../platform/storage/drive.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import { handedOver } from './handover-queries.ts'
import { writeHandover } from './write.ts'

type From = { db: Db; drive: Drive; house: { brand: string; baseUrl: string } }

/** The hand-over document of an installation, with its folio. For whoever may not read it, it does not exist. */
export async function handoverDocument({ db, drive, house }: From, actor: Actor, id: string) {
  const found = (await handedOver(db, actor, id)) ?? refuse('not-found')
  const { settings } = await currentStaffing(db)
  const paper = await writeHandover(found, {
    house: { ...house, settings },
    small: (picture) => drive.get(keysOf(picture).list),
  })
  return { folio: found.folio, pdf: await layOut(paper, actor.id) }
}
