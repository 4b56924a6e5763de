import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { quoteApprovals, quotes } from '../../src/server/platform/database/schema/payments.ts'
import { tasks } from '../../src/server/platform/database/schema/projects.ts'
import { isApproved } from '../../src/server/quotes/approvals.ts'
import { noteViewed } from '../../src/server/quotes/detail.ts'
import { sendQuote } from '../../src/server/quotes/send.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { type Quote, quoteOf, sendDraft, storeDraft, storeNext, visited } from '../kit/quotes.ts'
import { emailsAbout, loaded, readable, trailOf } from '../kit/reading.ts'

openEach()
sendJobs()

let draft: Quote
let sent: Quote
beforeEach(async () => {
  const visit = await visited(world, people.customer, people.technician)
  draft = await storeDraft(world, visit, people.analyst)
})
const send = async () => {
  sent = await sendDraft(world, people.analyst, draft)
}

const pageOf = ({ id }: Pick<Quote, 'id'>) => `/admin/cotizations/detail-quote/${id}`
const undo = (by: Person = people.analyst, { id, version }: Pick<Quote, 'id' | 'version'> = sent) =>
  world.post('/admin/deshacer', { changes: `cotizacion:${id}:${version}`, back: pageOf(sent) }, by)
const stateOf = async () => (await quoteOf(world, sent)).state
const seesOffer = async (by: Person) =>
  readable(await world.visit(pageOf(sent), by)).includes('Puedes deshacerlo todavía')

test('a quote just sent is a draft again, as it was; its customer reads of neither, and it is sent anew', async () => {
  const [task] = await world.db
    .insert(tasks)
    .values({
      subject: 'Otra versión',
      reason: 'quote_changes',
      personId: people.customer.id,
      projectId: draft.projectId,
      quoteId: draft.id,
    })
    .returning()
  await send()
  expect(await emailsAbout(world, sent)).toEqual(['quote_sent to customer'])
  expect(await seesOffer(people.analyst)).toBe(true)
  const answer = await undo()
  expect([answer.status, answer.location]).toEqual([303, pageOf(sent)])
  const { updatedAt, version, ...back } = await quoteOf(world, sent)
  const { updatedAt: _, version: before, ...was } = draft
  expect(back).toEqual(was)
  expect(version).toBe(before + 2)
  expect(await emailsAbout(world, sent)).toEqual([])
  expect(await trailOf(world, sent, 'quote')).toEqual(['send', 'unsend'])
  expect((await world.db.select().from(tasks).where(eq(tasks.id, task!.id)))[0]).toMatchObject({
    doneAt: null,
    takenBy: null,
    result: null,
  })
  expect((await world.visit('/quote', people.customer)).text).not.toContain(sent.folio)
  expect(await seesOffer(people.analyst)).toBe(false)
  const again = await sendDraft(world, people.analyst, { ...draft, version })
  expect(again.state).toBe('sent')
  expect(await emailsAbout(world, sent)).toEqual(['quote_sent to customer'])
})

test('pressed twice it is taken back once', async () => {
  await send()
  const answers = [await undo(), await undo()]
  expect(answers.map(({ status }) => status)).toEqual([303, 303])
  expect(await trailOf(world, sent, 'quote')).toEqual(['send', 'unsend'])
})

test('a manager’s approval holds for the same draft', async () => {
  await world.db.insert(quoteApprovals).values({
    quoteId: draft.id,
    reason: 'Cliente frecuente',
    askedBy: people.analyst.id,
    answer: 'approved',
    answeredBy: people.manager.id,
    answeredAt: new Date(),
    quoteVersion: draft.version,
  })
  await send()
  await undo()
  expect(await isApproved(world.db, await quoteOf(world, sent))).toBe(true)
})

describe('what can no longer be taken back stays, in words', () => {
  beforeEach(send)

  const refused = async (answer: Awaited<ReturnType<typeof undo>>, by: Person, words: string) => {
    expect(answer.status).toBe(303)
    const page = readable(await world.visit(pageOf(sent), by))
    expect(page).toContain('No se pudo deshacer')
    expect(page).toContain(words)
    expect(page).not.toContain('Puedes deshacerlo todavía')
    expect(await emailsAbout(world, sent)).toEqual(['quote_sent to customer'])
  }

  test('its customer opened it', async () => {
    await noteViewed(world.db, people.customer.actor, sent.id, new Date())
    await refused(await undo(), people.analyst, 'El cliente ya vio esta cotización')
    expect(await stateOf()).toBe('viewed')
  })

  test.each([
    ['is out', sql`update pgboss.job set start_after = now() - interval '1 second'`],
    ['is being sent', sql`update pgboss.job set state = 'active'`],
  ])('its letter %s', async (_, happens) => {
    await world.db.execute(happens)
    await refused(await undo(), people.analyst, 'El aviso al cliente ya salió')
    expect(await stateOf()).toBe('sent')
  })

  test('another version was begun', async () => {
    const next = await storeNext(world, sent, people.analyst)
    await refused(await undo(), people.analyst, 'Ya empezaron otra versión')
    expect([await stateOf(), (await quoteOf(world, next)).state]).toEqual(['sent', 'draft'])
  })

  test('somebody else sent it', async () => {
    expect(await seesOffer(people.manager)).toBe(false)
    await refused(await undo(people.manager), people.manager, 'Solo quien la envió puede deshacerlo')
  })

  test('others have no such thing, and nonsense is refused', async () => {
    for (const by of [people.customer, people.technician, people.gester, people.ally])
      expect((await undo(by)).status).toBe(403)
    expect((await undo(people.analyst, { ...sent, version: 0 })).status).toBe(400)
    expect(await stateOf()).toBe('sent')
  })
})

test('a version that ended another one is not taken back, and its letter goes at once', async () => {
  await send()
  const next = await storeNext(world, sent, people.analyst)
  sent = await sendQuote(world.db, people.analyst.actor, next.id, next.version, new Date(), {
    replaces: draft.id,
  })
  expect(await seesOffer(people.analyst)).toBe(false)
  const answer = await undo()
  expect(answer.status).toBe(303)
  expect(await stateOf()).toBe('sent')
  expect((await quoteOf(world, draft)).state).toBe('superseded')
})

test('the frozen columns of a quote that was seen do not go back, by whatever way', async () => {
  await send()
  const back = { state: 'draft', digest: null, sentAt: null, validUntil: null } as const
  const of = eq(quotes.id, sent.id)
  await expect(
    world.db
      .update(quotes)
      .set({ ...back, content: { ...sent.content, depositPercent: 1 } })
      .where(of),
  ).rejects.toMatchObject({ cause: { constraint: 'quotes_frozen' } })
  await noteViewed(world.db, people.customer.actor, sent.id, new Date())
  await expect(world.db.update(quotes).set(back).where(of)).rejects.toMatchObject({
    cause: { constraint: 'quotes_frozen' },
  })
  const page = await world.data(pageOf(sent), people.analyst)
  expect(loaded<{ quote: { undoable: number } }>(page, 'quotes/detail').quote.undoable).toBe(0)
})
