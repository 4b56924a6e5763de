import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { quoteApprovals, quotes } from '../../src/server/platform/database/schema/payments.ts'
import { tasks } from '../../src/server/platform/database/schema/projects.ts'
import { isApproved } from '../../src/server/quotes/approvals.ts'
import { noteViewed } from '../../src/server/quotes/detail.ts'
import { sendQuote } from '../../src/server/quotes/send.ts'
import {
  expectNotOnPage,
  expectRow,
  expectTrail,
  openEach,
  pageText,
  people,
  sendJobs,
  world,
} from '../kit/open.ts'
import { type Quote, quoteOf, sendDraft, storeDraft, storeNext, visited } from '../kit/quotes.ts'
import { emailsAbout, expectAnswered, expectTwice, expectWords } from '../kit/reading.ts'

let draft: Quote
let page: string
openEach(async () => {
  const visit = await visited(world, people.customer, people.technician)
  draft = await storeDraft(world, visit, people.analyst)
  page = `/admin/cotizations/detail-quote/${draft.id}`
})
sendJobs()

let sent: Quote
const send = async () => {
  sent = await sendDraft(world, people.analyst, draft)
}
const undo = (by = people.analyst, { id, version }: Pick<Quote, 'id' | 'version'> = sent) =>
  world.post('/admin/deshacer', { changes: `cotizacion:${id}:${version}`, back: page }, by)
const stateOf = async () => (await quoteOf(world, draft)).state
const offer = 'Puedes deshacerlo todavía'

test('a quote just sent becomes the same draft again, with nothing to its customer, and is sent anew', async () => {
  const whose = { personId: people.customer.id, projectId: draft.projectId, quoteId: draft.id }
  await world.db.insert(tasks).values({ subject: 'Otra versión', reason: 'quote_changes', ...whose })
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
  expect(await emailsAbout(world, sent)).toEqual(['quote_sent to customer'])
  expect(await pageText(page, people.analyst)).toContain(offer)
  await expectTwice(() => undo(), 303, page)
  const { updatedAt, version, ...back } = await quoteOf(world, sent)
  const { updatedAt: _, version: before, ...was } = draft
  expect(back).toEqual(was)
  expect(version).toBe(before + 2)
  expect(await emailsAbout(world, sent)).toEqual([])
  await expectTrail(sent, ['send', 'unsend'], 'quote')
  await expectRow(tasks, { quoteId: draft.id }, { doneAt: null, takenBy: null, result: null })
  expect(await isApproved(world.db, await quoteOf(world, sent))).toBe(true)
  await expectNotOnPage('/quote', people.customer, sent.folio)
  await expectNotOnPage(page, people.analyst, offer)
  await sendDraft(world, people.analyst, { ...draft, version })
  expect(await emailsAbout(world, sent)).toEqual(['quote_sent to customer'])
})

describe('a sent quote stays sent', () => {
  const viewed = () => noteViewed(world.db, people.customer.actor, sent.id, new Date())
  const emailed = () => world.db.execute(sql`update pgboss.job set start_after = now() - interval '1 second'`)
  const emailing = () => world.db.execute(sql`update pgboss.job set state = 'active'`)
  const beginNext = () => storeNext(world, sent, people.analyst)

  test.each([
    ['its customer viewed it', viewed, 'El cliente ya vio esta cotización', 'viewed'],
    ['its email was sent', emailed, 'El aviso al cliente ya salió', 'sent'],
    ['its email is being sent', emailing, 'El aviso al cliente ya salió', 'sent'],
    ['another version was begun', beginNext, 'Ya empezaron otra versión', 'sent'],
  ] as const)('once %s', async (_, happens, words, state) => {
    await send()
    await happens()
    await expectAnswered(undo(), 303)
    expectWords(await pageText(page, people.analyst), 'No se pudo deshacer', words)
    await expectNotOnPage(page, people.analyst, offer)
    expect(await emailsAbout(world, sent)).toEqual(['quote_sent to customer'])
    expect(await stateOf()).toBe(state)
  })

  test('to others than its sender, and for an invalid version', async () => {
    await send()
    await expectNotOnPage(page, people.manager, offer)
    await expectAnswered(undo(people.manager), 303)
    expect(await pageText(page, people.manager)).toContain('Solo quien la envió puede deshacerlo')
    for (const by of [people.customer, people.technician, people.gester, people.ally])
      await expectAnswered(undo(by), 403)
    await expectAnswered(undo(people.analyst, { ...sent, version: 0 }), 400)
    expect(await stateOf()).toBe('sent')
  })

  test('where it replaced another version', async () => {
    await send()
    const { id, version } = await storeNext(world, sent, people.analyst)
    const replaces = { replaces: draft.id }
    sent = await sendQuote(world.db, people.analyst.actor, id, version, new Date(), replaces)
    await expectNotOnPage(`/admin/cotizations/detail-quote/${id}`, people.analyst, offer)
    await expectAnswered(undo(), 303)
    expect([(await quoteOf(world, sent)).state, await stateOf()]).toEqual(['sent', 'superseded'])
  })

  test('against a change of its frozen columns in the database', async () => {
    await send()
    const back = { state: 'draft', digest: null, sentAt: null, validUntil: null } as const
    const change = (values: object) => world.db.update(quotes).set(values).where(eq(quotes.id, sent.id))
    const frozen = { cause: { constraint: 'quotes_frozen' } }
    const content = { ...sent.content, depositPercent: 1 }
    await expect(change({ ...back, content })).rejects.toMatchObject(frozen)
    await viewed()
    await expect(change(back)).rejects.toMatchObject(frozen)
  })
})
