import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyPassword } from 'better-auth/crypto'
import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { homeCount, sceneOf } from '../../seeds/scenes.ts'
import { loadDemo } from '../../seeds/world.ts'
import {
  activeStates,
  type Performer,
  performers,
  serviceFacts,
} from '../../src/domain/appointments/appointment.ts'
import { noProject, projectStatusOf } from '../../src/domain/projects/project.ts'
import { extraSlots, isSignature, slotsOf } from '../../src/domain/reports/photos.ts'
import { missingIn } from '../../src/domain/reports/progress.ts'
import { isHard, whyNot } from '../../src/domain/scheduling/eligibility.ts'
import { busyOf, defaultTravel, rosterOf } from '../../src/domain/scheduling/roster.ts'
import { defaultSettings } from '../../src/domain/settings/settings-schema.ts'
import { dayOf, isHoliday, localDate, toMinutes } from '../../src/domain/shared/calendar.ts'
import { municipalities } from '../../src/domain/shared/places.ts'
import { demoSignIns } from '../../src/server/app/start.ts'
import { type Db, openDatabase } from '../../src/server/platform/database/client.ts'
import {
  accounts,
  consents,
  personZones,
  shifts,
  users,
} from '../../src/server/platform/database/schema/accounts.ts'
import {
  appointments,
  callMessages,
  callSittings,
  calls,
  sheets,
} from '../../src/server/platform/database/schema/appointments.ts'
import { addresses, events, projects } from '../../src/server/platform/database/schema/projects.ts'
import { openDrive } from '../../src/server/platform/storage/drive.ts'
import { filledSheet, openRedo, storedSlots } from '../../src/server/reports/rows.ts'
import { demoDatabase, freshDatabase } from '../kit/fresh-database.ts'
import { anyDay, moments } from './moments.ts'

test('each photo of a demo report is a scene of its own, and the homes differ', () => {
  for (const kind of ['visit', 'installation'] as const) {
    const slots = slotsOf[kind].filter((slot) => !isSignature(slot) && !extraSlots.includes(slot))
    for (let home = 0; home < homeCount; home++)
      expect(new Set(slots.map((slot) => sceneOf(kind, slot, home))).size, kind).toBe(slots.length)
  }
  const facades = Array.from({ length: homeCount }, (_, home) => sceneOf('visit', 'facade', home))
  expect(new Set(facades).size).toBe(homeCount)
})

const opened: Db[] = []
afterEach(async () => {
  for (const db of opened.splice(0)) await db.$client.end()
})

async function demoAt(now: string): Promise<Db> {
  const db = await demoDatabase(new Date(now))
  opened.push(db)
  return db
}

async function rosterIn(db: Db) {
  const people = await db
    .select()
    .from(users)
    .where(inArray(users.kind, [...performers]))
  const hours = await db.select().from(shifts)
  const served = await db.select().from(personZones)
  return rosterOf(
    people.map(({ id, active, kind }) => ({
      id,
      kind: kind as Performer,
      active,
      timeOff: [],
      shifts: hours
        .filter((shift) => shift.personId === id)
        .map(({ weekday, starts, ends }) => ({ weekday, from: starts, to: ends })),
      zones: served.filter((row) => row.personId === id).map((row) => zoneOf(row.municipality)),
    })),
  )
}

const zoneOf = (municipality: string | null) => municipalities.findIndex(({ slug }) => slug === municipality)

describe.each(moments())('loaded at %s', (_name, now) => {
  let db: Db
  beforeAll(async () => {
    db = await demoDatabase(new Date(now))
  })
  afterAll(() => db.$client.end())

  test('every visit could have been booked when it was, beside all the others', async () => {
    const roster = await rosterIn(db)
    const visits = await db.select().from(appointments)
    const rowOf = (visit: (typeof visits)[number]) => {
      const start = toMinutes(visit.startsAt)
      const person = roster.ids.indexOf(visit.assigneeId!)
      const { service } = visit
      return { person, service, start, end: start + visit.minutes, zone: zoneOf(visit.municipality) }
    }
    for (const visit of visits) {
      const { person, start, zone } = rowOf(visit)
      const others = busyOf(roster.ids.length, visits.filter((other) => other !== visit).map(rowOf))
      const booked = toMinutes(visit.createdAt)
      const ask = {
        service: visit.service,
        zone,
        now: booked,
        days: [dayOf(start)],
        settings: defaultSettings,
        travel: defaultTravel(),
      }
      const against = whyNot(roster, others, person, start, ask)
      expect(visit.createdAt < new Date(now)).toBe(true)
      if (visit.overrideReason) {
        expect([visit.state, localDate(start)]).toEqual(['assigned', localDate(toMinutes(new Date(now)))])
        expect([against.length > 0, against.filter(isHard)], visit.folio).toEqual([true, []])
        continue
      }
      expect(against, visit.folio).toEqual([])
      expect(isHoliday(localDate(start), []) || dayOf(start).weekday === 6, visit.folio).toBe(false)
      expect(activeStates.some((state) => state === visit.state)).toBe(visit.startsAt > new Date(now))
    }
  })

  test('the technician has a visit today, confirmed and not begun', async () => {
    const today = localDate(toMinutes(new Date(now)))
    const own = await db
      .select({ visit: appointments })
      .from(appointments)
      .innerJoin(users, eq(users.id, appointments.assigneeId))
      .where(and(eq(users.email, 'tecnico@demo.mx'), eq(appointments.state, 'assigned')))
    const due = own.filter(({ visit }) => localDate(toMinutes(visit.startsAt)) === today)
    expect(due.length).toBeGreaterThan(0)
    for (const { visit } of due) {
      expect(visit.confirmedAt).not.toBeNull()
      expect(visit.startsAt.getTime()).toBeGreaterThan(new Date(now).getTime() - 5 * 60_000)
    }
  })

  test('there is something to see in every list', async () => {
    const rows = await db
      .select({ state: appointments.state, count: sql<number>`count(*)::int` })
      .from(appointments)
      .groupBy(appointments.state)
    const counts = Object.fromEntries(rows.map(({ state, count }) => [state, count]))
    expect(counts).toEqual({ requested: 3, assigned: 7, cancelled: 1, done: 44 })
    const months = await db
      .select({
        month: sql<string>`to_char(starts_at at time zone 'America/Mexico_City', 'YYYY-MM')`,
        count: sql<number>`count(*)::int`,
      })
      .from(appointments)
      .where(eq(appointments.state, 'done'))
      .groupBy(sql`1`)
    const whole = months.filter(({ month }) => month < localDate(toMinutes(new Date(now))).slice(0, 7))
    expect(whole.length).toBe(12)
    for (const { count } of whole) expect(count).toBeGreaterThanOrEqual(2)
    const busy = await db
      .selectDistinct({ id: appointments.assigneeId })
      .from(appointments)
      .where(eq(appointments.state, 'assigned'))
    expect(busy.length).toBe(3)
  })
})

test('every call that was held left a summary, next steps, notes, a chat, and both sides in its room', async () => {
  const db = await demoAt(anyDay)
  const held = await db
    .select()
    .from(appointments)
    .innerJoin(calls, eq(calls.appointmentId, appointments.id))
    .where(and(eq(appointments.service, 'videocall'), eq(appointments.state, 'done')))
  expect(held).toHaveLength(2)
  for (const { appointments: visit, calls: call } of held) {
    expect(
      Math.min(...[call.summary, call.nextSteps, call.notes].map((text) => text!.length)),
    ).toBeGreaterThan(20)
    const sittings = await db.select().from(callSittings).where(eq(callSittings.appointmentId, visit.id))
    expect(sittings.map(({ side, userId }) => [side, userId]).sort()).toEqual([
      ['analyst', visit.assigneeId],
      ['customer', visit.customerId],
    ])
    for (const { joinedAt, leftAt } of sittings)
      expect(joinedAt < visit.startsAt && leftAt!.getTime() === visit.finishedAt!.getTime()).toBe(true)
    const lines = await db.select().from(callMessages).where(eq(callMessages.appointmentId, visit.id))
    expect(lines.length).toBeGreaterThan(2)
    for (const { at } of lines) expect(visit.startsAt <= at && at <= visit.finishedAt!).toBe(true)
  }
})

test('reports are whole, in every state of a review, and the installations of these weeks have their records', async () => {
  const db = await demoAt(anyDay)
  const written = await db
    .select({ sheet: sheets, appointment: appointments })
    .from(sheets)
    .innerJoin(appointments, eq(appointments.id, sheets.appointmentId))
  const told = written.map(({ sheet }) => `${sheet.kind} ${sheet.state}`)
  expect(told.toSorted()).toEqual([
    ...Array(2).fill('installation approved'),
    ...Array(17).fill('visit approved'),
    'visit returned',
    'visit submitted',
  ])
  for (const { appointment, sheet } of written) {
    const filled = await filledSheet(db, appointment, sheet.kind)
    expect(missingIn(sheet.kind, filled.answers, storedSlots(filled.files))).toEqual([])
    expect(openRedo(filled)).toEqual(sheet.state === 'returned' ? ['meter'] : [])
    expect(sheet.reviewedAt ?? sheet.submittedAt! <= new Date(anyDay)).toBeTruthy()
    expect(sheet.warrantyUntil === null).toBe(sheet.kind === 'visit')
  }
})

test('the people who sign in are there, verified, with a password that opens the account', async () => {
  const db = await demoAt(anyDay)
  const rows = await db.select().from(users).innerJoin(accounts, eq(accounts.userId, users.id))
  const byEmail = new Map(rows.map((row) => [row.users.email, row]))
  for (const { email } of demoSignIns) {
    const row = byEmail.get(email)!
    expect(row.users.emailVerified).toBe(true)
    expect(row.accounts).toMatchObject({ providerId: 'credential', accountId: row.users.id })
  }
  expect(byEmail.get('nuevo@demo.mx')!.users).toMatchObject({
    name: null,
    lastname: null,
    phone: null,
    role: 'customer',
  })
  expect(byEmail.get('gerente@demo.mx')!.users).toMatchObject({ role: 'staff', kind: 'manager' })
  expect(byEmail.get('aliado@demo.mx')!.users.agencyId).not.toBeNull()
  const hash = byEmail.get('cliente@demo.mx')!.accounts.password!
  expect(await verifyPassword({ hash, password: 'carga-en-casa' })).toBe(true)
})

test('one customer can book at once, another waits for the manager', async () => {
  const db = await demoAt(anyDay)
  const of = async (email: string) =>
    db
      .select({
        municipality: addresses.municipality,
        area: addresses.area,
        state: appointments.state,
        agency: projects.agencyId,
      })
      .from(users)
      .innerJoin(projects, eq(projects.customerId, users.id))
      .innerJoin(addresses, eq(addresses.projectId, projects.id))
      .leftJoin(appointments, eq(appointments.projectId, projects.id))
      .where(eq(users.email, email))
  expect(await of('cliente@demo.mx')).toEqual([
    { municipality: 'coyoacan', area: 'served', state: null, agency: null },
  ])
  const [waiting] = await of('cliente2@demo.mx')
  expect(waiting).toMatchObject({ municipality: 'benito-juarez', area: 'served', state: 'requested' })
  expect(waiting!.agency).not.toBeNull()
})

test('one installation can be booked, one is ahead, others are done; calls come before and after', async () => {
  const db = await demoAt(anyDay)
  const rows = await db
    .select({ email: users.email, project: projects, appointment: appointments })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.customerId))
    .leftJoin(appointments, eq(appointments.projectId, projects.id))
  const of = (email: string) => rows.filter((row) => row.email === email)
  const standing = (email: string) => {
    const [row] = of(email)
    const parts = of(email).flatMap(({ appointment }) =>
      appointment ? [{ ...appointment, since: appointment.updatedAt }] : [],
    )
    return projectStatusOf({ ...noProject, ...row!.project, area: 'served', appointments: parts })
  }
  expect(standing('cliente3@demo.mx')).toMatchObject({ next: { to: '/agenda-installation' } })
  const installations = rows.filter(({ appointment }) => appointment?.service === 'installation')
  expect(installations.map(({ appointment }) => appointment!.state).sort()).toEqual([
    'assigned',
    ...Array(6).fill('done'),
  ])
  for (const { email, project, appointment } of installations) {
    expect(project.depositPaidAt! < appointment!.createdAt).toBe(true)
    expect(project.quoteAcceptedAt! < project.depositPaidAt!).toBe(true)
    expect(['installing', 'closed']).toContain(standing(email).stage)
  }
  const calls = rows.filter(({ appointment }) => appointment?.service === 'videocall')
  expect(calls.map(({ appointment }) => appointment!.state).sort()).toEqual([
    'assigned',
    'assigned',
    'done',
    'done',
  ])
  for (const { appointment } of calls)
    expect(appointment).toMatchObject({ address: null, municipality: null, interest: expect.any(String) })
  expect(of('lejos@demo.mx')).toHaveLength(1)
})

test('history, folios and versions are those of real changes', async () => {
  const db = await demoAt(anyDay)
  const visits = await db
    .select()
    .from(appointments)
    .orderBy(asc(appointments.createdAt), asc(appointments.folio))
  for (const { folioPrefix } of Object.values(serviceFacts)) {
    const folios = visits.map(({ folio }) => folio).filter((folio) => folio.startsWith(folioPrefix))
    expect(folios.length).toBeGreaterThan(1)
    expect(folios).toEqual(folios.toSorted())
  }
  const traces = await db
    .select()
    .from(events)
    .where(eq(events.entity, 'appointment'))
    .orderBy(asc(events.id))
  for (const { id, service, state, version, updatedAt, confirmedAt } of visits) {
    const trail = traces.filter((event) => event.entityId === id)
    const first = service === 'videocall' ? 'assigned' : 'requested'
    expect(trail[0]).toMatchObject({ name: 'book', fromState: null, toState: first })
    for (const [n, event] of trail.entries()) {
      if (n > 0) expect(event.fromState).toBe(trail[n - 1]!.toState)
      if (n > 0) expect(event.at >= trail[n - 1]!.at).toBe(true)
      expect(event.actorId).not.toBeNull()
    }
    expect(trail.at(-1)).toMatchObject({ toState: state, at: updatedAt })
    expect(trail.length).toBe(version)
    expect(confirmedAt === null).toBe(state === 'requested')
  }
})

test('it loads once: again, later, or by two processes at the same time', async () => {
  const db = await freshDatabase(4)
  opened.push(db)
  const now = new Date(anyDay)
  await Promise.all([loadDemo(db, now), loadDemo(db, now)])
  const first = await db.select().from(users).orderBy(asc(users.id))
  await loadDemo(db, new Date('2027-03-01T12:00:00-06:00'))
  expect(await db.select().from(users).orderBy(asc(users.id))).toEqual(first)
  expect(new Set(first.map(({ email }) => email)).size).toBe(first.length)
  // Everybody agreed to the terms, as whoever signs up does: nobody is asked for them.
  const agreed = await db.select({ id: consents.userId, version: consents.version }).from(consents)
  expect(new Map(agreed.map(({ id, version }) => [id, version]))).toEqual(
    new Map(first.map(({ id, termsVersion }) => [id, termsVersion])),
  )
})

test('the demo loads on a machine that stops for longer than a transaction may be idle, and says how far it is', async () => {
  const empty = await freshDatabase(1)
  const { database } = empty.$client.options
  const db = openDatabase({ ...inject('postgres'), database, idle_in_transaction_session_timeout: 150 }, 4)
  opened.push(empty, db)
  const folder = mkdtempSync(path.join(tmpdir(), 'demo-'))
  let stops = 0
  const slow = { ...openDrive({ folder }), put: async () => void (stops++ === 0 && (await sleep(600))) }
  const told: number[] = []
  await loadDemo(db, new Date(anyDay), slow, undefined, (percent) => told.push(percent))
  rmSync(folder, { recursive: true })
  expect(stops).toBeGreaterThan(100)
  expect(told).toEqual(told.toSorted((a, b) => a - b))
  expect([told[0]! < 5, told.at(-1)]).toEqual([true, 100])
})

test('it leaves a database with people alone', async () => {
  const db = await freshDatabase(4)
  opened.push(db)
  await db.insert(users).values({ email: 'alguien@ejemplo.mx' })
  await loadDemo(db, new Date(anyDay))
  expect(
    await db
      .select()
      .from(users)
      .where(and(ne(users.email, 'alguien@ejemplo.mx'))),
  ).toEqual([])
})

test('the same moment makes the same world', async () => {
  const visitsOf = (db: Db) =>
    db
      .select({
        folio: appointments.folio,
        startsAt: appointments.startsAt,
        state: appointments.state,
        customer: users.email,
      })
      .from(appointments)
      .innerJoin(users, eq(users.id, appointments.customerId))
      .orderBy(asc(appointments.folio))
  // Loaded here: any two copies of what is kept are the same.
  const again = await freshDatabase(4)
  opened.push(again)
  await loadDemo(again, new Date(anyDay))
  expect(await visitsOf(again)).toEqual(await visitsOf(await demoAt(anyDay)))
})
