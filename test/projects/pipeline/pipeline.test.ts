import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { callAgainAt, isCallDue } from '../../../src/domain/projects/pipeline.ts'
import { type Stage, stageLabels, stages } from '../../../src/domain/projects/stages.ts'
import { localDay, shortDate } from '../../../src/domain/shared/format.ts'
import { refreshClients } from '../../../src/server/agencies/clients.ts'
import { users } from '../../../src/server/platform/database/schema/accounts.ts'
import { quotes } from '../../../src/server/platform/database/schema/payments.ts'
import { tasks } from '../../../src/server/platform/database/schema/projects.ts'
import { leadingStatuses, projectStatusesOf } from '../../../src/server/projects/overview.ts'
import { noteCall } from '../../../src/server/projects/pipeline.ts'
import { hour, storeVisit, type Visit } from '../../kit/appointments.ts'
import { openOnce, people, sendJobsOnce, world } from '../../kit/open.ts'
import { acceptQuote, day } from '../../kit/payments.ts'
import type { Home, Person } from '../../kit/people.ts'
import { storeDraft, visited } from '../../kit/quotes.ts'
import { readable, rowsIn } from '../../kit/reading.ts'

openOnce({ MODULES: 'clients,gesties' })
sendJobsOnce()
/** A customer who saw a quote, one with a visit ahead, and one whose paperwork is the gester's. */
let nora: { who: Person; home: Home; quote: typeof quotes.$inferSelect }
let oscar: { who: Person; home: Home }
let pilar: { who: Person; home: Home }

/** A quote of a visit's that was sent, for fifteen days. */
const sendOf = (visit: Visit, wish: Partial<typeof quotes.$inferInsert> = {}) =>
  storeDraft(world, visit, people.analyst, {
    state: 'sent',
    digest: 'a'.repeat(64),
    sentAt: new Date(),
    sentBy: people.analyst.id,
    validUntil: new Date(Date.now() + 15 * day),
    ...wish,
  })

beforeAll(async () => {
  const { ally, technician } = people
  const settle = async (name: string, lastname: string, phone: string, agencyId?: string) => {
    const who = await world.person({ name, lastname, phone })
    return { who, home: await world.home(who, {}, agencyId) }
  }
  const first = await settle('Nora', 'Núñez', '5511112222', ally.agencyId!)
  const visit = await visited(world, first.who, technician, first.home)
  const quote = await sendOf(visit, { state: 'viewed', viewedAt: new Date() })
  nora = { ...first, quote }
  oscar = await settle('Óscar', 'Olmos', '5511113333')
  await storeVisit(world, oscar.who, oscar.home, new Date(Date.now() + 40 * hour), {
    state: 'assigned',
    assigneeId: technician.id,
  })
  pilar = await settle('Pilar', 'Paz', '5511114444')
  const seen = await visited(world, pilar.who, technician, pilar.home, { meterChoice: 'second' })
  await sendOf(seen)
  const quirino = await world.person({ name: 'Quirino' })
  await acceptQuote(world, quirino, await world.home(quirino))
  // The first page takes long where much else runs.
  await found('')
}, 120_000)

const list = '/admin/clients'
const found = async (query: string, who = people.analyst) => {
  const text = readable(await world.visit(list + query, who))
  return ['Nora', 'Óscar', 'Pilar'].filter((name) => text.includes(`${name} `))
}

describe('the list', () => {
  test('says of every project what its customer’s own home says, whatever happens to it', async () => {
    await world.db.execute(
      sql`update appointments set state = 'en_route', set_out_at = now() where customer_id = ${oscar.who.id}`,
    )
    await world.db.execute(
      sql`update quotes set state = 'rejected', answered_at = now() where customer_id = ${pilar.who.id}`,
    )
    await Promise.all(Array.from({ length: 4 }, () => refreshClients(world.db, new Date())))
    const { rows } = await world.db.execute<{ customer_id: string; stage: string; waiting_on: string }>(
      sql`select customer_id, stage, waiting_on from project_standings`,
    )
    expect(rows.length).toBeGreaterThan(3)
    const ids = rows.map((row) => row.customer_id)
    const standings = leadingStatuses(await projectStatusesOf(world.db, ids, new Date()))
    for (const { customer_id, stage, waiting_on } of rows) {
      const { stage: real, waitingOn } = standings.get(customer_id)!
      expect([customer_id, stage, waiting_on]).toEqual([customer_id, real, waitingOn])
    }
    for (const stage of stages)
      expect((await world.visit(`${list}?stage=${stage}`, people.manager)).status).toBe(200)
  })
})

test('above the list stand the stages with their projects, each a press away; a gester is told no counts', async () => {
  const shown = await world.visit(list, people.analyst)
  const { rows } = await world.db.execute<{ stage: Stage; count: number }>(
    sql`select stage, count(*)::int from project_standings group by stage`,
  )
  expect(rows.length).toBeGreaterThan(1)
  for (const { count, stage } of rows)
    expect(shown.text).toMatch(
      new RegExp(`href="/admin/clients\\?stage=${stage}"[^>]*>${stageLabels[stage]}<span[^>]*>${count}<`),
    )
  expect(shown.text.match(/\?stage=\w+"/g)).toHaveLength(rows.length)
  expect((await world.visit(list, people.gester)).text).not.toContain('aria-label="Etapas"')
})

describe('one project', () => {
  const file = (id: string) => `${list}/${id}`
  const page = ({ home, who }: Pick<typeof nora, 'home' | 'who'>) =>
    `/admin/users/${who.id}/cliente?proyecto=${home.projectId}`

  test('tells those who sell all of it', async () => {
    for (const who of [people.manager, people.analyst]) {
      const text = readable(await world.visit(page(nora), who))
      for (const words of [
        'Nora Núñez',
        '551 111 22 22',
        'Citas',
        nora.quote.folio,
        'Pagos',
        'Datos fiscales',
        'Historial',
        '$',
      ])
        expect(text).toContain(words)
    }
  })

  test('tells a gester of paperwork, and of no price', async () => {
    const { gester } = people
    for (const path of [file(nora.home.projectId), page(nora)])
      expect((await world.visit(path, gester)).status).toBe(404)
    expect((await world.visit(file(pilar.home.projectId), gester)).location).toBe(page(pilar))
    const shown = await world.visit(page(pilar), gester)
    expect(shown.status).toBe(200)
    expect(readable(shown)).toContain('Pilar Paz')
    const raw = shown.text + (await world.data(page(pilar), gester)).text
    for (const secret of ['$1,', '116000', '232000', 'Pagos ', 'lowestTotal":1'])
      expect(raw).not.toContain(secret)
    expect(await found('', gester)).toEqual(['Pilar'])
    expect(readable(await world.visit(list, gester))).not.toContain('Llamar hoy')
    for (const part of ['?parte=llamar', '?parte=cifras'])
      expect(readable(await world.visit(list + part, gester))).not.toMatch(/Anotar llamada|Puntualidad/)
    for (const path of ['/admin/cifras', '/admin/cifras/puntualidad.csv'])
      expect([path, (await world.visit(path, gester)).status]).toEqual([path, 404])
  })

  test('does not exist where there is none, and without the module', async () => {
    expect((await world.visit(file(randomUUID()), people.manager)).status).toBe(404)
    expect((await world.visit(file('x'), people.manager)).status).toBe(404)
    const off = world.under({ MODULES: '' })
    for (const path of [list, file(nora.home.projectId), `${list}.csv`])
      expect([path, (await off.visit(path, people.manager)).status]).toEqual([path, 404])
  })
})

describe('whom to call', () => {
  const calls = async () => readable(await world.visit(`${list}?parte=llamar`, people.analyst))
  const note = (form: object, who = people.analyst) =>
    world.post(
      `${list}?parte=llamar`,
      { quoteId: nora.quote.id, seen: '', result: 'Lo piensa', ...form },
      who,
    )
  const notes = () => rowsIn(world, tasks, { quoteId: nora.quote.id })

  test.each([
    [null, true],
    [1, false],
    [47.9, false],
    [48, true],
    [500, true],
  ])('after a call %s hours ago: %s', (hours, due) => {
    const now = new Date()
    const again = hours === null ? null : callAgainAt(new Date(now.getTime() - hours * hour), null)
    expect(isCallDue(again, now)).toBe(due)
  })

  test('on the day that was agreed, from midnight in Mexico City on', () => {
    const again = callAgainAt(new Date('2026-11-23T18:00:00Z'), '2026-11-28')
    expect(isCallDue(again, new Date('2026-11-28T05:59:59Z'))).toBe(false)
    expect(isCallDue(again, new Date('2026-11-28T06:00:00Z'))).toBe(true)
  })

  test('is who saw a quote and did not answer; what came of a call is noted once, and read before another', async () => {
    expect(await calls()).toContain('Anotar llamada')
    const empty = await note({ result: ' ' })
    expect([empty.status, readable(empty)]).toEqual([
      400,
      expect.stringContaining('Escribe en qué quedaron.'),
    ])
    for (let n = 0; n < 2; n++) expect((await note({})).status).toBe(303)
    expect(await notes()).toHaveLength(1)
    expect((await notes())[0]).toMatchObject({
      result: 'Lo piensa',
      takenBy: people.analyst.id,
      reason: 'quote_call',
    })
    expect(await calls()).toContain('Ya llamados (1)')
    const late = await note({ result: 'No contesta' }, people.manager)
    expect([late.status, readable(late)]).toEqual([
      409,
      expect.stringContaining('Alguien más anotó una llamada'),
    ])
    expect((await note({ seen: (await notes())[0]!.id, result: 'No contesta' }, people.manager)).status).toBe(
      303,
    )
    const racing = (await notes()).at(-1)!.id
    const tried = await Promise.allSettled(
      [people.analyst, people.manager].map((who) =>
        noteCall(
          world.db,
          who.actor,
          { again: null, quoteId: nora.quote.id, result: `Yo, ${who.kind}`, seen: racing },
          new Date(),
        ),
      ),
    )
    expect(tried.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    // It is noted, and nobody's task.
    expect((await notes()).every(({ doneAt }) => doneAt !== null)).toBe(true)
  })

  test('who agreed on a day returns on it, with who said so; never after the quote has ended', async () => {
    const seen = (await notes()).at(-1)!.id
    const inDays = (days: number) => localDay(new Date(Date.now() + days * day))
    for (const again of [inDays(0), inDays(91), 'mañana', '2026-02-31']) {
      const refused = await note({ seen, again, result: 'Pidió tiempo' })
      expect([again, refused.status]).toEqual([again, 400])
      expect(refused.text).toContain('value="Pidió tiempo"')
    }
    const tooLate = await note({ seen, again: inDays(20), result: 'Pidió tiempo' })
    expect([tooLate.status, readable(tooLate)]).toEqual([409, expect.stringContaining('Elige un día antes')])
    expect((await note({ seen, again: inDays(5), result: 'Pidió tiempo' })).status).toBe(303)
    const on = shortDate(callAgainAt(new Date(), inDays(5)))
    const { fullName } = (await rowsIn(world, users, { id: people.analyst.id }))[0]!
    expect(await calls()).toMatch(
      new RegExp(`Pidió tiempo ?${fullName}, .{3,20}\\. Volver a llamar el ${on}`),
    )
    expect(await calls()).toContain('No hay a quién llamar hoy')
    world.at(new Date(Date.now() + 5 * day))
    expect(await calls()).not.toContain('No hay a quién llamar hoy')
    world.at(new Date(Date.now() - 5 * day))
  })

  test('nobody calls about what was answered', async () => {
    await world.db
      .update(quotes)
      .set({ state: 'rejected', answeredAt: new Date(), reason: 'Caro' })
      .where(eq(quotes.id, nora.quote.id))
    expect(await calls()).toContain('No hay a quién llamar hoy')
    expect((await note({ seen: '' })).status).toBe(409)
  })
})
