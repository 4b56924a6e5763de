import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { type AgencySection, agencySections } from '../../src/domain/agencies/agency.ts'
import { hashOf } from '../../src/server/accounts/limits.ts'
import { accounts, invitations, users } from '../../src/server/platform/database/schema/accounts.ts'
import {
  appointments,
  callMessages,
  calls,
  faults,
  sheets,
} from '../../src/server/platform/database/schema/appointments.ts'
import { addresses, agencies, tasks } from '../../src/server/platform/database/schema/projects.ts'
import { agencyPath } from '../../src/web/agencies/agency-paths.ts'
import { hour, storeVisit } from '../kit/appointments.ts'
import { openBare, world } from '../kit/open.ts'
import type { Home, Person } from '../kit/people.ts'
import { writeSheet } from '../kit/reports.ts'
import { type Cast, openCast, type Who } from './cast.ts'
import { plantDevices, plantOnTheRoad, plantShared } from './planted.ts'

/**
 * Every private column holds a mark that stands nowhere else. Each person then reads every screen, as page and as data:
 * what they meet must be among what is theirs to see.
 */
openBare()
let cast: Cast
let seen: Record<string, ReadonlySet<string>>
beforeAll(async () => {
  cast = await openCast(world)
  const paths = await plant()
  seen = {}
  for (const who of Object.keys(cast) as Who[]) seen[who] = await readBy(who, paths)
}, 120_000)

let marks = 0
const known = new Map<string, string>()
/** A word, or the digits of a phone, that tell which column they stood in. */
function mark(column: string): string {
  const word = `Zq${String(++marks).padStart(3, '0')}z`
  known.set(word, column)
  return word
}
function markPhone(column: string): string {
  const digits = `55980${String(++marks).padStart(5, '0')}`
  known.set(digits, column)
  return digits
}

async function plant() {
  const { technician, technician2, analyst, ally, ally2, customer, customer2, manager, gester } = cast
  const clients = [
    await client('first', customer, technician, ally, analyst),
    await client('second', customer2, technician2, ally2, analyst),
  ]
  for (const [name, person] of Object.entries({
    technician,
    technician2,
    analyst,
    ally,
    ally2,
    manager,
    gester,
  }))
    await world.db
      .update(users)
      .set({ phone: markPhone(`${name} phone`), email: `${mark(`${name} email`).toLowerCase()}@prueba.mx` })
      .where(eq(users.id, person.id))
  for (const [name, { agencyId }] of Object.entries({ ally, ally2 }))
    await world.db
      .update(agencies)
      .set({
        contact: mark(`${name} agency contact`),
        phone: markPhone(`${name} agency phone`),
        notes: mark(`${name} agency notes`),
        commissionKind: 'amount',
        commissionValue: 77_123_00,
      })
      .where(eq(agencies.id, agencyId!))
  known.set('77,123', 'agency commission')
  await world.db.insert(invitations).values({
    email: `${mark('invitation email').toLowerCase()}@prueba.mx`,
    kind: 'analyst' as const,
    codeHash: hashOf('x'),
    expiresAt: new Date(Date.now() + hour),
  })
  known.set(hashOf('x'), 'code hash')
  const everybody = Object.values(cast).filter((one): one is Person => 'id' in one)
  for (const { id } of everybody)
    await world.db
      .insert(accounts)
      .values({ userId: id, accountId: id, providerId: 'credential', password: mark('password hash') })
  for (const token of await plantDevices(world, mark)) known.set(token, 'session token')
  return [
    '/',
    '/address',
    '/technics-visit',
    '/agenda-technics-visit',
    '/videocall',
    '/videocall?llamada',
    '/completion',
    '/signin',
    '/signup',
    '/cuenta',
    '/admin',
    '/admin/assignations',
    '/admin/appointments-pending',
    '/admin/appointments-done',
    '/admin/appointments-pending.csv',
    '/admin/appointments-done.csv',
    '/admin/account',
    '/admin/users',
    '/admin/users?role=customer',
    '/admin/users?text=5598',
    '/admin/buscar',
    '/admin/buscar?q=Camila',
    '/admin/buscar?q=Carlos',
    '/admin/buscar?q=Prueba',
    '/admin/agencies',
    '/admin/agencies/add',
    '/admin/account/configuracion',
    '/approach',
    '/recover-password',
    '/v1/projects',
    '/v1/session',
    '/account/data',
    '/live',
    ...[ally, ally2].flatMap(({ agencyId }) =>
      (Object.keys(agencySections) as AgencySection[]).map((section) => agencyPath(agencyId!, section)),
    ),
    ...everybody.map(({ id }) => `/admin/users/${id}`),
    ...clients.flatMap(({ next, done, talk }) => [
      `/admin/appointment-done-videocall/${talk}`,
      `/admin/appointment-pending-videocall/${talk}`,
      `/admin/appointments-done/${talk}`,
      `/calendar/${talk}.ics`,
      `/admin/appointments-pending/${next}`,
      `/admin/assignations/${next}`,
      `/calendar/${next}.ics`,
      `/calendar/${done}.ics`,
      `/admin/appointments-done/${done}`,
    ]),
  ]
}

/** A customer's home, a visit to come and one that is done; `name` stands before each of its columns. */
async function client(name: string, person: Person, technician: Person, ally: Person, analyst: Person) {
  const phone = markPhone(`${name} phone`)
  const email = `${mark(`${name} email`).toLowerCase()}@prueba.mx`
  await world.db
    .update(users)
    .set({ lastname: mark(`${name} lastname`), phone, email })
    .where(eq(users.id, person.id))
  const words = {
    street: mark(`${name} street`),
    references: mark(`${name} references`),
    gateNotes: mark(`${name} gate`),
    receiverName: mark(`${name} receiver`),
    betweenStreets: mark(`${name} between`),
    receiverPhone: markPhone(`${name} receiver phone`),
  }
  const home = await world.home(person, words, ally.agencyId!)
  const assigned = { assigneeId: technician.id, notes: mark(`${name} notes`) }
  const next = await storeVisit(world, person, home, new Date(Date.now() + 30 * hour), assigned)
  await plantOnTheRoad(world, technician, (what) => mark(`${name} ${what}`))
  await plantShared(world, next, mark('digest'))
  const done = await storeVisit(world, person, home, new Date(Date.now() - 30 * hour), {
    assigneeId: technician.id,
    state: 'done',
    closingNote: mark(`${name} closing`),
    overrideReason: mark(`${name} override`),
  })
  await writeSheet(
    world,
    { ...done, state: name === 'first' ? 'approved' : 'returned' },
    { panelBrand: mark(`${name} report`) },
  )
  await world.db
    .update(sheets)
    .set({ returnReason: mark(`${name} return reason`) })
    .where(eq(sheets.appointmentId, done.id))
  const fault = { id: randomUUID(), appointmentId: done.id, customerId: person.id, visitId: next.id }
  await world.db.insert(faults).values({ ...fault, description: mark(`${name} fault`) })
  const digits = markPhone(`${name} pin`)
  await world.db
    .update(addresses)
    .set({ cfeServiceNumber: mark(`${name} cfe`), latitude: Number(`19.${digits}1`), longitude: -99 })
    .where(eq(addresses.projectId, home.projectId))
  await world.db.insert(tasks).values({
    subject: 'Llamar',
    reason: 'coverage',
    personId: person.id,
    phone,
    projectId: home.projectId,
  })
  await world.db
    .update(appointments)
    .set({ requestDigest: mark('digest') })
    .where(eq(appointments.id, next.id))
  return { next: next.id, done: done.id, talk: await talk(name, person, home, analyst) }
}

/** A call that took place, with what was said and written in it. */
async function talk(name: string, person: Person, home: Home, analyst: Person) {
  const call = await storeVisit(world, person, home, new Date(Date.now() - 50 * hour), {
    service: 'videocall',
    folio: `AV-PRUEBA-${name}`,
    minutes: 30,
    assigneeId: analyst.id,
    state: 'done',
    outcome: 'completed',
    interest: '01',
  })
  await world.db.insert(calls).values({
    appointmentId: call.id,
    notes: mark(`${name} call notes`),
    summary: mark(`${name} summary`),
    nextSteps: mark(`${name} next steps`),
  })
  const said = { appointmentId: call.id, authorId: person.id, side: 'customer' as const }
  await world.db.insert(callMessages).values({ ...said, id: randomUUID(), text: mark(`${name} chat`) })
  return call.id
}

/** The columns whose mark somebody meets anywhere. */
async function readBy(who: Who, paths: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (const path of paths) {
    const answers = path === '/live' ? [await world.open(path, cast[who])] : []
    for (const answer of answers) await answer.body?.cancel()
    if (path === '/live') continue
    for (const { text, headers } of [await world.visit(path, cast[who]), await world.data(path, cast[who])]) {
      const all = `${text}${[...headers].flat().join()}`.toLowerCase()
      // A phone is shown in groups, and stands in links without gaps.
      const close = all.replace(/(?<=\d)[ .-](?=\d)/g, '')
      for (const [word, column] of known)
        if (all.includes(word.toLowerCase()) || close.includes(word.toLowerCase())) found.add(column)
    }
  }
  return found
}

const of = (who: Who, start = '') => [...seen[who]!].filter((column) => column.startsWith(start)).toSorted()
const home = ['between', 'cfe', 'gate', 'pin', 'receiver', 'receiver phone', 'references', 'street']
const theirs = (name: string, columns: readonly string[]) =>
  columns.map((column) => `${name} ${column}`).toSorted()

describe('nobody ever reads', () => {
  test('passwords, session tokens, hashes of codes', () => {
    for (const who of Object.keys(cast) as Who[])
      for (const column of ['password hash', 'session token', 'code hash', 'digest'])
        expect(of(who, column)).toEqual([])
  })
})

describe('signed out, or without a name', () => {
  test.each(['anonymous', 'inactive', 'ended', 'expired', 'forged', 'closedAgency'] as const)(
    '%s: nothing',
    (who) => {
      expect(of(who)).toEqual([])
    },
  )
  test.each(['unnamed', 'unnamedStaff'] as const)('%s: nothing', (who) => {
    expect(of(who)).toEqual([])
  })
})

describe('customers', () => {
  test.each([
    ['customer', 'first'],
    ['customer2', 'second'],
  ] as const)('%s: what is their own', (who, name) => {
    expect(of(who).filter((column) => !column.startsWith(name))).toEqual([])
    const shown = ['car', 'closing', 'email', 'lastname', ...home.filter((column) => column !== 'phone')]
    for (const column of theirs(name, shown)) expect(of(who)).toContain(column)
    for (const column of theirs(name, ['summary', 'next steps', 'chat'])) expect(of(who)).toContain(column)
    expect(of(who)).toContain(`${name} report`)
    for (const column of theirs(name, ['override', 'call notes', 'return reason', 'begins']))
      expect(of(who)).not.toContain(column)
  })
})

describe('staff', () => {
  test('the manager reads what there is to manage', () => {
    for (const name of ['first', 'second'])
      for (const column of ['phone', 'email', 'street', 'notes', 'closing', 'pin', 'car', 'begins'])
        expect(of('manager')).toContain(`${name} ${column}`)
    for (const column of ['agency commission', 'ally agency notes', 'invitation email', 'technician phone'])
      expect(of('manager')).toContain(column)
  })

  test('the technician: the customers they visit, and no other', () => {
    expect(of('technician', 'second')).toEqual([])
    for (const column of ['first car', 'first begins']) expect(of('analyst', column)).toEqual([])
    expect(of('technician2', 'first')).toEqual([])
    for (const column of ['phone', 'street', 'references', 'gate', 'notes', 'fault', 'pin', 'begins'])
      expect(of('technician')).toContain(`first ${column}`)
    expect(of('technician')).not.toContain('first override')
  })

  test.each(['technician', 'technician2', 'gester', 'ally', 'ally2'] as const)(
    '%s: nothing of what was said in a call',
    (who) => {
      for (const name of ['first', 'second'])
        for (const column of ['call notes', 'summary', 'next steps', 'chat'])
          expect(of(who)).not.toContain(`${name} ${column}`)
    },
  )

  test.each(['analyst', 'manager'] as const)('%s: all that was said in a call', (who) => {
    for (const name of ['first', 'second'])
      for (const column of ['call notes', 'summary', 'next steps', 'chat'])
        expect(of(who)).toContain(`${name} ${column}`)
  })

  test('the gester: no customer at all, until there are cases', () => {
    expect([...of('gester', 'first'), ...of('gester', 'second')]).toEqual([])
  })

  test('an ally: of their own agency’s customers the first name only', () => {
    for (const who of ['ally', 'ally2'] as const)
      expect([...of(who, 'first'), ...of(who, 'second')]).toEqual([])
  })

  test.each(['technician', 'technician2', 'analyst', 'gester', 'ally', 'ally2'] as const)(
    '%s: no commission, no notes about agencies, no invitation',
    (who) => {
      for (const column of [
        'agency commission',
        'ally agency notes',
        'ally2 agency notes',
        'invitation email',
      ])
        expect(of(who, column)).toEqual([])
    },
  )

  test('an ally knows their own agency and no other', () => {
    expect(of('ally', 'ally2 agency')).toEqual([])
    expect(of('ally2', 'ally agency')).toEqual([])
  })
})

test('a live stream says that something changed, once or again, and never what', async () => {
  const answer = await world.open('/live', cast.manager)
  const reader = answer.body!.getReader()
  const first = new TextDecoder().decode((await reader.read()).value)
  await world.post(
    '/admin/users',
    { intent: 'invite', email: 'viva@prueba.mx', kind: 'analyst', agencyId: '' },
    cast.manager,
  )
  const next = new TextDecoder().decode((await reader.read()).value)
  await reader.cancel()
  expect(first + next).toMatch(/^retry: 2000\n\n(data: changed\n\n)+$/)
})

test('nobody finds a row by something of it they may not see', async () => {
  const mine = /^(first|second) (lastname|email|phone)$/
  const searched = [...known].filter(([, column]) => mine.test(column))
  expect(searched).toHaveLength(6)
  const found = async (who: Who, query: string) => {
    const pages = ['pending', 'done'].map((list) =>
      world.data(`/admin/appointments-${list}?${query}`, cast[who]),
    )
    // First names are what everybody reads of a row; folios are not.
    return (await Promise.all(pages)).filter(({ text }) => /Camila|Carlos/.test(text)).length
  }
  // What was typed stands in its box: only results count.
  const everywhere = async (who: Who, word: string) => {
    const { groups } = await (await world.open(`/admin/buscar.json?q=${word}`, cast[who])).json()
    return JSON.stringify(groups).match(/Camila|Carlos/) !== null
  }
  for (const [word, column] of searched) {
    expect([column, await found('manager', `text=${word}`)]).toEqual([column, 2])
    expect([column, await everywhere('manager', word)]).toEqual([column, true])
    for (const who of ['ally', 'ally2', 'gester'] as const)
      expect([who, column, await found(who, `text=${word}`), await everywhere(who, word)]).toEqual([
        who,
        column,
        0,
        false,
      ])
    const theirs = column.startsWith('first') ? 'technician' : 'technician2'
    for (const who of ['technician', 'technician2'] as const)
      expect([who, column, await found(who, `text=${word}`), await everywhere(who, word)]).toEqual([
        who,
        column,
        who === theirs ? 2 : 0,
        who === theirs,
      ])
  }
  // Where and who are not theirs either: such a filter is as if it were not there.
  expect(await found('ally', '')).toBe(2)
  expect(await found('manager', 'zone=tlalpan')).toBe(0)
  for (const query of ['zone=tlalpan', `person=${cast.technician2.id}`])
    expect([query, await found('ally', query)]).toEqual([query, 2])
})
