import { createECDH } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import webPush from 'web-push'
import type { Actor } from '../access/rules/actor.ts'
import { livingSession, sessionHolds } from '../accounts/session.ts'
import { post, type Webhooks } from '../integrations/webhooks/send.ts'
import { type Db, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { pushSubscriptions, users } from '../platform/database/schema/accounts.ts'
import { sealingKey } from '../platform/http/sealing.ts'
import type { EmailJob } from '../platform/jobs/emails.ts'
import { noteAnswer } from '../platform/jobs/hands.ts'
import { enqueue, jobIdFor } from '../platform/jobs/jobs.ts'
import { receiverOf } from '../platform/jobs/queues.ts'
import { log, noteDropped } from '../platform/telemetry/log.ts'
import { isQuiet, outsideQuietHours, toMinutes } from '../shared/calendar.ts'
import { refuse } from '../shared/refusal.ts'
import {
  isForNow,
  isPushService,
  mostDevices,
  type NewsKind,
  newsKinds,
  newsKindsOf,
  noticeBody,
  notices,
} from './rules/push.ts'
import { type EmailEnv, linkFor } from './send.ts'

/** What a browser gives out to be written to. */
type Subscription = { endpoint: string; p256dh: string; auth: string }

/** Turns news on in the browser of a session; one that another account had turned them on in is this one's now. */
export async function subscribe(
  db: Db,
  actor: Actor,
  sessionId: string,
  { auth, endpoint, p256dh }: Subscription,
  { allowPrivate }: Pick<Webhooks, 'allowPrivate'>,
): Promise<void> {
  if (!allowPrivate && !isPushService(endpoint))
    refuse('invalid-argument', 'Tu navegador usa un servicio de avisos que no conocemos. Prueba con otro.')
  await transaction(db, async (tx) => {
    await tx
      .delete(pushSubscriptions)
      .where(
        sql`${pushSubscriptions.endpoint} = ${endpoint} or ${pushSubscriptions.sessionId} = ${sessionId}`,
      )
    await tx.insert(pushSubscriptions).values({ userId: actor.id, sessionId, endpoint, p256dh, auth })
    const kept = sql`select id from push_subscriptions where user_id = ${actor.id} order by created_at desc, id desc`
    await tx.execute(sql`delete from push_subscriptions where user_id = ${actor.id}
      and id not in (${kept} limit ${mostDevices})`)
  })
}

/** Turns them off there. */
export async function unsubscribe(db: Db, actor: Actor, sessionId: string): Promise<void> {
  const own = and(eq(pushSubscriptions.userId, actor.id), eq(pushSubscriptions.sessionId, sessionId))
  await db.delete(pushSubscriptions).where(own)
}

/** Chooses the kinds of news, for all of the person's devices. */
export async function chooseNews(db: Db, actor: Actor, wanted: Record<NewsKind, boolean>): Promise<void> {
  const unwantedNews = newsKindsOf(actor).filter((kind) => !wanted[kind])
  await transaction(db, async (tx) => {
    await tx.update(users).set({ unwantedNews }).where(eq(users.id, actor.id))
    const by = { entity: 'user', entityId: actor.id, actorId: actor.id }
    await record(tx, { ...by, name: 'choose_notices', data: { unwantedNews } })
  })
}

/** What the account page shows: whether this browser gets news, and the kinds. */
export async function ownNews(db: Db, actor: Actor, sessionId: string) {
  const [row] = await db
    .select({ unwanted: users.unwantedNews, endpoint: pushSubscriptions.endpoint })
    .from(users)
    .leftJoin(pushSubscriptions, eq(pushSubscriptions.sessionId, sessionId))
    .where(eq(users.id, actor.id))
  const unwanted = row?.unwanted ?? []
  const kinds = newsKindsOf(actor).map((name) => ({
    name,
    label: newsKinds[name],
    isWanted: !unwanted.includes(name),
  }))
  return { isOn: Boolean(row?.endpoint), kinds }
}

/** Every letter has its notice. */
const noticeOf = ({ letter, to }: EmailJob) => (notices as Told)[to][letter as never] as Notice

type Notice = readonly [kind: NewsKind, title: string] | null
type Told = {
  [To in EmailJob['to']]: { [Letter in Extract<EmailJob, { to: To }>['letter']]: Notice }
}

/**
 * Enqueues a message to each device of a letter's readers that wants this kind of news; one each, also after retries.
 * Called by the letter's job, which an undone change never reaches. At night it waits for the morning.
 */
export async function askForNotices(
  db: Db,
  letter: EmailJob,
  letterId: string,
  readers: readonly string[],
  now: Date,
): Promise<void> {
  const notice = noticeOf(letter)
  const ids = readers.filter(Boolean)
  if (!notice || ids.length === 0) return
  const devices = await devicesOf(db, ids, notice[0])
  if (devices.length === 0) return
  const isLate = !isForNow(letter.letter) && isQuiet(toMinutes(now))
  const at = isLate ? outsideQuietHours(now) : undefined
  await transaction(db, async (tx) => {
    for (const { endpoint, id } of devices) {
      const job = { subscriptionId: id, letter, letterId, receiver: receiverOf(endpoint) }
      await enqueue(tx, 'push', job, at, jobIdFor(letterId, id))
    }
  })
}

const devices = {
  name: 'devices_of',
  text: `select p.id, p.endpoint from push_subscriptions p where p.user_id = any($1)
    and p.session_id in (select s.id from ${livingSession}
      where s.user_id = any($1) and ${sessionHolds} and not ($2 = any(u.unwanted_news)))`,
}

type Device = { id: string; endpoint: string }

async function devicesOf(db: Db, people: readonly string[], kind: NewsKind): Promise<Device[]> {
  return (await db.$client.query<Device>({ ...devices, values: [people, kind] })).rows
}

type Asked = { subscriptionId: string; letter: EmailJob; letterId: string }
/** What sending needs: our keys, and what may be called. */
type Pushing = { keys: VapidKeys } & Pick<Webhooks, 'allowPrivate'>

/**
 * Sends a notice to a device, where its letter is still true and the reader still wants it. A device that is gone is
 * forgotten. Throws where the service takes nothing now.
 */
export async function sendNotice(
  db: Db,
  env: EmailEnv,
  pushing: Pushing,
  { letter, letterId, subscriptionId }: Asked,
): Promise<void> {
  const notice = noticeOf(letter)
  const own = eq(pushSubscriptions.id, subscriptionId)
  const [device] = await db.select().from(pushSubscriptions).where(own)
  if (!notice || !device) return
  if (!pushing.allowPrivate && !isPushService(device.endpoint))
    return void (await db.delete(pushSubscriptions).where(own))
  const wanted = await devicesOf(db, [device.userId], notice[0])
  if (!wanted.some(({ id }) => id === device.id)) return
  const link = await linkFor(db, env, letter, device.userId)
  if (!link) return noteDropped('push', letter.letter)
  const text = JSON.stringify({
    title: notice[1],
    body: noticeBody,
    url: pathOf(link, env.baseUrl),
    tag: letterId,
  })
  const outcome = await send(pushing, env, device, text, { letterId, isForNow: isForNow(letter.letter) })
  log.info({ device: device.id, letter: letter.letter, outcome }, 'notice sent or refused')
  if (outcome === 'gone') return void (await db.delete(pushSubscriptions).where(own))
  if (outcome === 'later') throw new Error('the push service takes nothing now')
  if (outcome === 'taken') await db.update(pushSubscriptions).set({ answeredAt: new Date() }).where(own)
}

/** Where a notice leads: inside the product. */
const pathOf = (link: string, baseUrl: string): string => {
  const { hash, origin, pathname, search } = new URL(link, baseUrl)
  return origin === new URL(baseUrl).origin ? pathname + search + hash : '/'
}

/** `gone`: the browser no longer wants anything, or never could. `refused`: this message, by a fault of ours. */
type Outcome = 'taken' | 'gone' | 'refused' | 'later'

/** So long a service keeps a message for a device that is off, in seconds. */
const keptFor = { now: 30 * 60, later: 24 * 3600 }

async function send(
  { keys, ...guard }: Pushing,
  { baseUrl, MAIL_FROM }: EmailEnv,
  { auth, endpoint, p256dh }: Subscription,
  text: string,
  { isForNow, letterId }: { isForNow: boolean; letterId: string },
): Promise<Outcome> {
  const subject = baseUrl.startsWith('https:') ? baseUrl : `mailto:${mailboxIn(MAIL_FROM)}`
  const asked = attempt(() =>
    webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
      vapidDetails: { subject, ...keys },
      TTL: isForNow ? keptFor.now : keptFor.later,
      urgency: isForNow ? 'high' : 'normal',
      // A second try replaces the first where the device has not fetched it yet.
      topic: letterId.replaceAll('-', '').slice(0, 32),
    }),
  )
  if (!asked) return 'gone'
  const headers = Object.fromEntries(Object.entries(asked.headers).map(([name, value]) => [name, `${value}`]))
  const answer = await post('push', { url: endpoint, headers, body: asked.body! }, guard)
  noteAnswer(receiverOf(endpoint), !('fault' in answer && answer.fault === 'timeout'))
  if ('fault' in answer) return answer.fault === 'private' ? 'gone' : 'later'
  const { status } = answer
  if (status >= 200 && status < 300) return 'taken'
  // 403: subscribed under another key of ours, as after AUTH_SECRET changed.
  if ([403, 404, 410].includes(status)) return 'gone'
  return status === 429 || status >= 500 ? 'later' : 'refused'
}

/** Nothing where the browser's keys are none. */
function attempt<Result>(run: () => Result): Result | null {
  try {
    return run()
  } catch {
    return null
  }
}

/** The address in "Name <address>". */
const mailboxIn = (from: string) => from.slice(from.lastIndexOf('<') + 1).replace('>', '')

/** The pair by which push services know us. */
type VapidKeys = { publicKey: string; privateKey: string }

/** Derived from the product's secret: the same in every process, and in its backup with it. */
export function vapidKeys(secret: string): VapidKeys {
  const key = sealingKey(secret, 'push')
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(key)
  return { publicKey: pair.getPublicKey('base64url'), privateKey: key.toString('base64url') }
}
