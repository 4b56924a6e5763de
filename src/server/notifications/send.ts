import { letGoAt } from '../../domain/unverified.ts'
import { proposalsFor } from '../appointments/proposals.ts'
import type { Db } from '../database/database.ts'
import type { Env } from '../env.ts'
import { JobFailed } from '../jobs/failed.ts'
import type { Jobs } from '../jobs/queues.ts'
import { log } from '../log.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import { allyLetters, isAboutAlly } from './ally-letters.ts'
import { caseLetters, isAboutCase } from './emails/cfe.ts'
import { customersCalendar, performersCalendar } from './calendar-attachment.ts'
import type { AppointmentLetterJob, LetterJob } from './jobs.ts'
import { moneyLetters } from './money-letters.ts'
import { offerLetter } from './emails/offers.ts'
import type { Letter, Post } from './transport.ts'
import { activeManagers, activeStaff, type Mailbox } from './recipients.ts'
import { type Standing, standingOf, stillTrue } from './standing.ts'
import { timeOffLetters } from './time-off-letters.ts'
import { letterToCustomer } from './emails/appointment.ts'
import { letterToManager } from './to-managers.ts'
import { letterToPerson } from './emails/appointment-staff.ts'
import type { House, Told } from './told.ts'
import type { Written } from './written.ts'

type DeliveryEnv = Pick<Env, 'BRAND' | 'baseUrl' | 'MAIL_FROM'>
type Addressed = { reader: Mailbox; letter: Written; calendar?: Letter['calendar'] }

/**
 * Writes what a job asks for from what stands now, and sends it; where several are to read it, `apart` leaves a job for
 * each, so that one mailbox holds back nobody else's letter and repeats none. A letter that is no longer true is left
 * out. Throws when it was not taken; the next try sends it under the same Message-ID.
 */
export async function deliver(
  db: Db,
  env: DeliveryEnv,
  post: Post,
  { reader: one, ...data }: Jobs['letter'],
  jobId: string,
  apart: (readers: readonly string[]) => Promise<void>,
): Promise<void> {
  const { settings } = await currentStaffing(db)
  const house: House = { brand: env.BRAND, baseUrl: env.baseUrl, from: env.MAIL_FROM, settings }
  const all = await lettersFor(db, data, house, new Date())
  const letters = one === undefined ? all : all.filter(({ reader }) => reader.id === one)
  if (letters.length > 1) return apart(letters.map(({ reader }) => reader.id))
  const [letter] = letters
  if (letter) await sendTo(post, letter, messageIdOf(jobId, letter.reader.id, env.baseUrl))
  const line = { job: jobId, letter: data.letter, sent: letters.length, ...subjectOf(data) }
  log.info(
    line,
    letter ? 'letter sent' : 'a letter is no longer true, or has nobody to go to, and was not sent',
  )
}

async function sendTo(post: Post, { calendar, letter, reader }: Addressed, messageId: string) {
  try {
    await post.send({ ...letter, to: reader.email, messageId, ...(calendar && { calendar }) })
  } catch (error) {
    throw error instanceof JobFailed ? error.of(reader.id) : error
  }
}

async function lettersFor(db: Db, data: LetterJob, house: House, now: Date): Promise<Addressed[]> {
  if ('timeOffId' in data) return timeOffLetters(db, data, house)
  if ('offerId' in data) {
    const offer = await offerLetter(db, data, house, now)
    return offer ? [offer] : []
  }
  if (isAboutCase(data)) return caseLetters(db, data, house)
  if (isAboutAlly(data)) return allyLetters(db, data, house, now)
  if (!('appointmentId' in data)) return moneyLetters(db, data, house, now)
  const standing = await standingOf(db, data.appointmentId)
  return standing && stillTrue(standing, data, now) ? aboutAppointment(db, data, standing, house, now) : []
}

async function aboutAppointment(
  db: Db,
  data: AppointmentLetterJob,
  standing: Standing,
  house: House,
  now: Date,
): Promise<Addressed[]> {
  const told = toldOf(standing, data)
  switch (data.to) {
    case 'customer': {
      const { customer } = standing
      if (data.letter === 'analyst_missed') told.slots = await proposalsFor(db, standing, now)
      return customer.active
        ? [
            {
              reader: customer,
              letter: letterToCustomer(data.letter, told, customer, house),
              ...withCalendar(customersCalendar(data.letter, told, customer, house)),
            },
          ]
        : []
    }
    case 'managers':
      return (await activeManagers(db)).map((reader) => ({
        reader,
        letter: letterToManager(data.letter, told, reader, house),
      }))
    case 'person': {
      const personId = data.personId ?? (standing.confirmed ? standing.assigneeId : null)
      const theirs = standing.confirmed && standing.assigneeId === personId
      const known = { ...told, theirs, customer: standing.customer.name }
      return (personId ? await activeStaff(db, personId) : []).map((reader) => ({
        reader,
        letter: letterToPerson(data.letter, known, reader, house),
        ...withCalendar(performersCalendar(data.letter, known, reader, house)),
      }))
    }
  }
}

const withCalendar = (calendar: Letter['calendar'] | null) => (calendar ? { calendar } : {})

const toldOf = (standing: Standing, { was }: AppointmentLetterJob): Told => ({
  ...standing,
  keptUntil: letGoAt(standing),
  was: { startsAt: was?.startsAt ? new Date(was.startsAt) : null, municipality: was?.zone ?? null },
})

/** What a letter is about, for the log: the names of the job's own identifiers, and no key. */
function subjectOf({ letter, to, ...about }: LetterJob) {
  const { token, ...named } = { token: null, ...about }
  return Object.fromEntries(Object.entries(named).filter(([, id]) => typeof id === 'string'))
}

/** The same for each try of a job: mail programs show a letter that came twice once. */
const messageIdOf = (jobId: string, readerId: string, baseUrl: string) =>
  `<${jobId}.${readerId}@${new URL(baseUrl).hostname}>`
