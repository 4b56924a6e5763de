import { eq, sql } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { mostTries } from '../../../src/domain/agencies/integrations.ts'
import {
  eventsOf,
  renewSecret,
  switchEndpoint,
  testEndpoint,
} from '../../../src/server/integrations/webhooks/endpoints.ts'
import {
  replayDelivery,
  replayEvent,
  stageChanged,
} from '../../../src/server/integrations/webhooks/events.ts'
import { cleanUpWebhooks, openWebhooks, sendWebhook } from '../../../src/server/integrations/webhooks/send.ts'
import { transaction } from '../../../src/server/platform/database/client.ts'
import {
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from '../../../src/server/platform/database/schema/agencies.ts'
import { agencies } from '../../../src/server/platform/database/schema/projects.ts'
import {
  deliveriesOf,
  endpointOf,
  jobsOf,
  listener,
  listeningAgency,
  manager,
  move,
  newAgency,
  openExchange,
  tryAll,
  webhooks,
  world,
} from '../../kit/webhooks.ts'

openExchange()

const minute = 60_000
const heard = () => listener.heard.map(({ body }) => JSON.parse(body))

describe('a client who comes to another stage', () => {
  test('is told in a message whose signature the library of the receiver takes', async () => {
    const house = await listeningAgency()
    await move(house)
    expect(await tryAll(house)).toMatchObject({ state: 'delivered', tries: 1, lastStatus: 204 })
    const [{ body, headers }] = listener.heard as [(typeof listener.heard)[0]]
    expect(new Webhook(house.key).verify(body, headers)).toEqual({
      id: headers['webhook-id'],
      type: 'client.stage_changed',
      timestamp: expect.any(String),
      data: { clientId: house.client.id, from: 'invited', to: 'intake', waitingOn: 'customer' },
    })
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(body).not.toMatch(/Privado|5599887766/)
  })

  test('is told as one of the same agency, and to nobody else', async () => {
    const [house, other] = [await listeningAgency(), await newAgency()]
    await move(other)
    expect(await deliveriesOf(house)).toEqual([])
    expect((await eventsOf(world.db, house.agencyId, { limit: 10 })).events).toEqual([])
    expect((await eventsOf(world.db, other.agencyId, { limit: 10 })).events).toHaveLength(1)
    await expect(
      replayEvent(
        world.db,
        house.agencyId,
        (await eventsOf(world.db, other.agencyId, { limit: 1 })).events[0]!.id,
      ),
    ).rejects.toMatchObject({ code: 'not-found' })
  })

  test('is told nowhere when the change is not kept', async () => {
    const house = await listeningAgency()
    const { client } = house
    await expect(
      transaction(world.db, async (tx) => {
        await stageChanged(tx, { client, from: 'invited', to: 'visit', at: new Date() })
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(await deliveriesOf(house)).toEqual([])
    expect((await eventsOf(world.db, house.agencyId, { limit: 10 })).events).toEqual([])
  })

  test('whatever changes on the way is not taken', async () => {
    const house = await listeningAgency()
    await move(house)
    await tryAll(house)
    const { body, headers } = listener.heard[0]!
    const receiver = new Webhook(house.key)
    const refused = (text: string, changed: object) =>
      expect(() => receiver.verify(text, { ...headers, ...changed })).toThrow()
    refused(body.replace('intake', 'closed'), {})
    refused(body, { 'webhook-id': 'otro' })
    refused(body, { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) })
    refused(body, { 'webhook-signature': 'v1,AAAA' })
    expect(() => new Webhook(`whsec_${btoa('otra')}`).verify(body, headers)).toThrow()
  })
})

describe('a delivery', () => {
  test('is tried again after a 500 and after no answer, later each time, under the same id', async () => {
    const house = await listeningAgency()
    listener.manners.push(500, 'silent')
    await move(house)
    const first = await tryAll(house)
    expect(first).toMatchObject({ state: 'pending', tries: 1, lastStatus: 500, lastError: null })
    expect((first.nextTryAt!.getTime() - Date.now()) / minute).toBeCloseTo(1, 0)
    const second = await tryAll(house, { patience: 100 })
    expect(second).toMatchObject({ state: 'pending', tries: 2, lastStatus: null, lastError: 'timeout' })
    expect((second.nextTryAt!.getTime() - Date.now()) / minute).toBeCloseTo(5, 0)
    expect((await endpointOf(house)).failingSince).not.toBeNull()
    expect(await tryAll(house)).toMatchObject({
      state: 'delivered',
      tries: 3,
      nextTryAt: null,
      lastStatus: 204,
    })
    expect((await endpointOf(house)).failingSince).toBeNull()
    // One job for each try, at the moment the row says.
    const jobs = await jobsOf(first.id)
    expect(jobs.slice(1)).toEqual([first.nextTryAt, second.nextTryAt])
    expect(new Set(heard().map(({ id }) => id)).size).toBe(1)
    for (const { body, headers } of listener.heard) new Webhook(house.key).verify(body, headers)
  })

  test('goes out once for each try, however many processes were told', async () => {
    const house = await listeningAgency()
    await move(house)
    const { id } = (await deliveriesOf(house))[0]!
    await Promise.all(Array.from({ length: 8 }, () => sendWebhook(world.db, webhooks, id)))
    await sendWebhook(world.db, webhooks, id)
    expect(listener.heard).toHaveLength(1)
    expect((await deliveriesOf(house))[0]).toMatchObject({ state: 'delivered', tries: 1 })
  })

  test('is not tried before its time', async () => {
    const house = await listeningAgency()
    listener.manners.push(500)
    await move(house)
    const { id } = await tryAll(house)
    await sendWebhook(world.db, webhooks, id)
    expect(listener.heard).toHaveLength(1)
  })

  test('is given up after the eighth try, and can be sent again by hand', async () => {
    const house = await listeningAgency()
    listener.manners.push(...Array.from({ length: mostTries }, () => 503))
    await move(house)
    let last = await tryAll(house)
    while (last.state === 'pending') last = await tryAll(house)
    expect(last).toMatchObject({ state: 'dead', tries: mostTries, lastStatus: 503, nextTryAt: null })
    expect((await endpointOf(house)).active).toBe(true)
    await replayDelivery(world.db, manager.actor, house.agencyId, last.id)
    const again = await tryAll(house)
    expect(again).toMatchObject({
      state: 'delivered',
      tries: 1,
      eventId: last.eventId,
      replayedBy: manager.id,
    })
    expect(new Set(heard().map(({ id }) => id)).size).toBe(1)
    await replayEvent(world.db, house.agencyId, last.eventId)
    expect(await tryAll(house)).toMatchObject({ state: 'delivered', replayedBy: null })
    expect(await deliveriesOf(house)).toHaveLength(3)
  })

  test('whose process ended in the middle is taken up by another, and one whose job is lost gets another', async () => {
    const house = await listeningAgency()
    await move(house)
    const { id } = (await deliveriesOf(house))[0]!
    const lost = sql`now() - interval '2 hours'`
    await world.db
      .update(webhookDeliveries)
      .set({ tries: 1, nextTryAt: lost })
      .where(eq(webhookDeliveries.id, id))
    await cleanUpWebhooks(world.db, new Date())
    expect(await jobsOf(id)).toHaveLength(2)
    await sendWebhook(world.db, webhooks, id)
    expect((await deliveriesOf(house))[0]).toMatchObject({ state: 'delivered', tries: 2 })
  })
})

describe('an endpoint', () => {
  test('that took nothing for three days is switched off, with what waits for it, and the managers hear', async () => {
    const house = await listeningAgency()
    const lately = new Date(Date.now() - 73 * 60 * minute)
    await world.db
      .update(webhookEndpoints)
      .set({ failingSince: lately })
      .where(eq(webhookEndpoints.id, house.endpointId))
    await move(house)
    await move(house, 'intake', 'visit')
    const [waiting, dying] = await deliveriesOf(house)
    await world.db
      .update(webhookDeliveries)
      .set({ tries: mostTries - 1 })
      .where(eq(webhookDeliveries.id, dying!.id))
    listener.manners.push(500)
    await sendWebhook(world.db, webhooks, dying!.id)
    expect(await endpointOf(house)).toMatchObject({ active: false, stoppedReason: 'failing' })
    expect((await deliveriesOf(house))[0]).toMatchObject({
      id: waiting!.id,
      state: 'dead',
      lastError: 'switched_off',
    })
    const { rows } = await world.db.execute(sql`select 1 from pgboss.job
      where name = 'letter' and data ->> 'endpointId' = ${house.endpointId} and data ->> 'letter' = 'webhook_off'`)
    expect(rows).toHaveLength(1)
    await move(house, 'visit', 'quoting')
    expect(await deliveriesOf(house)).toHaveLength(2)
    expect((await eventsOf(world.db, house.agencyId, { limit: 10 })).events).toHaveLength(3)
  })

  test('that answers 410 is switched off at once', async () => {
    const house = await listeningAgency()
    listener.manners.push(410)
    await move(house)
    expect(await tryAll(house)).toMatchObject({ state: 'dead', tries: 1 })
    expect(await endpointOf(house)).toMatchObject({ active: false, stoppedReason: 'gone' })
  })

  test('of an agency that is inactive hears nothing', async () => {
    const house = await listeningAgency()
    await move(house)
    await world.db.update(agencies).set({ active: false }).where(eq(agencies.id, house.agencyId))
    await move(house, 'intake', 'visit')
    expect(await deliveriesOf(house)).toHaveLength(1)
    expect(await tryAll(house)).toMatchObject({ state: 'dead', lastError: 'switched_off' })
    expect(listener.heard).toEqual([])
  })

  test('signs with both secrets for a day after a change', async () => {
    const house = await listeningAgency()
    const seen = { agencyId: house.agencyId, endpointId: house.endpointId, version: 1 }
    const newKey = await renewSecret(world.db, webhooks, manager.actor, seen, new Date())
    await move(house)
    await tryAll(house)
    const { body, headers } = listener.heard[0]!
    for (const key of [house.key, newKey]) new Webhook(key).verify(body, headers)
    await world.db
      .update(webhookEndpoints)
      .set({ previousUntil: new Date() })
      .where(eq(webhookEndpoints.id, house.endpointId))
    await move(house, 'intake', 'visit')
    await tryAll(house)
    const after = listener.heard[1]!
    new Webhook(newKey).verify(after.body, after.headers)
    expect(() => new Webhook(house.key).verify(after.body, after.headers)).toThrow()
  })

  test('keeps its secret sealed: another key of the application reads none', async () => {
    const house = await listeningAgency()
    const { secret } = await endpointOf(house)
    expect(secret).not.toContain(house.key.slice(6))
    expect(webhooks.unseal(secret)).toBe(house.key)
    const other = openWebhooks({
      env: { WEBHOOK_ALLOW_PRIVATE: true },
      secret: 'another-key-another-key-another-key',
    })
    expect(other.unseal(secret)).toBeNull()
    await move(house)
    expect(await tryAll(house, { unseal: other.unseal })).toMatchObject({
      state: 'dead',
      lastError: 'sealed',
    })
    expect(listener.heard).toEqual([])
  })

  test('is tested once; off, it takes neither a test nor a delivery again', async () => {
    const house = await listeningAgency()
    const seen = { agencyId: house.agencyId, endpointId: house.endpointId, version: 1 }
    listener.manners.push(500)
    await testEndpoint(world.db, manager.actor, seen, new Date())
    const failed = await tryAll(house)
    expect(failed).toMatchObject({ state: 'dead', tries: 1, lastStatus: 500 })
    expect(heard()).toMatchObject([{ type: 'webhook.test', data: {} }])
    await switchEndpoint(world.db, manager.actor, seen, false, new Date())
    const off = { ...seen, version: 2 }
    await expect(testEndpoint(world.db, manager.actor, off, new Date())).rejects.toMatchObject({
      code: 'failed-precondition',
    })
    await expect(replayDelivery(world.db, manager.actor, house.agencyId, failed.id)).rejects.toMatchObject({
      code: 'failed-precondition',
    })
    await switchEndpoint(world.db, manager.actor, off, true, new Date())
    expect(await endpointOf(house)).toMatchObject({ active: true, failingSince: null, stoppedReason: null })
  })
})

test('events are forgotten after 90 days', async () => {
  const house = await listeningAgency()
  await move(house)
  await move(house, 'intake', 'visit')
  const [kept, old] = (await eventsOf(world.db, house.agencyId, { limit: 1 })).events
  expect(old).toBeUndefined()
  await world.db
    .update(webhookEvents)
    .set({ createdAt: new Date(Date.now() - 91 * 24 * 60 * minute) })
    .where(eq(webhookEvents.id, kept!.id))
  await cleanUpWebhooks(world.db, new Date())
  const { events } = await eventsOf(world.db, house.agencyId, { limit: 10 })
  expect(events.map(({ data }) => data)).toMatchObject([{ to: 'visit' }])
  expect(await deliveriesOf(house)).toHaveLength(1)
})
