import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { takeFlash } from '../../../src/web/lib/flash.ts'
import {
  around,
  assign,
  assignVisit,
  bookVisit,
  hour,
  minute,
  occupy,
  readAgain,
  type Visit,
  visit,
} from '../../kit/appointments.ts'
import { expectScreen, openEach, pageText, people, world } from '../../kit/open.ts'
import {
  emailsAbout,
  eventsOf,
  expectAnswered,
  expectLeadsTo,
  lastEventOf,
  loaded,
} from '../../kit/reading.ts'
import { drop } from '../../kit/scheduling.ts'

openEach(bookVisit)

const screen = () => `/admin/assignations/${visit.id}`
const undo = (changes = `${visit.id}:${visit.version}`, by = people.manager, back = '/admin/assignations') =>
  world.post('/admin/deshacer', { changes, back }, by)
/** What of a row an undone change leaves as it was. */
const lasting = ({ sequence, updatedAt, version, ...row }: Visit) => row
const overrideReason = 'Lo pide su cliente'
const moveBy = (by: number) =>
  world.post(
    `${screen()}/mover`,
    {
      version: String(visit.version),
      startsAt: around(visit, by).toISOString(),
      assigneeId: '',
      override: 'on',
      overrideReason,
    },
    people.manager,
  )
const mine = () => (visit.assigneeId === people.technician.id ? people.technician : people.technician2)
const other = () => (mine() === people.technician ? people.technician2 : people.technician)
const emailsOut = (set: string) => world.db.execute(sql.raw(`update pgboss.job set ${set}`))

const changes: Record<string, () => Promise<{ status: number }>> = {
  'a confirmation': () => assign(world, people.manager, visit, people.technician),
  'a move of a provisional visit': () => moveBy(30 * minute),
}
const ofConfirmed: typeof changes = {
  'another technician, dropped on the board': () => drop(world, people.manager, visit, { to: other() }),
  'another hour, dropped on the board': () =>
    drop(world, people.manager, visit, { to: other(), startsAt: around(visit, hour), overrideReason }),
  'another hour, by the calendar': () => moveBy(30 * minute),
  'a release': () =>
    world.post(
      screen(),
      { intent: 'release', releaseReason: 'Se enfermó', version: String(visit.version) },
      people.manager,
    ),
}
test.each([...Object.keys(changes), ...Object.keys(ofConfirmed)])(
  'undoes %s and drops its emails, once',
  async (name) => {
    if (name in ofConfirmed) await assignVisit()
    const [before, emails] = [visit, await emailsAbout(world, visit)]
    await expectAnswered((changes[name] ?? ofConfirmed[name])!(), 303)
    await readAgain()
    expect(visit.version).toBe(before.version + 1)
    expect((await emailsAbout(world, visit)).length).toBeGreaterThan(emails.length)
    for (let n = 0; n < 2; n++)
      expect(await undo()).toMatchObject({ status: 303, location: '/admin/assignations' })
    await expectScreen('/admin/assignations', people.manager, 'Lo deshicimos')
    await readAgain()
    expect(lasting(visit)).toEqual(lasting(before))
    expect(visit.version).toBe(before.version + 2)
    expect(await emailsAbout(world, visit)).toEqual(emails)
    expect(await lastEventOf(world, visit)).toMatchObject({
      actorId: people.manager.id,
      reason: 'Se deshizo el cambio',
      toState: before.state,
    })
  },
)

test.each<[string, string, () => Promise<unknown>]>([
  [
    'its emails went out',
    'Los avisos ya salieron',
    () => emailsOut(`start_after = now() - interval '1 second'`),
  ],
  [
    'one of its emails is being sent',
    'Los avisos ya salieron',
    () => emailsOut(`state = 'active' where data ->> 'to' = 'person'`),
  ],
  [
    'another visit took its place',
    'Otra cita tomó su lugar mientras tanto',
    async () => {
      const former = visit.startsAt
      await moveBy(4 * hour)
      await readAgain()
      await occupy(world, mine(), former)
    },
  ],
])('does not undo a change once %s', async (_why, words, happen) => {
  await assignVisit()
  await happen()
  const [before, emails] = [visit, await emailsAbout(world, visit)]
  await expectAnswered(undo(), 303)
  await expectScreen('/admin/assignations', people.manager, 'No se pudo deshacer', words)
  await readAgain()
  expect(visit).toEqual(before)
  expect(await emailsAbout(world, visit)).toEqual(emails)
})

test('does not undo a change that was followed by another, or of another manager', async () => {
  await assignVisit()
  const first = `${visit.id}:${visit.version}`
  const colleague = await world.person({ kind: 'manager' })
  await undo(first, colleague)
  await moveBy(30 * minute)
  await undo(first)
  await expectScreen('/admin/assignations', people.manager, 'Alguien más la cambió después')
  const reasons = (await eventsOf(world, visit)).map(({ reason }) => reason)
  expect(reasons).not.toContain('Se deshizo el cambio')
})

test('refuses malformed changes', async () => {
  for (const changes of ['', 'nada', `${visit.id}:0`, `${visit.id}`])
    expect([changes, (await undo(changes)).status]).toEqual([changes, 400])
})

test('the first of several changes is undone by itself, and the answer returns to the page it was on', async () => {
  await assignVisit()
  const change = `${visit.id}:${visit.version}`
  await expectAnswered(
    undo(`${change},${people.manager.id}:3`, people.manager, '/admin?x=1'),
    303,
    '/admin?x=1',
  )
  await readAgain()
  expect(visit.state).toBe('requested')
  await expectLeadsTo(undo(change, people.manager, 'https://elsewhere.example/'), '/admin')
})

test('the toast of a change offers to undo it; an oversized cookie is no toast', async () => {
  const flash = { title: 'a', description: 'b', variant: 'success', undo: 'x'.repeat(3000) }
  const cookie = `flash=${btoa(JSON.stringify(flash))}`
  const forged = new Request('http://localhost/', { headers: { cookie } })
  expect((await takeFlash(forged)).flash).toBeNull()
  await assignVisit()
  const { location } = await moveBy(30 * minute)
  const { text } = await world.visit(location!, people.manager)
  expect(text).toMatch(new RegExp(`name="changes" value="${visit.id}:${visit.version + 1}"`))
})

test('pages offer to undo a change to the manager who made it until its emails go out', async () => {
  await assignVisit()
  const { manager, analyst } = people
  const detail = `/admin/appointments-pending/${visit.id}`
  const isOffered = async (by = manager, path = screen()) =>
    (await pageText(path, by)).includes('Puedes deshacerlo todavía')
  expect([await isOffered(), await isOffered(manager, detail)]).toEqual([true, true])
  const { text } = await world.visit(screen(), manager)
  const form = /action="\/admin\/deshacer".*?name="changes" value="([^"]+)"/s.exec(text)
  expect(form?.[1]).toBe(`${visit.id}:${visit.version}`)
  const panel = await world.data(`${screen()}?panel`, manager)
  const { undoable } = loaded<{ undoable: number }>(panel, 'scheduling/assign')
  expect(undoable).toBeGreaterThan(0)
  expect(undoable).toBeLessThanOrEqual(30)
  expect(await isOffered(await world.person({ kind: 'manager' }))).toBe(false)
  expect(await isOffered(analyst, detail)).toBe(false)
  await emailsOut(`state = 'active' where data ->> 'to' = 'person'`)
  expect(await isOffered()).toBe(false)
  await emailsOut(`state = 'created', start_after = now() - interval '1 second'`)
  expect(await isOffered()).toBe(false)
})
