import { and, eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '../database/database.ts'
import { appointments, users } from '../database/schema.ts'
import type { Env } from '../env.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { log } from '../log.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import { type House, type LetterKind, letterToCustomer, noPersonToManager } from './letters.ts'
import type { Post } from './post.ts'

type DeliveryEnv = Pick<Env, 'BRAND' | 'baseUrl'>

/**
 * Writes what a job asks for from the appointment as it stands now, and sends it. A letter that is no longer true is
 * left out. Throws when one was not taken; the next try sends each again under the same Message-ID.
 */
export async function deliver(
  db: Db,
  env: DeliveryEnv,
  post: Post,
  data: Jobs['letter'],
  jobId: string,
): Promise<void> {
  if (data.to === 'managers' && data.letter !== 'no_person')
    throw new Error(`managers have no letter ${data.letter}`)
  const told = await appointmentOf(db, data.appointmentId)
  if (!told || !stillTrue[data.letter](told)) {
    log.info(
      { job: jobId, letter: data.letter, appointment: data.appointmentId },
      'a letter is no longer true and was not sent',
    )
    return
  }
  const house: House = {
    brand: env.BRAND,
    baseUrl: env.baseUrl,
    settings: (await currentStaffing(db)).settings,
  }
  const readers = data.to === 'managers' ? await managers(db) : told.customer.active ? [told.customer] : []
  for (const reader of readers) {
    const letter =
      data.to === 'managers'
        ? noPersonToManager(told, reader, house)
        : letterToCustomer(data.letter, told, reader, house)
    await post.send({ ...letter, to: reader.email, messageId: messageId(jobId, reader.id, env.baseUrl) })
  }
  log.info(
    { job: jobId, letter: data.letter, appointment: data.appointmentId, sent: readers.length },
    'letter sent',
  )
}

type Standing = NonNullable<Awaited<ReturnType<typeof appointmentOf>>>

const ahead = ({ startsAt }: Standing) => startsAt.getTime() > Date.now()

/** Whether a letter still says what is so. */
const stillTrue: Record<LetterKind, (standing: Standing) => boolean> = {
  booked: (standing) => ahead(standing) && (standing.state === 'requested' || standing.state === 'assigned'),
  assigned: (standing) => ahead(standing) && standing.state === 'assigned' && standing.performer !== null,
  on_the_way: ({ state, performer }) => state === 'en_route' && performer !== null,
  let_go: ({ state }) => state === 'cancelled',
  no_person: (standing) => ahead(standing) && standing.state === 'requested' && standing.assigneeId === null,
}

const reader = {
  id: users.id,
  email: users.email,
  name: users.name,
  emailVerified: users.emailVerified,
  active: users.active,
}
const assignee = alias(users, 'assignee')

async function appointmentOf(db: Db, id: string) {
  const [row] = await db
    .select({
      id: appointments.id,
      folio: appointments.folio,
      service: appointments.service,
      state: appointments.state,
      startsAt: appointments.startsAt,
      municipality: appointments.municipality,
      address: appointments.address,
      assigneeId: appointments.assigneeId,
      // Somebody only provisionally chosen is not announced to anybody.
      performer: sql<string | null>`case when ${appointments.confirmedAt} is not null
        then nullif(concat_ws(' ', ${assignee.name}, ${assignee.lastname}), '') end`,
      customer: reader,
    })
    .from(appointments)
    .innerJoin(users, eq(users.id, appointments.customerId))
    .leftJoin(assignee, eq(assignee.id, appointments.assigneeId))
    .where(eq(appointments.id, id))
  return row
}

const managers = (db: Db) =>
  db
    .select(reader)
    .from(users)
    .where(and(eq(users.kind, 'manager'), users.active))
    .orderBy(users.id)

/** The same for each try of a job: mail programs show a letter that came twice once. */
const messageId = (jobId: string, readerId: string, baseUrl: string) =>
  `<${jobId}.${readerId}@${new URL(baseUrl).hostname}>`
