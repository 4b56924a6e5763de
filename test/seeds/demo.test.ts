import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyPassword } from 'better-auth/crypto'
import { asc, eq, inArray } from 'drizzle-orm'
import { inject } from 'vitest'
import { homeCount, sceneOf } from '../../seeds/scenes.ts'
import { loadDemo } from '../../seeds/world.ts'
import { demoSignIns } from '../../src/app/start.ts'
import {
  activeStates,
  type Performer,
  performers,
  serviceFacts,
} from '../../src/appointments/rules/appointment.ts'
import { type Db, openDatabase } from '../../src/platform/database/client.ts'
import {
  accounts,
  consents,
  personZones,
  shifts,
  users,
  visitCards,
} from '../../src/platform/database/schema/accounts.ts'
import {
  appointments,
  callMessages,
  callSittings,
  calls,
  faults,
  sheets,
} from '../../src/platform/database/schema/appointments.ts'
import { cfeCases } from '../../src/platform/database/schema/cfe.ts'
import { payments } from '../../src/platform/database/schema/payments.ts'
import { projects } from '../../src/platform/database/schema/projects.ts'
import { openDrive } from '../../src/platform/storage/drive.ts'
import { noProject, projectStatusOf } from '../../src/projects/rules/project.ts'
import { filledSheet, openRedo, storedSlots } from '../../src/reports/rows.ts'
import { extraSlots, isSignature, slotsOf } from '../../src/reports/rules/photos.ts'
import { missingIn } from '../../src/reports/rules/progress.ts'
import { isHard, whyNot } from '../../src/scheduling/rules/eligibility.ts'
import { busyOf, defaultTravel, rosterOf } from '../../src/scheduling/rules/roster.ts'
import { defaultSettings } from '../../src/settings/rules/settings-schema.ts'
import { dayOf, isHoliday, localDate, toMinutes } from '../../src/shared/calendar.ts'
import { municipalities } from '../../src/shared/places.ts'
import { demoDatabase, freshDatabase } from '../kit/fresh-database.ts'
import { eventsOf, rowIn, rowsIn } from '../kit/reading.ts'
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
      const ask = {
        service: visit.service,
        zone,
        now: toMinutes(visit.createdAt),
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

  test('the technician has a confirmed visit today that has not begun', async () => {
    const today = localDate(toMinutes(new Date(now)))
    const technician = await rowIn({ db }, users, { email: 'tecnico@demo.mx' })
    const own = await rowsIn({ db }, appointments, { assigneeId: technician!.id, state: 'assigned' })
    const due = own.filter(({ startsAt }) => localDate(toMinutes(startsAt)) === today)
    expect(due.length).toBeGreaterThan(0)
    for (const { confirmedAt, startsAt } of due) {
      expect(confirmedAt).not.toBeNull()
      expect(startsAt.getTime()).toBeGreaterThan(new Date(now).getTime() - 5 * 60_000)
    }
  })

  test('there are appointments in every list, and in each of the last twelve months', async () => {
    const rows = await db.select().from(appointments)
    const counts = (of: string[]): Record<string, number> =>
      Object.fromEntries([...Map.groupBy(of, (one) => one)].map(([one, { length }]) => [one, length]))
    expect(counts(rows.map(({ state }) => state))).toEqual({
      requested: 3,
      assigned: 7,
      cancelled: 1,
      done: 44,
    })
    const months = rows
      .filter(({ state }) => state === 'done')
      .map(({ startsAt }) => localDate(toMinutes(startsAt)).slice(0, 7))
    const { [localDate(toMinutes(new Date(now))).slice(0, 7)]: _, ...whole } = counts(months)
    expect(Object.keys(whole)).toHaveLength(12)
    expect(Math.min(...Object.values(whole))).toBeGreaterThanOrEqual(2)
    const busy = rows.filter(({ state }) => state === 'assigned').map(({ assigneeId }) => assigneeId)
    expect(new Set(busy).size).toBe(3)
  })
})

test('every call that was held left a summary, next steps, notes, a chat, and both sides in its room', async () => {
  const db = await demoAt(anyDay)
  const held = await rowsIn({ db }, appointments, { service: 'videocall', state: 'done' })
  expect(held).toHaveLength(2)
  for (const { assigneeId, customerId, finishedAt, id, startsAt } of held) {
    const about = { appointmentId: id }
    const call = (await rowIn({ db }, calls, about))!
    for (const text of [call.summary, call.nextSteps, call.notes]) expect(text!.length).toBeGreaterThan(20)
    const sittings = await rowsIn({ db }, callSittings, about)
    const sides = [
      ['analyst', assigneeId],
      ['customer', customerId],
    ]
    expect(sittings.map(({ side, userId }) => [side, userId]).sort()).toEqual(sides)
    for (const { joinedAt, leftAt } of sittings)
      expect(joinedAt < startsAt && leftAt!.getTime() === finishedAt!.getTime()).toBe(true)
    const lines = await rowsIn({ db }, callMessages, about)
    expect(lines.length).toBeGreaterThan(2)
    for (const { at } of lines) expect(startsAt <= at && at <= finishedAt!).toBe(true)
  }
})

test('every kind of staff has work: cases in each state, portraits and plates, a reported fault, an expired deposit, two homes', async () => {
  const db = await demoAt(anyDay)
  const cases = await db.select().from(cfeCases)
  expect(cases.map(({ state }) => state).toSorted()).toEqual([
    'approved',
    'closed',
    'filed',
    'gathering',
    'gathering',
    'observed',
  ])
  const filed = cases.find(({ state }) => state === 'filed')!
  expect(Math.round((Date.parse(anyDay) - filed.filedAt!.getTime()) / 86_400_000)).toBe(20)
  const gester = await rowIn({ db }, users, { email: 'gestor@demo.mx' })
  expect(
    cases.filter(({ gesterId, waitingOn }) => gesterId === gester!.id && waitingOn === 'gester').length,
  ).toBeGreaterThan(0)
  for (const { photo, plates } of await db.select().from(visitCards)) {
    expect(plates).toMatch(/^DEM-/)
    expect(photo!.length).toBeGreaterThan(1000)
  }
  expect(await db.select().from(visitCards)).toHaveLength(2)
  expect((await db.select().from(faults)).map(({ closedAt }) => closedAt)).toEqual([null])
  expect(await rowsIn({ db }, payments, { concept: 'deposit', state: 'expired' })).toHaveLength(1)
  const clara = await rowIn({ db }, users, { email: 'cliente6@demo.mx' })
  expect(await rowsIn({ db }, projects, { customerId: clara!.id })).toHaveLength(2)
})

test('reports are whole, in every state of a review, and the installations of these weeks have their records', async () => {
  const db = await demoAt(anyDay)
  const written = await db
    .select({ sheet: sheets, appointment: appointments })
    .from(sheets)
    .innerJoin(appointments, eq(appointments.id, sheets.appointmentId))
  expect(written.map(({ sheet }) => `${sheet.kind} ${sheet.state}`).toSorted()).toEqual([
    ...Array(2).fill('installation approved'),
    ...Array(18).fill('visit approved'),
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
  const of = (email: string) => rows.find((row) => row.users.email === email)!
  for (const { email } of demoSignIns)
    expect(of(email)).toMatchObject({
      users: { emailVerified: true },
      accounts: { providerId: 'credential', accountId: of(email).users.id },
    })
  expect(of('nuevo@demo.mx').users).toMatchObject({
    name: null,
    lastname: null,
    phone: null,
    role: 'customer',
  })
  expect(of('gerente@demo.mx').users).toMatchObject({ role: 'staff', kind: 'manager' })
  expect(of('aliado@demo.mx').users.agencyId).not.toBeNull()
  const hash = of('cliente@demo.mx').accounts.password!
  expect(await verifyPassword({ hash, password: 'carga-en-casa' })).toBe(true)
})

test('one installation can be booked, one is ahead, others are done; calls come before and after', async () => {
  const rows = await (await demoAt(anyDay))
    .select({ email: users.email, project: projects, appointment: appointments })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.customerId))
    .leftJoin(appointments, eq(appointments.projectId, projects.id))
  const of = (email: string) => rows.filter((row) => row.email === email)
  const statusOf = (email: string) => {
    const parts = of(email).flatMap(({ appointment }) =>
      appointment ? [{ ...appointment, since: appointment.updatedAt }] : [],
    )
    return projectStatusOf({ ...noProject, ...of(email)[0]!.project, area: 'served', appointments: parts })
  }
  expect(statusOf('cliente3@demo.mx')).toMatchObject({ next: { to: '/agenda-installation' } })
  const booked = (service: string) => rows.filter(({ appointment }) => appointment?.service === service)
  const states = (service: string) =>
    booked(service)
      .map(({ appointment }) => appointment!.state)
      .sort()
  expect(states('installation')).toEqual(['assigned', ...Array(6).fill('done')])
  for (const { email, project, appointment } of booked('installation')) {
    expect(project.depositPaidAt! < appointment!.createdAt).toBe(true)
    expect(project.quoteAcceptedAt! < project.depositPaidAt!).toBe(true)
    expect(['installing', 'closed']).toContain(statusOf(email).stage)
  }
  expect(states('videocall')).toEqual(['assigned', 'assigned', 'done', 'done'])
  for (const { appointment } of booked('videocall'))
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
  for (const { id, service, state, version, updatedAt, confirmedAt } of visits) {
    const trail = await eventsOf({ db }, id, 'appointment')
    const first = service === 'videocall' ? 'assigned' : 'requested'
    expect(trail[0]).toMatchObject({ name: 'book', fromState: null, toState: first })
    for (const [n, event] of trail.entries()) {
      const before = trail[n - 1]
      if (before) expect([event.fromState, event.at >= before.at]).toEqual([before.toState, true])
      expect(event.actorId).not.toBeNull()
    }
    expect(trail.at(-1)).toMatchObject({ toState: state, at: updatedAt })
    expect(trail.length).toBe(version)
    expect(confirmedAt === null).toBe(state === 'requested')
  }
})

test('the demo loads once, on a machine that stops for longer than a transaction may be idle', async () => {
  const empty = await freshDatabase(1)
  const { database } = empty.$client.options
  const db = openDatabase({ ...inject('postgres'), database, idle_in_transaction_session_timeout: 150 }, 4)
  opened.push(empty, db)
  const folder = mkdtempSync(path.join(tmpdir(), 'demo-'))
  const now = new Date(anyDay)
  let stops = 0
  let second: Promise<void> | undefined
  const put = async () => {
    if (stops++ > 0) return
    // Another process begins meanwhile; if it fails, that is known before anything waits for it.
    second = loadDemo(db, now)
    second.catch(() => undefined)
    await sleep(600)
  }
  const percents: number[] = []
  await loadDemo(db, now, { ...openDrive({ folder }), put }, (percent) => percents.push(percent))
  await second
  rmSync(folder, { recursive: true })
  expect(stops).toBeGreaterThan(100)
  expect(percents).toEqual(percents.toSorted((a, b) => a - b))
  expect([percents[0]! < 5, percents.at(-1)]).toEqual([true, 100])

  const other = await demoAt(anyDay)
  expect(await visitsOf(db)).toEqual(await visitsOf(other))
  const first = await db.select().from(users).orderBy(asc(users.id))
  await loadDemo(db, new Date('2027-03-01T12:00:00-06:00'))
  expect(await db.select().from(users).orderBy(asc(users.id))).toEqual(first)
  expect(new Set(first.map(({ email }) => email)).size).toBe(first.length)
  // Each user agreed to the terms, as at a sign-up.
  const agreed = (await db.select().from(consents)).map(({ userId, version }) => [userId, version] as const)
  expect(new Map(agreed)).toEqual(new Map(first.map(({ id, termsVersion }) => [id, termsVersion!])))
})

const visitsOf = async (of: Db) => {
  return (await of.select().from(appointments).innerJoin(users, eq(users.id, appointments.customerId)))
    .map(({ appointments: { folio, startsAt, state }, users: { email } }) =>
      [folio, startsAt, state, email].join(),
    )
    .toSorted()
}

test('does not load into a database with users', async () => {
  const db = await freshDatabase(4)
  opened.push(db)
  await db.insert(users).values({ email: 'alguien@ejemplo.mx' })
  await loadDemo(db, new Date(anyDay))
  expect(await db.select().from(users)).toHaveLength(1)
})
