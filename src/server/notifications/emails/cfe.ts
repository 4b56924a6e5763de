import { eq } from 'drizzle-orm'
import { caseKindLabels, caseStateFacts } from '../../../domain/cfe-case.ts'
import { takesPapers } from '../../../domain/cfe-moves.ts'
import { casePaperFacts, owedByCustomer } from '../../../domain/cfe-papers.ts'
import { caseLineWords } from '../../../domain/cfe-turn.ts'
import { neededOf, type PaperRow, papersOf } from '../../cfe/rows.ts'
import { users } from '../../database/account-schema.ts'
import { cfeCases } from '../../database/cfe-schema.ts'
import type { Db } from '../../database/database.ts'
import type { AboutCase, LetterJob } from '../jobs.ts'
import type { Addressed } from '../money-letters.ts'
import { activeManagers, activeStaff, type Mailbox, reader } from '../recipients.ts'
import type { House } from '../told.ts'
import { laidOut, type Words } from '../written.ts'

/** Whether a letter is about a case with CFE. */
export const isAboutCase = (job: LetterJob): job is AboutCase => 'caseId' in job || 'gesterId' in job

/** The letters about a case with CFE; none where the turn they tell of is over. */
export async function caseLetters(db: Db, job: AboutCase, house: House): Promise<Addressed[]> {
  if (job.letter === 'cases_handed')
    return addressed(await activeStaff(db, job.gesterId), handedWords(job.count), house, '')
  const told = await toldCase(db, job.caseId)
  if (!told) return []
  if (job.letter === 'case_turn' && told.row.waitingSince.toISOString() !== job.since) return []
  if (job.to === 'customer') return toCustomer(told, house)
  const words = job.letter === 'case_given' ? givenWords(told) : yourTurnWords(told)
  const { gesterId, id } = told.row
  return addressed(await handlersOf(db, gesterId), words, house, `/${id}`)
}

/** Whoever handles a case; where nobody does, or they left, the managers, who give it to somebody. */
async function handlersOf(db: Db, gesterId: string | null): Promise<readonly Mailbox[]> {
  const own = gesterId ? await activeStaff(db, gesterId) : []
  return own.length > 0 ? own : activeManagers(db)
}

type Told = NonNullable<Awaited<ReturnType<typeof toldCase>>>

async function toldCase(db: Db, id: string) {
  const [found] = await db
    .select({ row: cfeCases, customer: reader, lastname: users.lastname })
    .from(cfeCases)
    .innerJoin(users, eq(users.id, cfeCases.customerId))
    .where(eq(cfeCases.id, id))
  return found && { ...found, papers: await papersOf(db, id) }
}

const addressed = (readers: readonly Mailbox[], words: Words, house: House, path: string): Addressed[] =>
  readers.map((one) => ({
    reader: one,
    letter: laidOut(words, one, house, { label: 'Abrir', href: `${house.baseUrl}/admin/gesties${path}` }),
  }))

function toCustomer({ customer, papers, row }: Told, house: House): Addressed[] {
  if (!customer.active) return []
  const { folio, kind, state, waitingOn } = row
  const line = caseLineWords({ state, turn: waitingOn })
  const why =
    customer.emailVerified && ['observed', 'rejected', 'cancelled'].includes(state) ? row.reason : null
  const words: Words = {
    subject: `${subjectOf(row)} (${folio})`,
    heading: subjectOf(row),
    paragraphs: [line, ...(takesPapers(state) ? missingWords(neededOf(row, papers)) : [])],
    facts: [
      ['Trámite', caseKindLabels[kind]],
      ['Folio', folio],
      ['Estado', caseStateFacts[state].label],
      why === null ? null : ['Motivo', why],
    ],
  }
  const link = { label: 'Ver mi trámite', href: `${house.baseUrl}/installation` }
  return [{ reader: customer, letter: laidOut(words, customer, house, link) }]
}

const subjectOf = ({ state, waitingOn }: Told['row']) =>
  waitingOn === 'customer'
    ? 'Tu trámite con CFE te espera'
    : waitingOn === 'cfe'
      ? 'Tu trámite ya está con CFE'
      : state === 'closed'
        ? 'Tu trámite con CFE terminó'
        : 'Cómo va tu trámite con CFE'

function missingWords(papers: readonly PaperRow[]): string[] {
  const owed = owedByCustomer(papers).map(({ name, reason }) =>
    reason ? `${casePaperFacts[name].label} (${reason})` : casePaperFacts[name].label,
  )
  return owed.length > 0 ? [`Súbelo en tu página de instalación: ${owed.join('; ')}.`] : []
}

const aboutCustomer = ({ customer, lastname, row }: Told): Words['facts'] => [
  ['Folio', row.folio],
  ['Trámite', caseKindLabels[row.kind]],
  ['Cliente', [customer.name, lastname].filter(Boolean).join(' ')],
  ['Estado', caseStateFacts[row.state].label],
]

const givenWords = (told: Told): Words => ({
  subject: `Te encargamos un trámite (${told.row.folio})`,
  heading: 'Te encargamos un trámite',
  paragraphs: ['Revisa qué documentos faltan y de quién es el turno.'],
  facts: aboutCustomer(told),
})

const yourTurnWords = (told: Told): Words => ({
  subject: `Un trámite está en tu turno (${told.row.folio})`,
  heading: 'Un trámite está en tu turno',
  paragraphs: ['Ya puedes seguir con él.'],
  facts: aboutCustomer(told),
})

const handedWords = (count: number): Words => ({
  subject: count === 1 ? 'Te encargamos un trámite' : `Te encargamos ${count} trámites`,
  heading: count === 1 ? 'Te encargamos un trámite' : `Te encargamos ${count} trámites`,
  paragraphs: ['Están en tu lista, con lo más urgente primero.'],
  facts: [],
})
