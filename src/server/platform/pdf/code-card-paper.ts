import { and, eq } from 'drizzle-orm'
import type { Actor } from '../../../domain/access/actor.ts'
import { benefitFrom, benefitWords, codeStateBy } from '../../../domain/agencies/codes.ts'
import { longDate } from '../../../domain/shared/format.ts'
import { refuse } from '../../../domain/shared/refusal.ts'
import { codesVisibleTo } from '../../agencies/codes-visible.ts'
import { drawQr } from '../../app/qr.ts'
import type { Db } from '../database/database.ts'
import { isId } from '../database/ids.ts'
import { codes } from '../database/schema/agencies.ts'
import { agencies } from '../database/schema/office-schema.ts'
import type { CodeCardPaper } from './paper.ts'

/** Puts a code that can be handed out into the words of its card for the counter. */
export async function writeCodeCard(
  db: Db,
  actor: Actor,
  id: string,
  house: { brand: string; baseUrl: string },
  now: Date,
): Promise<CodeCardPaper> {
  const [row] = isId(id)
    ? await db
        .select({ code: codes, agency: agencies.name })
        .from(codes)
        .innerJoin(agencies, eq(agencies.id, codes.agencyId))
        .where(and(eq(codes.id, id), codesVisibleTo(actor)))
    : []
  if (!row) return refuse('not-found')
  const { agency, code } = row
  const state = codeStateBy(code, now)
  if (state !== 'active' && state !== 'paused')
    refuse('failed-precondition', 'Este código ya no se puede compartir, o todavía no está activo.')
  const benefit = benefitFrom({ kind: code.benefitKind, value: code.benefitValue })
  const link = `${house.baseUrl}/approach?codigo=${code.code}`
  return {
    ...{ kind: 'code', folio: code.code, brand: house.brand, agency, link, qr: drawQr(link) },
    benefit: benefit.kind === 'none' ? null : benefitWords(benefit),
    notes: [
      code.endsOn ? `Úsalo hasta el ${longDate(code.endsOn)}.` : null,
      benefit.kind === 'percent' || benefit.kind === 'amount'
        ? 'El descuento se aplica a tu cotización. Un beneficio por instalación.'
        : null,
    ].filter((note) => note !== null),
  }
}
