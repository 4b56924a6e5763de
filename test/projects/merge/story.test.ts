import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { sendAccountEmail } from '../../../src/server/notifications/send.ts'
import { accounts, customerMerges, users } from '../../../src/server/platform/database/schema/accounts.ts'
import { clients } from '../../../src/server/platform/database/schema/agencies.ts'
import { appointments } from '../../../src/server/platform/database/schema/appointments.ts'
import { fiscalData, payments } from '../../../src/server/platform/database/schema/payments.ts'
import { projects, tasks } from '../../../src/server/platform/database/schema/projects.ts'
import { moving } from '../../../src/server/projects/merge-references.ts'
import { undoMerge } from '../../../src/server/projects/unmerge.ts'
import { joined } from '../../kit/agencies.ts'
import { book, hour, slots, storeVisit } from '../../kit/appointments.ts'
import { emailEnv } from '../../kit/delivered.ts'
import { mailServer, readEmail } from '../../kit/mail-server.ts'
import { openEach, people, sendJobs, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { sendDraft, storeDraft, visited } from '../../kit/quotes.ts'
import { readable, refusalOf, rowIn, rowsIn, trailOf } from '../../kit/reading.ts'

openEach()
sendJobs()

const pageOf = ({ id }: Pick<Person, 'id'>) => `/admin/users/${id}/cliente`
const mergePage = (one: Person) => `${pageOf(one)}/unir`
type Choices = { nameOf?: string; phoneOf?: string }
const merge = (kept: Person, ended: Person, by: Person = people.manager, chosen: Choices = {}) => {
  const ids = { keptId: kept.id, endedId: ended.id }
  const form = { intent: 'merge', ...ids, nameOf: 'kept', phoneOf: 'kept', confirmed: 'on', ...chosen }
  return world.post(mergePage(kept), form, by)
}
const undo = async (kept: Person, by: Person = people.manager) => {
  const stands = await rowIn(world, customerMerges, { keptId: kept.id })
  return world.post(pageOf(kept), { intent: 'undo-merge', mergeId: stands!.id }, by)
}
const userOf = async ({ id }: Pick<Person, 'id'>) => (await rowIn(world, users, { id }))!

/** The same person again, as the office registered them by phone. */
const twin = (wish: Parameters<typeof world.person>[0] = {}) =>
  world.person({ name: 'Camila', lastname: 'Repetida', emailVerified: false, ...wish })

/** Something in every table whose rows move. */
async function withEverything(customer: Person) {
  const { ally, analyst, technician } = people
  const visit = await visited(world, customer, technician)
  const { projectId } = visit
  const quote = await sendDraft(world, analyst, await storeDraft(world, visit, analyst))
  const { customerId } = visit
  const row = { customerId, projectId }
  const folio = () => `P-${randomUUID().slice(0, 8)}`
  await world.db.insert(payments).values({ ...row, folio: folio(), concept: 'visit_fee', amount: 50_000 })
  await world.db.insert(tasks).values({ subject: 'Llamar', reason: 'otra', personId: customerId, projectId })
  const tax = { rfc: 'XAXX010101000', legalName: 'CAMILA', regime: '605', cfdiUse: 'S01' } as const
  await world.db.insert(fiscalData).values({ ...tax, customerId, postalCode: '04000', email: customer.email })
  await joined(world, customer, ally)
  const raw = [
    sql`insert into refunds (folio, project_id, customer_id, amount, reason) values (${folio()}, ${projectId}, ${customerId}, 100, 'x')`,
    sql`insert into invoices (project_id, customer_id, kind, request, total) values (${projectId}, ${customerId}, 'income', '{}', 100)`,
    sql`insert into cfe_cases (folio, project_id, customer_id, kind) values (${folio()}, ${projectId}, ${customerId}, 'load_increase')`,
    sql`insert into documents (project_id, customer_id, purpose, name, type, bytes, sha256, uploaded_by)
      values (${projectId}, ${customerId}, 'condominium_permit', 'p.pdf', 'application/pdf', 1, ${'a'.repeat(64)}, ${customerId})`,
    sql`insert into slot_wishes (customer_id, project_id, service) values (${customerId}, ${projectId}, 'installation')`,
    sql`insert into faults (id, appointment_id, customer_id, description) values (${randomUUID()}, ${visit.id}, ${customerId}, 'x')`,
    sql`insert into whatsapp_messages (letter_id, user_id, template) values (${randomUUID()}, ${customerId}, 'x')`,
  ]
  for (const statement of raw) await world.db.execute(statement)
  return { visit, quote, projectId }
}

/** Every row of every table but those that record what was done, or are versions of it. */
async function allRows(): Promise<Record<string, string[]>> {
  const aside = [
    'events',
    'customer_merges',
    'stage_checks',
    'sessions',
    'form_answers',
    'migrations',
    'letter_codes',
    'limits',
    'data_reads',
    'roster_version',
  ]
  const { rows } = await world.db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const all: Record<string, string[]> = {}
  for (const { name } of rows.filter((one) => !aside.includes(one.name))) {
    const table = sql.identifier(name)
    const found = await world.db.execute<{ row: string }>(
      sql`select (to_jsonb(${table}) - 'version' - 'updated_at')::text as row from ${table} order by 1`,
    )
    all[name] = found.rows.map(({ row }) => row)
  }
  return all
}

describe('two records of one person become one', () => {
  test('every row moves, the other’s account ends, and the undo gives the same rows', async () => {
    const { customer, manager } = people
    const other = await twin()
    const earlier = await twin({ name: 'Antes' })
    await merge(other, earlier)
    const { quote, visit } = await withEverything(other)
    const before = await allRows()
    expect((await merge(customer, other, manager, { nameOf: 'ended' })).location).toBe(pageOf(customer))
    const journal = await rowIn(world, customerMerges, { keptId: customer.id })
    expect(Object.keys(journal!.moved).sort()).toEqual(
      moving.map(({ column, table }) => `${table}.${column}`).sort(),
    )
    for (const { column, table } of moving) {
      const [of, name] = [sql.identifier(table), sql.identifier(column)]
      const left = await world.db.execute(sql`select 1 from ${of} where ${name} = ${other.id}`)
      expect.soft([table, left.rows.length]).toEqual([table, 0])
    }
    expect(await userOf(other)).toMatchObject({ active: false, mergedIntoId: customer.id })
    expect(await userOf(customer)).toMatchObject({ lastname: 'Repetida', active: true })
    const page = readable(await world.visit(pageOf(customer), manager))
    for (const words of ['Se unió con otra ficha', quote.folio, visit.folio, 'Deshacer la unión'])
      expect.soft(page).toContain(words)

    expect((await undo(customer)).location).toBe(pageOf(other))
    expect(await allRows()).toEqual(before)
    expect(await trailOf(world, customer, 'user')).toEqual(['merge', 'undo_merge'])
    expect(await trailOf(world, other, 'user')).toEqual(['merge', 'merge_away', 'undo_merge'])
    expect(readable(await world.visit(pageOf(customer), manager))).not.toContain('Deshacer la unión')
  })

  test('the one that ended signs in no more; its page, its account and its hits lead to the other', async () => {
    const { analyst, customer, manager } = people
    const other = await twin({ phone: '5598761234', emailVerified: true })
    await world.home(other)
    await merge(customer, other)
    expect((await world.visit('/', other)).location).toContain('/signin')
    expect((await world.visit(pageOf(other), manager)).location).toBe(pageOf(customer))
    expect((await world.visit(pageOf(other), analyst)).location).toBe(pageOf(customer))
    expect((await world.visit(`/admin/users/${other.id}`, manager)).location).toBe(
      `/admin/users/${customer.id}`,
    )
    const hits = await world.visit(`/admin/buscar?q=${encodeURIComponent('+52 55 9876 1234')}`, manager)
    expect(hits.text).toContain(pageOf(customer))
    expect(hits.text).not.toContain(other.id)
    // Nor is it changed, or registered anew under what it was known by.
    const version = String((await userOf(other)).version)
    await world.post(`/admin/users/${other.id}`, { intent: 'active', active: 'yes', version }, manager)
    expect((await userOf(other)).active).toBe(false)
    const caller = {
      callOnly: 'on',
      name: 'Camila',
      lastname: 'Otra vez',
      phone: '5598761234',
      email: 'camila@otra.mx',
    }
    const again = await world.post(
      '/admin/assignations/nueva',
      { intent: 'create-customer', ...caller },
      manager,
    )
    expect(again.status).toBe(409)
    expect(again.text).toContain(`cliente=${customer.id}`)
  })

  test('who signed in with the one that ended is written to once it stands, and not where it was undone', async () => {
    const { customer, manager } = people
    const entered = await twin({ emailVerified: true })
    await world.db.insert(accounts).values({ userId: entered.id, providerId: 'x', accountId: entered.id })
    const page = readable(
      await world.visit(`${mergePage(customer)}?otra=${entered.id}&queda=${customer.id}`, manager),
    )
    expect(page).toContain(`también se lo escribimos a ${entered.email}`)
    await merge(customer, entered)
    await merge(customer, await twin())
    const { rows } = await world.db.$client.query(`select data ->> 'mergeId' as merge,
      start_after > now() + interval '23 hours 59 minutes' as waits
      from pgboss.job where name = 'account-letter' and data ->> 'letter' = 'account_merged'`)
    const journal = (await rowIn(world, customerMerges, { endedId: entered.id }))!
    expect(rows).toEqual([{ merge: journal.id, waits: true }])
    const sent = async () => {
      const { received, transport } = await mailServer()
      const job = { letter: 'account_merged', mergeId: journal.id } as const
      await sendAccountEmail(world.db, emailEnv, transport, job, randomUUID())
      return Promise.all(received.map(({ source }) => readEmail(source)))
    }
    const [letter] = await sent()
    expect(letter).toMatchObject({ to: entered.email, subject: 'Ahora tienes una sola cuenta' })
    expect(letter!.text).toContain(`Desde ahora entras con ${customer.email}`)
    await undoMerge(world.db, manager.actor, journal.id, new Date())
    expect(await sent()).toEqual([])
  })

  test('a letter that was on its way opens nothing', async () => {
    const { customer, manager } = people
    const other = await twin()
    const made = await world.post(pageOf(other), { intent: 'access-link' }, manager)
    const code = /oobCode=([\w-]+)/.exec(made.text)![1]!
    await merge(customer, other)
    const opened = await world.visit(`/recover-password?mode=resetPassword&oobCode=${code}`)
    expect(readable(opened)).toContain('Este enlace ya se usó')
  })

  test('of an account whose mailbox nobody verified the ways in end when it stands', async () => {
    const kept = await twin()
    const account = { user_id: kept.id, account_id: kept.id, provider_id: 'credential', password: 'x' }
    await world.db.execute(
      sql`insert into accounts (user_id, account_id, provider_id, password)
        values (${account.user_id}, ${account.account_id}, ${account.provider_id}, ${account.password})`,
    )
    expect((await merge(kept, await twin())).status).toBe(303)
    const left = await world.db.execute(sql`select 1 from accounts where user_id = ${kept.id}`)
    expect(left.rows).toEqual([])
    expect((await world.visit('/', kept)).location).toContain('/signin')
  })

  test('of two open projects the empty one is closed, and opened again by the undo', async () => {
    const { customer, technician } = people
    const other = await twin()
    const empty = await world.home(customer)
    const visit = await storeVisit(world, other, await world.home(other), new Date(Date.now() + 72 * hour), {
      assigneeId: technician.id,
    })
    await merge(customer, other)
    const open = await rowsIn(world, projects, { customerId: customer.id })
    expect(open.filter(({ closedAt }) => !closedAt).map(({ id }) => id)).toEqual([visit.projectId])
    expect(open.find(({ id }) => id === empty.projectId)).toMatchObject({ lostReason: 'duplicado' })
    await undo(customer)
    expect(await rowIn(world, projects, { id: empty.projectId })).toMatchObject({
      closedAt: null,
      lostReason: null,
    })
    expect(await rowIn(world, appointments, { id: visit.id })).toMatchObject({ customerId: other.id })
  })

  test('of two attributions to one dealership that of the one that stands lives', async () => {
    const { ally, customer } = people
    const other = await twin()
    await world.db.update(users).set({ phone: '5577778888' }).where(eq(users.id, other.id))
    const [kept, ended] = [await joined(world, customer, ally), await joined(world, other, ally)]
    await merge(customer, other)
    expect(await rowIn(world, clients, { id: kept })).toMatchObject({ endedAt: null })
    expect(await rowIn(world, clients, { id: ended })).toMatchObject({
      customerId: customer.id,
      endedAt: expect.any(Date),
    })
    await undo(customer)
    expect(await rowIn(world, clients, { id: ended })).toMatchObject({ customerId: other.id, endedAt: null })
  })
})

describe('at the same moment', () => {
  test('merged while the duplicate is booking: the appointment is on the one that stands, or is refused', async () => {
    const { customer } = people
    const other = await twin({ emailVerified: true })
    await world.home(other)
    const [start] = await slots(world, other)
    const [merged, booked] = await Promise.all([merge(customer, other), book(world, other, start!)])
    expect(merged.status).toBe(303)
    const visits = await world.db.select().from(appointments)
    expect(visits.map(({ customerId }) => customerId)).toEqual(visits.map(() => customer.id))
    // Merged first, the session ended before the form came, or its insert was refused.
    if (visits.length === 0) expect(booked.location ?? '/signin').toContain('/signin')
    const left = await rowsIn(world, projects, { customerId: other.id })
    expect(left).toEqual([])
  })

  test('both projects carry work: both go on, and the undo puts each back', async () => {
    const { customer, manager, technician } = people
    const other = await twin()
    for (const one of [customer, other]) await visited(world, one, technician)
    const page = readable(await world.visit(`${mergePage(customer)}?otra=${other.id}`, manager))
    expect(page).toContain('siguen todos, cada uno con su domicilio')
    expect((await merge(customer, other)).status).toBe(303)
    const both = await rowsIn(world, projects, { customerId: customer.id })
    expect(both.map(({ closedAt, place }) => [closedAt, place]).sort()).toEqual([
      [null, 1],
      [null, 2],
    ])
    expect((await undo(customer)).status).toBe(303)
    for (const one of [customer, other])
      expect(await rowsIn(world, projects, { customerId: one.id })).toHaveLength(1)
  })

  test('six projects together are more than one customer has', async () => {
    const { customer } = people
    const other = await twin()
    const open = (id: string) => [1, 2, 3].map((place) => ({ customerId: id, place }))
    await world.db.insert(projects).values([...open(customer.id), ...open(other.id)])
    expect(readable(await merge(customer, other))).toContain('6 proyectos en curso')
  })

  test('what still begins for the one that ended is refused', async () => {
    const { customer } = people
    const other = await twin()
    await merge(customer, other)
    const begun = world.db.insert(projects).values({ customerId: other.id })
    await expect(begun.execute()).rejects.toMatchObject({ cause: { constraint: 'customer_merged' } })
  })

  test('two managers, each in their own direction: one merge', async () => {
    const { customer, manager } = people
    const [other, manager2] = [await twin({ emailVerified: true }), await world.person({ kind: 'manager' })]
    const answers = await Promise.all([merge(customer, other, manager), merge(other, customer, manager2)])
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409])
    expect(await world.db.select().from(customerMerges)).toHaveLength(1)
  })

  test('two managers in the same one: one merge, and both see it', async () => {
    const { customer, manager } = people
    const [other, manager2] = [await twin(), await world.person({ kind: 'manager' })]
    const answers = await Promise.all([merge(customer, other, manager), merge(customer, other, manager2)])
    expect(answers.map(({ status }) => status)).toEqual([303, 303])
    expect(await world.db.select().from(customerMerges)).toHaveLength(1)
  })
})

describe('what is refused', () => {
  test('a verified account does not end for one that is not', async () => {
    const { customer, manager } = people
    const other = await twin()
    expect(readable(await merge(other, customer))).toContain('que quede esa ficha')
    const page = await world.visit(`${mergePage(other)}?otra=${customer.id}&queda=${other.id}`, manager)
    expect(page.text).toContain(`queda=${customer.id}`)
  })

  test('staff, oneself, without the tick, and by anybody but the manager', async () => {
    const { analyst, customer, manager, technician } = people
    const other = await twin()
    expect((await merge(customer, technician)).status).toBe(409)
    expect((await merge(customer, customer)).status).toBe(409)
    expect((await merge(customer, other, manager, { confirmed: '' } as Choices)).status).toBe(400)
    expect((await merge(customer, other, analyst)).status).toBe(403)
    expect((await world.visit(mergePage(customer), analyst)).status).toBe(404)
    expect(await world.db.select().from(customerMerges)).toEqual([])
  })

  test('the undo, where something was added since, after a day, and before a later merge', async () => {
    const { customer, manager, technician } = people
    const [other, third] = [await twin(), await twin({ name: 'Tercera', emailVerified: true })]
    const home = await world.home(other)
    await merge(customer, other)
    const added = await storeVisit(world, customer, home, new Date(Date.now() + 72 * hour), {
      assigneeId: technician.id,
    })
    const refused = readable(await undo(customer))
    expect(refused).toContain('Desde que se unieron se agregó')
    expect(refused).toContain(added.folio)
    await world.db.delete(appointments).where(eq(appointments.id, added.id))
    await merge(third, customer)
    const first = await rowIn(world, customerMerges, { keptId: customer.id })
    const [, words] = await refusalOf(undoMerge(world.db, manager.actor, first!.id, new Date()))
    expect(words).toContain('deshaz primero esa unión')
    expect((await undo(third)).status).toBe(303)
    await world.db.update(customerMerges).set({ mergedAt: new Date(Date.now() - 25 * hour) })
    expect(readable(await undo(customer))).toContain('Pasaron 24 horas')
  })

  test('a name that was corrected since stays', async () => {
    const { customer, manager } = people
    const other = await twin()
    await merge(customer, other, manager, { nameOf: 'ended', phoneOf: 'ended' })
    const { version } = await userOf(customer)
    const words = { name: 'Camila', lastname: 'Corregida', phone: '5512345678' }
    await world.post(
      pageOf(customer),
      { intent: 'correct-profile', version: String(version), ...words },
      manager,
    )
    await undo(customer)
    expect(await userOf(customer)).toMatchObject({ lastname: 'Corregida' })
  })
})

test('who may be the same is proposed, and found by a phone in any form', async () => {
  const { customer, manager } = people
  const other = await twin({ name: 'CÁMILA', lastname: 'Prueba', phone: '5566667777' })
  const page = readable(await world.visit(mergePage(customer), manager))
  expect(page).toContain(other.email)
  expect(page).toContain('Mismo nombre')
  const far = await world.person({ name: 'Zoé', lastname: 'Lejana', phone: '5544443333' })
  expect(page).not.toContain(far.email)
  const found = await world.visit(
    `${mergePage(customer)}?q=${encodeURIComponent('044 55 4444 3333')}`,
    manager,
  )
  expect(found.text).toContain(`otra=${far.id}`)
})
