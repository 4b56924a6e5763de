import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { type AgencySection, agencySections } from '../../src/agencies/rules/agency.ts'
import { agencyPath } from '../../src/agencies/screens/agency-paths.ts'
import {
  accounts,
  dayStarts,
  invitations,
  pushSubscriptions,
  sessions,
  users,
  visitCards,
} from '../../src/platform/database/schema/accounts.ts'
import {
  callMessages,
  calls,
  faults,
  sharedVisits,
  sheets,
} from '../../src/platform/database/schema/appointments.ts'
import { addresses, agencies, tasks } from '../../src/platform/database/schema/projects.ts'
import { hashOf } from '../../src/platform/http/sealing.ts'
import { localDay } from '../../src/shared/format.ts'
import { joined } from '../kit/agencies.ts'
import { hour, storeVisit } from '../kit/appointments.ts'
import { ago, db, fixture, fromNow, openBare, rowsWhere, setRow, storeRows } from '../kit/open.ts'
import type { Home, Person } from '../kit/people.ts'
import { writeSheet } from '../kit/reports.ts'
import { everyone, nameless, openEveryoneOnce, signedOut, type Who } from './everyone.ts'
import { mark, markEmail, markPhone, marksFor, marksOf, metBy, note, openMarksOnce } from './marks.ts'

/**
 * Every private column holds a mark that stands nowhere else. Each person then reads every screen: what they meet must be
 * among what is theirs to see.
 */
openBare()
openEveryoneOnce()
openMarksOnce()
let seen: Record<string, string[]>
beforeAll(async () => {
  const paths = await plant()
  seen = {}
  for (const who of Object.keys(everyone) as Who[]) seen[who] = await metBy(everyone[who], ...paths)
}, 120_000)

const staff = ['technician', 'technician2', 'analyst', 'ally', 'ally2', 'manager', 'gester'] as const

async function plant() {
  const { technician, technician2, analyst, ally, ally2, customer, customer2 } = everyone
  const clients = [
    await client('first', customer, technician, ally, analyst),
    await client('second', customer2, technician2, ally2, analyst),
  ]
  for (const who of staff) {
    await setRow(users, everyone[who], { phone: markPhone(`${who} phone`), email: markEmail(`${who} email`) })
  }
  for (const who of ['ally', 'ally2'] as const)
    await setRow(agencies, everyone[who].agencyId!, {
      ...marksFor(`${who} agency`, 'contact', 'notes'),
      phone: markPhone(`${who} agency phone`),
      commissionKind: 'amount',
      commissionValue: 77_123_00,
    })
  note('77,123', 'agency commission')
  await storeRows(invitations, {
    email: markEmail('invitation email'),
    kind: 'analyst',
    codeHash: note(hashOf('x'), 'code hash'),
    expiresAt: fromNow(hour),
  })
  const everybody = Object.values(everyone).filter((one): one is Person => 'id' in one)
  for (const { id } of everybody)
    await storeRows(accounts, {
      userId: id,
      accountId: id,
      providerId: 'credential',
      password: mark('password hash'),
    })
  // Every browser that is signed in gets notices.
  for (const { id: sessionId, token, userId } of await rowsWhere(sessions, {})) {
    const keys = { p256dh: mark('device key'), auth: mark('device secret') }
    const device = { userId, sessionId, endpoint: `https://push.example/${mark('device')}` }
    await storeRows(pushSubscriptions, { ...device, ...keys })
    note(token, 'session token')
  }
  const fixed = `/ /address /technics-visit /agenda-technics-visit /videocall /videocall?llamada /completion
    /signin /signup /cuenta /admin /admin/assignations /admin/appointments-pending /admin/appointments-done
    /admin/appointments-pending.csv /admin/appointments-done.csv /admin/account /admin/users
    /admin/users?role=customer /admin/users?text=5598 /admin/buscar /admin/buscar?q=Camila
    /admin/buscar?q=Carlos /admin/buscar?q=Prueba /admin/agencies /admin/agencies/add
    /admin/account/configuracion /approach /recover-password /v1/projects /v1/session /account/data`
  return [
    ...fixed.split(/\s+/),
    ...[ally, ally2].flatMap(({ agencyId }) =>
      (Object.keys(agencySections) as AgencySection[]).map((section) => agencyPath(agencyId!, section)),
    ),
    ...everybody.map(({ id }) => `/admin/users/${id}`),
    ...clients.flatMap(({ brought, done, next, talk }) => [
      ...[next, done, talk].map((id) => `/calendar/${id}.ics`),
      ...[done, talk].map((id) => `/admin/appointments-done/${id}`),
      `/admin/appointments-pending/${next}`,
      `/admin/assignations/${next}`,
      `/admin/appointment-done-videocall/${talk}`,
      `/admin/appointment-pending-videocall/${talk}`,
      `/admin/alliate/clients/${brought}`,
    ]),
  ]
}

/** A customer's home, a visit to come and one that is done; `name` stands before each of its columns. */
async function client(name: string, person: Person, technician: Person, ally: Person, analyst: Person) {
  const phone = markPhone(`${name} phone`)
  await setRow(users, person, {
    ...marksFor(name, 'lastname'),
    phone,
    email: markEmail(`${name} email`),
  })
  const home = await fixture.home(
    person,
    {
      ...marksFor(name, 'street', 'references', 'gateNotes', 'receiverName', 'betweenStreets'),
      receiverPhone: markPhone(`${name} receiverPhone`),
    },
    ally.agencyId!,
  )
  const assigneeId = technician.id
  const next = await storeVisit(fixture, person, home, fromNow(30 * hour), {
    assigneeId,
    ...marksFor(name, 'notes'),
    requestDigest: mark('digest'),
  })
  const car = marksFor(`${name} car`, 'vehicle', 'colour', 'plates', 'credential')
  await storeRows(visitCards, { userId: technician.id, ...car })
  await storeRows(dayStarts, { personId: technician.id, municipality: mark(`${name} begins`) })
  const shared = { appointmentId: next.id, day: localDay(next.startsAt) }
  await storeRows(sharedVisits, { ...shared, secretHash: mark('digest') })
  const done = await storeVisit(fixture, person, home, ago(30 * hour), {
    assigneeId,
    state: 'done',
    ...marksFor(name, 'closingNote', 'overrideReason'),
  })
  const report = { ...done, state: name === 'first' ? ('approved' as const) : ('returned' as const) }
  await writeSheet(fixture, report, { panelBrand: mark(`${name} report`) })
  await db.update(sheets).set(marksFor(name, 'returnReason')).where(eq(sheets.appointmentId, done.id))
  const fault = { id: randomUUID(), appointmentId: done.id, customerId: person.id, visitId: next.id }
  await storeRows(faults, { ...fault, ...marksFor(name, 'description') })
  const pin = { latitude: Number(`19.${markPhone(`${name} pin`)}1`), longitude: -99 }
  await setRow(addresses, home.addressId, { ...marksFor(name, 'cfeServiceNumber'), ...pin })
  await storeRows(tasks, {
    subject: 'Llamar',
    reason: 'coverage',
    personId: person.id,
    phone,
    projectId: home.projectId,
  })
  const brought = await joined(person, ally, { ...marksFor(name, 'reason') })
  return { brought, next: next.id, done: done.id, talk: await talk(name, person, home, analyst) }
}

/** A call that took place, with what was said and written in it. */
async function talk(name: string, person: Person, home: Home, analyst: Person) {
  const { id: appointmentId } = await storeVisit(fixture, person, home, ago(50 * hour), {
    service: 'videocall',
    folio: `AV-PRUEBA-${name}`,
    minutes: 30,
    assigneeId: analyst.id,
    state: 'done',
    outcome: 'completed',
    interest: '01',
  })
  const notes = mark(`${name} call notes`)
  await storeRows(calls, { appointmentId, notes, ...marksFor(name, 'summary', 'nextSteps') })
  const chat = { appointmentId, authorId: person.id, side: 'customer' as const, id: randomUUID() }
  await storeRows(callMessages, { ...chat, ...marksFor(name, 'text') })
  return appointmentId
}

/** What somebody met of the columns whose names begin in a way. */
const of = (who: Who, ...starts: string[]) =>
  seen[who]!.filter((column) => starts.some((start) => column.startsWith(start)))
const said = ['summary', 'nextSteps', 'text']
const bothClients = (columns: readonly string[]) =>
  ['first', 'second'].flatMap((name) => columns.map((column) => `${name} ${column}`))

test('nobody reads passwords, session tokens or hashes of codes', () => {
  for (const who of Object.keys(everyone) as Who[])
    expect(of(who, 'password hash', 'session token', 'code hash', 'digest', 'device'), who).toEqual([])
})

test('whoever is signed out, or without a name, reads nothing', () => {
  for (const who of [...signedOut, ...nameless]) expect(seen[who], who).toEqual([])
})

test.each([
  ['customer', 'first'],
  ['customer2', 'second'],
] as const)('%s reads what is their own, and nothing of the office', (who, name) => {
  expect(seen[who]!.filter((column) => !column.startsWith(name))).toEqual([])
  const own = `betweenStreets cfeServiceNumber gateNotes pin receiverName receiverPhone references street
    closingNote email lastname report`.split(/\s+/)
  const met = (columns: readonly string[]) =>
    columns.filter((column) => seen[who]!.includes(`${name} ${column}`))
  const theirs = [...own, 'car plates', ...said]
  expect(met(theirs)).toEqual(theirs)
  expect(met(['overrideReason', 'call notes', 'returnReason', 'begins'])).toEqual([])
})

test('the manager reads what there is to manage', () => {
  const read = bothClients([
    'phone',
    'email',
    'street',
    'notes',
    'closingNote',
    'pin',
    'car plates',
    'begins',
  ])
  const house = ['agency commission', 'ally agency notes', 'invitation email', 'technician phone']
  expect(seen.manager).toEqual(expect.arrayContaining([...read, ...house]))
})

test('a technician reads of the customers they visit, and of no other', () => {
  expect(of('technician', 'second')).toEqual([])
  expect(of('technician2', 'first')).toEqual([])
  const read = ['phone', 'street', 'references', 'gateNotes', 'notes', 'description', 'pin', 'begins']
  expect(seen.technician).toEqual(expect.arrayContaining(read.map((column) => `first ${column}`)))
  expect(seen.technician).not.toContain('first overrideReason')
  expect(of('analyst', 'first car', 'first begins')).toEqual([])
})

test('the analyst and the manager read what was said in a call, and no other staff does', () => {
  const columns = bothClients(['call notes', ...said])
  for (const who of staff)
    expect(of(who, ...columns), who).toEqual(['analyst', 'manager'].includes(who) ? columns.toSorted() : [])
})

test('a gester without cases reads of no customer, and an ally the first name only', () => {
  for (const who of ['gester', 'ally', 'ally2'] as const) expect(of(who, 'first', 'second'), who).toEqual([])
})

test('only the manager reads commissions, notes about agencies and invitations', () => {
  const kept = ['agency commission', 'ally agency notes', 'ally2 agency notes', 'invitation email']
  for (const who of staff.filter((one) => one !== 'manager')) expect(of(who, ...kept), who).toEqual([])
})

test('an ally knows their own agency and no other', () => {
  expect(of('ally', 'ally2 agency')).toEqual([])
  expect(of('ally2', 'ally agency')).toEqual([])
})

test('staff find no row by something of it they may not see', async () => {
  const searched = marksOf(/^(first|second) (lastname|email|phone)$/)
  expect(searched).toHaveLength(6)
  /** How many lists show a row; first names are what everybody reads of one. */
  const found = async (who: Who, query: string) => {
    const lists = ['pending', 'done'].map((list) =>
      fixture.data(`/admin/appointments-${list}?${query}`, everyone[who]),
    )
    return (await Promise.all(lists)).filter(({ text }) => /Camila|Carlos/.test(text)).length
  }
  // What was typed stands in its box: only results count.
  const everywhere = async (who: Who, word: string) => {
    const { groups } = await (await fixture.open(`/admin/buscar.json?q=${word}`, everyone[who])).json()
    return /Camila|Carlos/.test(JSON.stringify(groups))
  }
  for (const [word, column] of searched) {
    const theirs = column.startsWith('first') ? 'technician' : 'technician2'
    for (const who of ['manager', 'technician', 'technician2', 'ally', 'ally2', 'gester'] as const) {
      const may = who === 'manager' || who === theirs
      const got = [await found(who, `text=${word}`), await everywhere(who, word)]
      expect(got, `${who}, by ${column}`).toEqual(may ? [2, true] : [0, false])
    }
  }
  // Where and who are not an ally's either: such a filter is as if it were not there.
  expect(await found('manager', 'zone=tlalpan')).toBe(0)
  for (const query of ['', 'zone=tlalpan', `person=${everyone.technician2.id}`])
    expect(await found('ally', query), query).toBe(2)
})
