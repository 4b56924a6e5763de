import { once } from 'node:events'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { and, eq, sql } from 'drizzle-orm'
import { type Db, queryRows, transaction } from '../platform/database/client.ts'
import { busyCalendars } from '../platform/database/schema/staff.ts'
import { externalSystems } from '../platform/external.ts'
import { sealingKey, unseal } from '../platform/http/sealing.ts'
import { noteAnswer } from '../platform/jobs/hands.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { askOutside, outsideFault } from '../platform/outside.ts'
import type { BusyAnswer, BusyQuestion } from '../scheduling/busy-times.ts'
import { lockingAllStaffing } from '../scheduling/choose.ts'
import { areSameDay, dayOf, toDate, toMinutes } from '../shared/calendar.ts'
import { type CalendarFault, calendarState, type Readings } from './rules/busy-calendar.ts'

/** How calendars are read: their addresses are stored encrypted, since who has one reads everything in it. */
export type CalendarReader = {
  key: Buffer
  /** Our own, whose appointments hold their people already. */
  host: string
  /** Hosts that may be private. A test's own server; no setting adds one. */
  trusted: ReadonlySet<string>
}

export const openCalendars = ({ baseUrl, secret }: { baseUrl: string; secret: string }): CalendarReader => ({
  key: sealingKey(secret, 'busy calendars'),
  host: new URL(baseUrl).hostname,
  trusted: new Set(),
})

/** Has the calendars read whose time has come; returns how many. Not all in the same minute. */
export async function askForCalendars(db: Db): Promise<number> {
  return transaction(db, async (tx) => {
    const { rows } = await tx.execute<{ id: string; host: string }>(sql`update busy_calendars
      set next_read_at = now() + interval '10 minutes' + random() * interval '2 minutes'
      where next_read_at <= now() returning id, host`)
    for (const { host, id } of rows) await enqueue(tx, 'read-calendar', { calendarId: id, receiver: host })
    return rows.length
  })
}

/** Reads a calendar, and stores what it says. The last hours that are known stay while it does not answer. */
export async function readCalendar(db: Db, reader: CalendarReader, id: string, now: Date): Promise<void> {
  const [row] = await db.select().from(busyCalendars).where(eq(busyCalendars.id, id))
  if (!row) return
  // Each day one more day lies ahead, also of what did not change.
  const etag = row.readAt && areSameDay(row.readAt, now) ? row.etag : null
  const url = unseal(reader.key, row.sealed)
  const reading = url ? await readAt(url, { ...row, etag, now, reader }) : { fault: 'sealed' as const }
  noteAnswer(row.host, !('fault' in reading && reading.fault === 'timeout'))
  const set = 'fault' in reading ? afterFailure(row, reading.fault, now) : { ...afterAnswer(now), ...reading }
  const { busy = row.busy } = set as { busy?: string }
  const [changed] = await queryRows(
    db,
    sql`select from busy_calendars where id = ${id} and busy <> ${busy}::tstzmultirange`,
  )
  // Its owner may have wanted its whole days in another way since, and has it read again.
  const isSame = and(eq(busyCalendars.id, id), eq(busyCalendars.allDay, row.allDay))
  // The hours of people change: open bookings are waited for.
  const lock = changed ? lockingAllStaffing : ''
  await transaction(db, (tx) => tx.update(busyCalendars).set(set).where(isSame), lock)
  if (changed || set.fault !== row.fault) announce(db, { people: [row.personId], desk: false })
}

const afterAnswer = (readAt: Date) => ({ readAt, fault: null, failures: 0, failingSince: null })

/** One that has gone, or is silent for a day, is asked once in an hour. */
function afterFailure(row: Readings, fault: CalendarFault, now: Date) {
  const failed = { fault, failures: row.failures + 1, failingSince: row.failingSince ?? now }
  const isStopped = calendarState({ ...row, ...failed }, now) === 'stopped'
  return { ...failed, ...(isStopped && { nextReadAt: new Date(now.getTime() + 3_600_000) }) }
}

type Reading = { fault: CalendarFault } | { busy?: string; unread?: number; etag?: string | null }
type Asking = { reader: CalendarReader; etag: string | null; allDay: boolean; now: Date }

async function readAt(url: string, asking: Asking): Promise<Reading> {
  const { allDay, etag, now, reader } = asking
  try {
    const { body, headers, status } = await fetched(url, asking)
    if (status === 304 && etag) return {}
    if (status !== 200) return { fault: gone.includes(status) ? 'gone' : 'status' }
    if (!body) return { fault: 'empty' }
    const { start } = dayOf(toMinutes(now))
    const answer = await understood({
      text: body,
      from: start,
      to: start + 60 * 1440,
      allDay,
      host: reader.host,
    })
    if ('fault' in answer) return answer
    const busy = answer.busy.map(
      ({ end, start }) => `[${toDate(start).toISOString()},${toDate(end).toISOString()})`,
    )
    return { busy: `{${busy}}`, unread: answer.unread, etag: headers.etag ?? null }
  } catch (error) {
    return { fault: outsideFault(error) }
  }
}

/** The address is no more, or allows no one in: most often until its owner gives another. */
const gone = [401, 404, 410]
const mostBytes = 5 * 1024 * 1024
const mostRedirects = 3

/** Where an address leads; each step is guarded as the first. */
async function fetched(url: string, { etag, reader }: Asking) {
  const began = performance.now()
  let target = new URL(url)
  for (let step = 0; step <= mostRedirects; step++) {
    const message = {
      url: target,
      headers: {
        accept: 'text/calendar',
        'user-agent': 'carga-en-casa-calendar/1',
        ...(etag && { 'if-none-match': etag }),
      },
      most: mostBytes,
      left: externalSystems.calendars.answer - (performance.now() - began),
    }
    const answer = await askOutside('calendars', message, reader.trusted.has(target.host))
    const { location } = answer.headers
    const next = location === undefined ? null : URL.parse(location, target)
    if (answer.status < 300 || answer.status === 304 || answer.status >= 400 || !next) return answer
    target = next
  }
  throw new Error('too many redirects')
}

/** Five megabytes of entries take a second; one that is made to take longer is ended. */
const mostSeconds = 5

async function understood(question: BusyQuestion): Promise<BusyAnswer | { fault: 'slow' }> {
  const worker = new Worker(path.resolve('src/scheduling/busy-worker.ts'), {
    workerData: question,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
  const late = setTimeout(() => void worker.terminate(), mostSeconds * 1000)
  try {
    // Ended, or without memory left, it says nothing.
    return await Promise.race([once(worker, 'message'), once(worker, 'exit')]).then(([answer]) =>
      typeof answer === 'object' ? answer : { fault: 'slow' },
    )
  } catch {
    return { fault: 'slow' }
  } finally {
    clearTimeout(late)
    void worker.terminate()
  }
}
