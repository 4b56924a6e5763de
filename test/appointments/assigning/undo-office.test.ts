import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { takeFlash } from '../../../src/web/lib/flash.ts'
import {
  around,
  assign,
  assignVisit,
  bookVisit,
  customer,
  hour,
  minute,
  occupy,
  readAgain,
  type Visit,
  visit,
} from '../../kit/appointments.ts'
import { openEach, people, world } from '../../kit/open.ts'
import { emailsAbout, eventsOf, loaded, readable } from '../../kit/reading.ts'
import { drop } from '../../kit/scheduling.ts'

openEach(bookVisit)

const undo = (changes: string, by = people.manager, back = '/admin/assignations') =>
  world.post('/admin/deshacer', { changes, back }, by)
const ofNow = () => `${visit.id}:${visit.version}`
/** What of a row an undone change leaves as it was. */
const lasting = ({ sequence, updatedAt, version, ...row }: Visit) => row

const release = () =>
  world.post(
    `/admin/assignations/${visit.id}`,
    { intent: 'release', releaseReason: 'Se enfermó', version: String(visit.version) },
    people.manager,
  )
const moveTo = (startsAt: Date, form: Record<string, string> = {}) =>
  world.post(
    `/admin/assignations/${visit.id}/mover`,
    {
      version: String(visit.version),
      startsAt: startsAt.toISOString(),
      assigneeId: '',
      override: 'on',
      overrideReason: 'Lo pide su cliente',
      ...form,
    },
    people.manager,
  )
const other = () => (visit.assigneeId === people.technician.id ? people.technician2 : people.technician)

describe('each change goes back to what it was, and its letters with it', () => {
  test('a confirmation', async () => {
    await goesBack(() => assign(world, people.manager, visit, people.technician))
  })

  describe('of a confirmed visit', () => {
    beforeEach(assignVisit)

    test('another person, by a drop on the board', async () => {
      await goesBack(() => drop(world, people.manager, visit, { to: other() }))
    })
    test('another hour, by a drop on the board', async () => {
      await goesBack(() =>
        drop(world, people.manager, visit, {
          to: other(),
          startsAt: around(visit, hour),
          overrideReason: 'Lo pide su cliente',
        }),
      )
    })
    test('another hour, by the calendar', async () => {
      await goesBack(() => moveTo(around(visit, 30 * minute)))
    })
    test('taken off its person', async () => {
      await goesBack(release)
    })
  })

  test('a provisional visit that was moved is provisional again', async () => {
    await goesBack(() => moveTo(around(visit, 30 * minute)))
  })

  async function goesBack(change: () => Promise<{ status: number }>) {
    const [before, letters] = [visit, await emailsAbout(world, visit)]
    expect((await change()).status).toBe(303)
    await readAgain()
    expect(visit.version).toBe(before.version + 1)
    expect((await emailsAbout(world, visit)).length).toBeGreaterThan(letters.length)
    const answer = await undo(ofNow())
    expect([answer.status, answer.location]).toEqual([303, '/admin/assignations'])
    expect(readable(await world.visit('/admin/assignations', people.manager))).toContain('Lo deshicimos')
    await readAgain()
    expect(lasting(visit)).toEqual(lasting(before))
    expect(visit.version).toBe(before.version + 2)
    expect(await emailsAbout(world, visit)).toEqual(letters)
    expect((await eventsOf(world, visit.id, 'appointment')).at(-1)).toMatchObject({
      actorId: people.manager.id,
      reason: 'Se deshizo el cambio',
      toState: before.state,
    })
  }
})

describe('what can no longer be undone stays, in words', () => {
  beforeEach(assignVisit)

  const refused = async (answer: Awaited<ReturnType<typeof undo>>, words: string) => {
    expect(answer.status).toBe(303)
    const page = readable(await world.visit('/admin/assignations', people.manager))
    expect(page).toContain('No se pudo deshacer')
    expect(page).toContain(words)
  }

  test('its letters went out', async () => {
    await readAgain()
    const before = visit
    await world.db.execute(sql`update pgboss.job set start_after = now() - interval '1 second'`)
    await refused(await undo(ofNow()), 'Los avisos ya salieron')
    await readAgain()
    expect(visit).toEqual(before)
  })

  test('one of its letters is being sent: none is dropped', async () => {
    const letters = await emailsAbout(world, visit)
    await world.db.execute(sql`update pgboss.job set state = 'active' where data ->> 'to' = 'person'`)
    await refused(await undo(ofNow()), 'Los avisos ya salieron')
    expect(await emailsAbout(world, visit)).toEqual(letters)
  })

  test('somebody changed it since', async () => {
    const stale = ofNow()
    await moveTo(around(visit, 30 * minute))
    await refused(await undo(stale), 'Alguien más la cambió después')
  })

  test('another visit has its place', async () => {
    const { assigneeId, startsAt } = visit
    const person = assigneeId === people.technician.id ? people.technician : people.technician2
    await moveTo(around(visit, 4 * hour))
    await readAgain()
    await occupy(world, person, startsAt)
    const [letters, before] = [await emailsAbout(world, visit), visit]
    await refused(await undo(ofNow()), 'Otra cita tomó su lugar mientras tanto')
    await readAgain()
    expect(visit).toEqual(before)
    expect(await emailsAbout(world, visit)).toEqual(letters)
  })

  test('another manager made it, and nobody else may', async () => {
    const colleague = await world.person({ kind: 'manager' })
    const changes = ofNow()
    expect((await undo(changes, colleague)).status).toBe(303)
    for (const by of [customer, people.technician, people.analyst])
      expect((await undo(changes, by)).status).toBe(403)
    const { version } = visit
    await readAgain()
    expect(visit.version).toBe(version)
  })

  test('an undone change is not undone again: pressed twice it is once', async () => {
    const changes = ofNow()
    const answers = [await undo(changes), await undo(changes)]
    expect(answers.map(({ status }) => status)).toEqual([303, 303])
    const undone = (await eventsOf(world, visit.id, 'appointment')).filter(
      ({ reason }) => reason === 'Se deshizo el cambio',
    )
    expect(undone).toHaveLength(1)
    await readAgain()
    await refused(await undo(ofNow()), 'Los avisos ya salieron')
  })

  test('nonsense is refused', async () => {
    for (const changes of ['', 'nada', `${visit.id}:0`, `${visit.id}`]) {
      const answer = await undo(changes)
      expect([changes, answer.status]).toEqual([changes, 400])
    }
  })
})

describe('where the change is seen it can be undone for as long as its letters wait', () => {
  beforeEach(assignVisit)

  const offer = 'Puedes deshacerlo todavía'
  const pageOf = async (by = people.manager, path = `/admin/assignations/${visit.id}`) =>
    world.visit(path, by)

  test('on its page by a form that needs no script, and in the data of the board’s panel', async () => {
    const page = await pageOf()
    expect(readable(page)).toContain(offer)
    const changes = page.text.match(/action="\/admin\/deshacer".*?name="changes" value="([^"]+)"/s)?.[1]
    expect(changes).toBe(ofNow())
    expect(readable(await pageOf(people.manager, `/admin/appointments-pending/${visit.id}`))).toContain(offer)
    const panel = await world.data(`/admin/assignations/${visit.id}?panel`, people.manager)
    const { undoable } = loaded<{ undoable: number }>(panel, 'scheduling/assign')
    expect(undoable).toBeGreaterThan(0)
    expect(undoable).toBeLessThanOrEqual(30)
    await undo(changes!)
    expect(readable(await pageOf())).not.toContain(offer)
  })

  test('not by a colleague, nor once a letter went out or is being sent', async () => {
    const colleague = await world.person({ kind: 'manager' })
    expect(readable(await pageOf(colleague))).not.toContain(offer)
    expect(readable(await pageOf(people.analyst, `/admin/appointments-pending/${visit.id}`))).not.toContain(
      offer,
    )
    await world.db.execute(sql`update pgboss.job set state = 'active' where data ->> 'to' = 'person'`)
    expect(readable(await pageOf())).not.toContain(offer)
    await world.db.execute(
      sql`update pgboss.job set state = 'created', start_after = now() - interval '1 second'`,
    )
    expect(readable(await pageOf())).not.toContain(offer)
  })
})

test('several at once: each by itself, and the page it was shown on is returned to', async () => {
  await assignVisit()
  const answer = await undo(`${ofNow()},${people.manager.id}:3`, people.manager, '/admin?x=1')
  expect([answer.status, answer.location]).toEqual([303, '/admin?x=1'])
  await readAgain()
  expect(visit.state).toBe('requested')
  expect((await undo(ofNow(), people.manager, 'https://elsewhere.example/')).location).toBe('/admin')
})

test('the toast of a change carries it, and a forged one is none', async () => {
  const cookie = `flash=${btoa(JSON.stringify({ title: 'a', description: 'b', variant: 'success', undo: 'x'.repeat(3000) }))}`
  const { flash } = await takeFlash(new Request('http://localhost/', { headers: { cookie } }))
  expect(flash).toBeNull()
  await assignVisit()
  const answer = await moveTo(around(visit, 30 * minute))
  const page = await world.visit(answer.location!, people.manager)
  expect(page.text).toMatch(new RegExp(`name="changes" value="${visit.id}:${visit.version + 1}"`))
  expect(readable(page)).toContain('Deshacer')
})
