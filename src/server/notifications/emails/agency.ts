import { and, eq } from 'drizzle-orm'
import { inviteLink } from '../../../domain/client-link.ts'
import { benefitFrom, benefitWords } from '../../../domain/code.ts'
import { longDate } from '../../../domain/shared/format.ts'
import { hashOf } from '../../accounts/code.ts'
import { isGiven } from '../../clients/register.ts'
import { clients, codes } from '../../database/ally-schema.ts'
import type { Db } from '../../database/database.ts'
import { agencies } from '../../database/office-schema.ts'
import type { AboutClient } from '../jobs.ts'
import type { Addressed } from '../money-letters.ts'
import type { House } from '../told.ts'
import { laidOut, type Words } from '../written.ts'

/**
 * The invitation of somebody whom an ally registered; none once they joined, it ended, or another link took its place. The
 * mailbox is proved by nobody yet, so it says nothing that anybody typed.
 */
export async function clientLetters(db: Db, job: AboutClient, house: House, now: Date): Promise<Addressed[]> {
  const told = await standingOf(db, job.clientId, now)
  if (!told?.email || told.customerId || told.endedAt) return []
  if (told.inviteHash !== hashOf(job.token) || !told.endsAt || told.endsAt <= now) return []
  const reader = { id: told.id, email: told.email, name: null, emailVerified: false, active: true }
  const link = { label: 'Empezar', href: house.baseUrl + inviteLink(job.token, told.code) }
  return [{ reader, letter: laidOut(wordsOf(told, house), reader, house, link) }]
}

type Told = NonNullable<Awaited<ReturnType<typeof standingOf>>>

function wordsOf({ agency, benefitKind, benefitValue, code, endsAt }: Told, { brand }: House): Words {
  const benefit =
    benefitKind && benefitKind !== 'none'
      ? benefitWords(benefitFrom({ kind: benefitKind, value: benefitValue ?? 0 }))
      : null
  return {
    subject: `${agency} te invita a instalar tu cargador en casa`,
    heading: 'Tu cargador, instalado en casa',
    paragraphs: [
      `${agency} nos dijo que quieres instalar un cargador para tu auto eléctrico. Crea tu cuenta con este enlace y agenda tu visita técnica: ${brand} se encarga de lo demás.`,
      'Si no lo pediste, no hagas nada: borramos tus datos cuando el enlace termina.',
    ],
    facts: [
      code ? ['Tu código', code] : null,
      benefit ? ['Tu beneficio', benefit] : null,
      endsAt ? ['El enlace sirve hasta', longDate(endsAt)] : null,
    ],
  }
}

/** With its code only as long as it may be used: a letter promises nothing that is over. */
async function standingOf(db: Db, id: string, now: Date) {
  const [row] = await db
    .select({
      ...{ id: clients.id, email: clients.email, customerId: clients.customerId, endedAt: clients.endedAt },
      ...{ inviteHash: clients.inviteHash, endsAt: clients.inviteExpiresAt, agency: agencies.name },
      ...{ code: codes.code, benefitKind: codes.benefitKind, benefitValue: codes.benefitValue },
    })
    .from(clients)
    .innerJoin(agencies, eq(agencies.id, clients.agencyId))
    .leftJoin(codes, and(eq(codes.id, clients.codeId), isGiven(now)))
    .where(eq(clients.id, id))
  return row
}
