import { eq, sql } from 'drizzle-orm'
import { toMinutes, wallMinute } from '../../domain/calendar.ts'
import { longDate, longDateTime } from '../../domain/shared/format.ts'
import { users } from '../database/account-schema.ts'
import type { Db } from '../database/database.ts'
import { timeOff } from '../database/staff-schema.ts'
import type { AboutTimeOff } from './jobs.ts'
import { activeManagers, activeStaff } from './recipients.ts'
import type { Fact, House } from './told.ts'
import { laidOut, type Words } from './written.ts'

type Asked = NonNullable<Awaited<ReturnType<typeof askedFor>>>

/** The letters about a request for time off with whom they go to; none when it is no longer as they would say. */
export async function timeOffLetters(db: Db, job: AboutTimeOff, house: House) {
  const asked = await askedFor(db, job.timeOffId)
  if (!asked || asked.withdrawnAt) return []
  const answered = asked.approvedAt !== null || asked.refusedAt !== null
  if (answered !== (job.letter === 'time_off_answered')) return []
  const readers =
    job.letter === 'time_off_asked' ? await activeManagers(db) : await activeStaff(db, asked.personId)
  const words = job.letter === 'time_off_asked' ? askedWords(asked) : answeredWords(asked)
  const link =
    job.letter === 'time_off_asked'
      ? { label: 'Responder', href: `${house.baseUrl}/admin/users/${asked.personId}` }
      : { label: 'Ver mis permisos', href: `${house.baseUrl}/admin/account#permisos` }
  return readers.map((reader) => ({ reader, letter: laidOut(words, reader, house, link) }))
}

const askedWords = (asked: Asked): Words => ({
  subject: `${asked.person} pide días libres`,
  heading: `${asked.person} pide días libres`,
  paragraphs: ['Mientras no respondas, se le pueden dar citas esos días.'],
  facts: [...span(asked), asked.reason ? ['Motivo', asked.reason] : null],
})

const answeredWords = (asked: Asked): Words => {
  const granted = asked.approvedAt !== null
  return {
    subject: granted ? 'Te dieron los días libres' : 'No te dieron los días libres',
    heading: granted ? 'Te dieron los días libres' : 'No te dieron los días libres',
    paragraphs: [granted ? 'Esos días no te llegan citas.' : 'Si lo necesitas, habla con la gerencia.'],
    facts: [...span(asked), asked.refusedReason ? ['Motivo', asked.refusedReason] : null],
  }
}

/** Whole days by their names, the last one included; otherwise with the time. */
function span({ from, to }: Asked): Fact[] {
  const whole = wallMinute(toMinutes(from)) === 0 && wallMinute(toMinutes(to)) === 0
  const last = new Date(to.getTime() - 60_000)
  return whole
    ? [
        ['Desde', longDate(from)],
        ['Hasta', longDate(last)],
      ]
    : [
        ['Desde', longDateTime(from)],
        ['Hasta', longDateTime(to)],
      ]
}

async function askedFor(db: Db, id: string) {
  const [row] = await db
    .select({
      personId: timeOff.personId,
      person: sql<string>`concat_ws(' ', ${users.name}, ${users.lastname})`,
      from: sql`lower(${timeOff.during})`.mapWith(timeOff.createdAt),
      to: sql`upper(${timeOff.during})`.mapWith(timeOff.createdAt),
      reason: timeOff.reason,
      approvedAt: timeOff.approvedAt,
      refusedAt: timeOff.refusedAt,
      refusedReason: timeOff.refusedReason,
      withdrawnAt: timeOff.withdrawnAt,
    })
    .from(timeOff)
    .innerJoin(users, eq(users.id, timeOff.personId))
    .where(eq(timeOff.id, id))
  return row as (typeof row & { from: Date; to: Date }) | undefined
}
