import { sql } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import type { ClientStage } from '../../../src/agencies/rules/clients.ts'
import { mostTries } from '../../../src/agencies/rules/integrations.ts'
import { parseEnv } from '../../../src/app/env.ts'
import { handlers } from '../../../src/app/handlers.ts'
import {
  addEndpoint,
  eventsOf,
  renewSecret,
  switchEndpoint,
  testEndpoint,
} from '../../../src/integrations/webhooks/endpoints.ts'
import { replayDelivery, replayEvent, stageChanged } from '../../../src/integrations/webhooks/events.ts'
import { cleanUpWebhooks, openWebhooks, sendWebhook } from '../../../src/integrations/webhooks/send.ts'
import { transaction } from '../../../src/platform/database/client.ts'
import {
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from '../../../src/platform/database/schema/agencies.ts'
import { agencies } from '../../../src/platform/database/schema/projects.ts'
import { noteAnswer } from '../../../src/platform/jobs/hands.ts'
import { startJobs, stopJobs } from '../../../src/platform/jobs/jobs.ts'
import { receiverOf } from '../../../src/platform/jobs/queues.ts'
import { ago, db, expectEmails, fixture, inParallel, runSql, setRow } from '../../kit/open.ts'
import { secret } from '../../kit/people.ts'
import { expectRefusal } from '../../kit/reading.ts'
import {
  answerIn,
  deliveriesOf,
  endpointOf,
  type House,
  jobsOf,
  listener,
  listeningAgency,
  manager,
  move,
  newAgency,
  openExchange,
  tryAll,
  webhooks,
} from '../../kit/webhooks.ts'
import { type Listener, openListener } from './listener.ts'

openExchange()
let house: Awaited<ReturnType<typeof listeningAgency>>
beforeEach(async () => {
  house = await listeningAgency()
})

const minute = 60_000
const received = () => listener.requests.map(({ body }) => JSON.parse(body))
const eventsIn = async ({ agencyId }: House = house, limit = 10) =>
  (await eventsOf(db, agencyId, { limit })).events
const latest = async () => (await deliveriesOf(house))[0]!
/** The endpoint as its first form shows it. */
const seen = () => ({ agencyId: house.agencyId, endpointId: house.endpointId, version: 1 })
const moveOn = (...stages: [from: ClientStage, to: ClientStage] | []) => move(house, ...stages)

test('a change of stage is sent with a signature that the receiver’s library verifies, and that no change survives', async () => {
  await moveOn()
  expect(await tryAll(house)).toMatchObject({ state: 'delivered', tries: 1, lastStatus: 204 })
  const [{ body, headers }] = listener.requests as [(typeof listener.requests)[0]]
  expect(new Webhook(house.key).verify(body, headers)).toEqual({
    id: headers['webhook-id'],
    type: 'client.stage_changed',
    timestamp: expect.any(String),
    data: {
      clientId: house.client.id,
      reference: 'DMS-7',
      from: 'invited',
      to: 'intake',
      waitingOn: 'customer',
    },
  })
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(body).not.toMatch(/Privado|5599887766/)
  const refused = (text: string, changed = {}, key = house.key) =>
    expect(() => new Webhook(key).verify(text, { ...headers, ...changed })).toThrow()
  refused(body.replace('intake', 'closed'))
  refused(body, { 'webhook-id': 'otro' })
  refused(body, { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) })
  refused(body, { 'webhook-signature': 'v1,AAAA' })
  refused(body, {}, `whsec_${btoa('otra')}`)
})

test('a change of stage is sent to its agency only, and not at all when the change is rolled back', async () => {
  const other = await newAgency()
  const { client } = house
  const rolledBack = transaction(db, async (tx) => {
    await stageChanged(tx, { client, from: 'invited', to: 'visit', at: new Date() })
    throw new Error('no')
  })
  await expect(rolledBack).rejects.toThrow('no')
  await move(other)
  expect([await deliveriesOf(house), await eventsIn()]).toEqual([[], []])
  const [event, ...more] = await eventsIn(other)
  expect(more).toEqual([])
  await expectRefusal(replayEvent(db, house.agencyId, event!.id), 'not-found')
})

test('a delivery is retried after a 500 and after no answer, later each time, under the same id', async () => {
  listener.replies.push(500, 'silent')
  await moveOn()
  const first = await tryAll(house)
  expect(first).toMatchObject({ state: 'pending', tries: 1, lastStatus: 500, lastError: null })
  expect((first.nextTryAt!.getTime() - Date.now()) / minute).toBeCloseTo(1, 0)
  const usual = answerIn(100)
  const second = await tryAll(house)
  usual()
  expect(second).toMatchObject({ state: 'pending', tries: 2, lastStatus: null, lastError: 'timeout' })
  expect((second.nextTryAt!.getTime() - Date.now()) / minute).toBeCloseTo(5, 0)
  expect((await endpointOf(house)).failingSince).not.toBeNull()
  const third = { state: 'delivered', tries: 3, nextTryAt: null, lastStatus: 204 }
  expect(await tryAll(house)).toMatchObject(third)
  expect((await endpointOf(house)).failingSince).toBeNull()
  expect((await jobsOf(first.id)).slice(1)).toEqual([first.nextTryAt, second.nextTryAt])
  expect(new Set(received().map(({ id }) => id)).size).toBe(1)
  for (const { body, headers } of listener.requests) new Webhook(house.key).verify(body, headers)
})

test('a delivery is sent once for eight jobs at once, and not before its time', async () => {
  listener.replies.push(500)
  await moveOn()
  const { id } = await latest()
  await inParallel(8, () => sendWebhook(db, webhooks, id))
  await sendWebhook(db, webhooks, id)
  expect(listener.requests).toHaveLength(1)
  expect(await latest()).toMatchObject({ state: 'pending', tries: 1 })
})

test('a delivery is given up after the eighth try, and can be replayed', async () => {
  listener.replies.push(...Array.from({ length: mostTries }, () => 503))
  await moveOn()
  let last = await tryAll(house)
  while (last.state === 'pending') last = await tryAll(house)
  expect(last).toMatchObject({ state: 'dead', tries: mostTries, lastStatus: 503, nextTryAt: null })
  expect((await endpointOf(house)).active).toBe(true)
  await replayDelivery(db, manager.actor, house.agencyId, last.id)
  const again = await tryAll(house)
  const replayed = { state: 'delivered', tries: 1, eventId: last.eventId, replayedBy: manager.id }
  expect(again).toMatchObject(replayed)
  expect(new Set(received().map(({ id }) => id)).size).toBe(1)
  await replayEvent(db, house.agencyId, last.eventId)
  expect(await tryAll(house)).toMatchObject({ state: 'delivered', replayedBy: null })
  expect(await deliveriesOf(house)).toHaveLength(3)
})

test.each(['its process or its job was lost', 'a clock was a day ahead'])(
  'a delivery is taken up again after %s',
  async (why) => {
    await moveOn()
    const { id } = await latest()
    const away = why.includes('clock') ? sql`now() + interval '1 day'` : sql`now() - interval '2 hours'`
    await setRow(webhookDeliveries, id, { tries: 1, nextTryAt: away })
    await cleanUpWebhooks(db, new Date())
    // A lost process may have left its job, which waits behind others.
    expect(await jobsOf(id)).toHaveLength(why.includes('clock') ? 2 : 1)
    if (!why.includes('clock')) {
      await runSql`delete from pgboss.job where data ->> 'deliveryId' = ${id}`
      await cleanUpWebhooks(db, new Date())
      expect(await jobsOf(id)).toHaveLength(1)
    }
    await sendWebhook(db, webhooks, id)
    expect(await latest()).toMatchObject({ state: 'delivered', tries: 2 })
  },
)

test('an endpoint that fails for three days is switched off with its pending deliveries, and managers are emailed', async () => {
  await setRow(webhookEndpoints, house.endpointId, { failingSince: ago(73 * 60 * minute) })
  await moveOn()
  await moveOn('intake', 'visit')
  const [waiting, dying] = await deliveriesOf(house)
  await setRow(webhookDeliveries, dying!, { tries: mostTries - 1 })
  listener.replies.push(500)
  await sendWebhook(db, webhooks, dying!.id)
  expect(await endpointOf(house)).toMatchObject({ active: false, stoppedReason: 'failing' })
  expect(await latest()).toMatchObject({ id: waiting!.id, state: 'dead', lastError: 'switched_off' })
  await expectEmails(house.endpointId, ['webhook_off to managers'])
  await moveOn('visit', 'quoting')
  expect(await deliveriesOf(house)).toHaveLength(2)
  expect(await eventsIn()).toHaveLength(3)
})

test('an endpoint of an inactive agency is sent nothing', async () => {
  await moveOn()
  await setRow(agencies, house.agencyId, { active: false })
  await moveOn('intake', 'visit')
  expect(await deliveriesOf(house)).toHaveLength(1)
  expect(await tryAll(house)).toMatchObject({ state: 'dead', lastError: 'switched_off' })
  expect(listener.requests).toEqual([])
})

test('an endpoint is sent both signatures for a day after a change of secret', async () => {
  const newKey = await renewSecret(db, webhooks, manager.actor, seen(), new Date())
  await moveOn()
  await tryAll(house)
  const { body, headers } = listener.requests[0]!
  for (const key of [house.key, newKey]) new Webhook(key).verify(body, headers)
  await setRow(webhookEndpoints, house.endpointId, { previousUntil: new Date() })
  await moveOn('intake', 'visit')
  await tryAll(house)
  const after = listener.requests[1]!
  new Webhook(newKey).verify(after.body, after.headers)
  expect(() => new Webhook(house.key).verify(after.body, after.headers)).toThrow()
})

test('an endpoint keeps its secret sealed: another key of the application cannot read it', async () => {
  const { secret } = await endpointOf(house)
  expect(secret).not.toContain(house.key.slice(6))
  expect(webhooks.unseal(secret)).toBe(house.key)
  const env = { WEBHOOK_ALLOW_PRIVATE: true }
  const other = openWebhooks({ env, secret: 'another-key-another-key-another-key' })
  expect(other.unseal(secret)).toBeNull()
  await moveOn()
  expect(await tryAll(house, other)).toMatchObject({ state: 'dead', lastError: 'sealed' })
  expect(listener.requests).toEqual([])
})

test('an endpoint is tested without retries; switched off, it refuses tests and replays', async () => {
  listener.replies.push(500)
  await testEndpoint(db, manager.actor, seen(), new Date())
  const failed = await tryAll(house)
  expect(failed).toMatchObject({ state: 'dead', tries: 1, lastStatus: 500 })
  expect(received()).toMatchObject([{ type: 'webhook.test', data: {} }])
  await switchEndpoint(db, manager.actor, seen(), false, new Date())
  const off = { ...seen(), version: 2 }
  await expectRefusal(testEndpoint(db, manager.actor, off, new Date()), 'failed-precondition')
  await expectRefusal(replayDelivery(db, manager.actor, house.agencyId, failed.id), 'failed-precondition')
  await switchEndpoint(db, manager.actor, off, true, new Date())
  expect(await endpointOf(house)).toMatchObject({ active: true, failingSince: null, stoppedReason: null })
})

test('deletes events after 90 days', async () => {
  await moveOn()
  await moveOn('intake', 'visit')
  const [first] = await eventsIn(house, 1)
  await setRow(webhookEvents, first!, { createdAt: ago(91 * 24 * 60 * minute) })
  await cleanUpWebhooks(db, new Date())
  expect((await eventsIn()).map(({ data }) => data)).toMatchObject([{ to: 'visit' }])
  expect(await deliveriesOf(house)).toHaveLength(1)
})

describe('a receiver that never answers', () => {
  /** Works on the queues here, until the test ends and its listeners are closed. */
  async function work() {
    const env = parseEnv({ WEBHOOK_ALLOW_PRIVATE: 'true' })
    await stopJobs()
    await startJobs(db, handlers({ db, drive: fixture.drive, env, secret }))
    onTestFinished(async () => {
      await stopJobs()
      await runSql`delete from pgboss.job where name = 'send-webhook'`
      await startJobs(db)
    })
  }
  /** An agency that waits for ever, and one that answers. */
  async function two(count: number) {
    answerIn(600_000)
    listener.replies.push(...Array.from({ length: count }, () => 'silent' as const))
    const silent = await listeningAgency()
    const quick = await openListener()
    onTestFinished(() => void quick.close())
    const other = await newAgency()
    await addEndpoint(db, webhooks, manager.actor, other.agencyId, quick.url)
    for (let sent = 0; sent < count; sent++) await move(silent)
    const soon = { timeout: 60_000, interval: 50 }
    const expectAsked = (of: Listener, times: number) =>
      expect.poll(() => of.requests.length, soon).toBe(times)
    return { silent, quick, other, expectAsked }
  }

  test('holds two places with 200 deliveries, and delays no event of another', async () => {
    const { expectAsked, other, quick } = await two(200)
    await work()
    await expectAsked(listener, 2)
    await move(other)
    await expectAsked(quick, 1)
    expect(listener.requests).toHaveLength(2)
  }, 120_000)

  test('is tried once at a time after three time-outs, until it answers', async () => {
    const { expectAsked, other, quick } = await two(5)
    const host = receiverOf(listener.url)
    for (let time = 0; time < 3; time++) noteAnswer(host, false)
    await work()
    await expectAsked(listener, 1)
    await move(other)
    await expectAsked(quick, 1)
    expect(listener.requests).toHaveLength(1)
    noteAnswer(host, true)
    await move(other)
    await expectAsked(listener, 2)
  }, 120_000)
})
