import type { Actor } from '../../../domain/access/actor.ts'
import type { Modules } from '../../../domain/access/routes.ts'
import { refuse } from '../../../domain/shared/refusal.ts'
import { caseSeen } from '../../cfe/queries.ts'
import { currentStaffing } from '../../scheduling/roster.ts'
import type { Db } from '../database/database.ts'
import { writePower, writeRequest } from './case-paper.ts'
import { writeCodeCard } from './code-card-paper.ts'
import { layOut } from './lay-out.ts'
import { paidPayment, sentQuote } from './queries.ts'
import { writeQuote } from './quote-paper.ts'
import { writeReceipt } from './receipt-paper.ts'
import { readStatement } from './statement-paper.ts'

type From = { db: Db; brand: string; baseUrl: string; modules: Modules }
type Document = { folio: string; pdf: Uint8Array<ArrayBuffer> }

/** The documents about money, by the kind their address names, each with its folio. For whoever may not read one, it does not exist. */
export const moneyPapers: Record<string, (from: From, actor: Actor, id: string) => Promise<Document>> = {
  async quote({ db, brand }, actor, id) {
    const paper = writeQuote((await sentQuote(db, actor, id)) ?? refuse('not-found'), brand)
    return { folio: paper.folio.replace(' ', '-'), pdf: await layOut(paper, actor.id) }
  },
  async code({ db, ...house }, actor, id) {
    const paper = await writeCodeCard(db, actor, id, house, new Date())
    return { folio: paper.folio, pdf: await layOut(paper, actor.id) }
  },
  async receipt({ db, brand }, actor, id) {
    const paid = (await paidPayment(db, actor, id)) ?? refuse('not-found')
    const { settings } = await currentStaffing(db)
    return { folio: paid.folio, pdf: await layOut(writeReceipt(paid, { brand, settings }), actor.id) }
  },
  solicitud: (from, actor, id) => caseLetter(writeRequest, from, actor, id),
  'carta-poder': (from, actor, id) => caseLetter(writePower, from, actor, id),
  async commissions({ db, brand }, actor, id) {
    const paper = (await readStatement(db, actor, id, brand)) ?? refuse('not-found')
    return { folio: paper.folio, pdf: await layOut(paper, actor.id) }
  },
}

/** A letter of a case with CFE, as long as there are any. */
async function caseLetter(
  write: typeof writeRequest,
  { brand, db, modules }: From,
  actor: Actor,
  id: string,
) {
  const seen = modules.has('gesties') ? await caseSeen(db, actor, id) : null
  const paper = write(seen ?? refuse('not-found'), brand, new Date())
  return { folio: paper.folio, pdf: await layOut(paper, actor.id) }
}
