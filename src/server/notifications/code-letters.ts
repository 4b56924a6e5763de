import { eq } from 'drizzle-orm'
import { benefitFrom, benefitWords } from '../../domain/code.ts'
import { users } from '../database/account-schema.ts'
import { codes } from '../database/ally-schema.ts'
import type { Db } from '../database/database.ts'
import { agencies } from '../database/office-schema.ts'
import type { AboutCode } from './jobs.ts'
import type { Addressed } from './money-letters.ts'
import { activeManagers, reader } from './recipients.ts'
import type { Fact, House } from './told.ts'
import { laidOut, type Words } from './written.ts'

type Told = NonNullable<Awaited<ReturnType<typeof toldCode>>>

const stillTrue: Record<AboutCode['letter'], (code: Told) => boolean> = {
  code_to_approve: ({ state }) => state === 'draft',
  code_approved: ({ state }) => state === 'active',
  code_refused: ({ state }) => state === 'revoked',
}

/** The letters about a code that gives more than its agency's limit: to who decides it, and what they said. */
export async function codeLetters(db: Db, job: AboutCode, house: House): Promise<Addressed[]> {
  const told = await toldCode(db, job.codeId)
  if (!told || !stillTrue[job.letter](told)) return []
  if (job.to === 'managers') {
    const href = `${house.baseUrl}/admin/agency/${told.agencyId}?seccion=codigos`
    return (await activeManagers(db)).map((manager) => ({
      reader: manager,
      letter: laidOut(toApprove(told), manager, house, { label: 'Ver los códigos', href }),
    }))
  }
  const { owner } = told
  const link = { label: 'Ver mis códigos', href: `${house.baseUrl}/admin/alliate/codes` }
  const words = job.letter === 'code_approved' ? approved(told) : refused(told)
  return owner.active ? [{ reader: owner, letter: laidOut(words, owner, house, link) }] : []
}

const gives = (told: Told): Fact => ['Beneficio', benefitWords(benefitFrom(told))]

const toApprove = (told: Told): Words => ({
  subject: `Hay un código por aprobar: ${told.code}`,
  heading: 'Un código espera tu aprobación',
  paragraphs: ['Da más de lo que su concesionaria puede dar por sí sola. No sirve hasta que lo apruebes.'],
  facts: [
    ['Código', told.code],
    gives(told),
    ['Concesionaria', told.agency],
    ['Lo pide', [told.owner.name, told.lastname].filter(Boolean).join(' ')],
  ],
})

const approved = (told: Told): Words => ({
  subject: `Tu código ${told.code} ya está activo`,
  heading: 'Aprobamos tu código',
  paragraphs: ['Ya lo puedes compartir.'],
  facts: [['Código', told.code], gives(told)],
})

const refused = (told: Told): Words => ({
  subject: `No aprobamos tu código ${told.code}`,
  heading: 'No aprobamos tu código',
  paragraphs: ['Puedes crear otro dentro del límite de tu concesionaria.'],
  facts: [['Código', told.code], gives(told), told.refusedReason ? ['Motivo', told.refusedReason] : null],
})

async function toldCode(db: Db, id: string) {
  const [row] = await db
    .select({
      ...{ code: codes.code, state: codes.state, agencyId: codes.agencyId, agency: agencies.name },
      ...{ kind: codes.benefitKind, value: codes.benefitValue, refusedReason: codes.refusedReason },
      ...{ owner: reader, lastname: users.lastname },
    })
    .from(codes)
    .innerJoin(agencies, eq(agencies.id, codes.agencyId))
    .innerJoin(users, eq(users.id, codes.ownerId))
    .where(eq(codes.id, id))
  return row
}
