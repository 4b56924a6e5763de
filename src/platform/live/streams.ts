import { type Actor, isAnalyst, isCustomer, isManager } from '../../access/rules/actor.ts'
import type { Db } from '../database/client.ts'
import type { Session } from '../http/types.ts'
import { log } from '../telemetry/log.ts'
import { announcedSince, desk, everyone, listen } from './announcements.ts'

const encoder = new TextEncoder()

/**
 * Intervals: of heartbeats on quiet streams, for proxies that close silent ones, of session checks, and of looks whether
 * other times can be booked.
 */
const usual = { beat: 20_000, check: 3_000, slots: 10_000 }

/** More tabs than a user has open in all browsers: a client that opens more is exhausting the server. */
const mostOfAPerson = 50

type Living = (db: Db, sessionIds: readonly string[]) => Promise<ReadonlySet<string>>
type Stream = { actor: Actor; sessionId: string; send: (text: string) => void; close: () => void }

/**
 * The event streams of this process. Their only messages are "something changed" and, for customers, "other times can be
 * booked", never what. `living`: which of some sessions have not ended.
 */
export function openStreams(db: Db, living: Living, { beat, check, slots } = usual) {
  const streams = new Set<Stream>()
  let stopping = false
  const availability = watchAvailability(db, slots, () => {
    for (const stream of streams) if (isCustomer(stream.actor)) stream.send(otherSlots)
  })
  const stopListening = listen(db, (people) => {
    availability.look()
    for (const stream of streams) if (concerns(stream.actor, people)) stream.send(changed)
  })
  const heart = setInterval(() => {
    for (const stream of streams) stream.send(': beat\n\n')
  }, beat)
  const watch = setInterval(() => {
    endWithoutSession(living, db, streams).catch((err) =>
      log.warn({ err }, 'session check of live streams failed, streams kept'),
    )
  }, check)
  for (const timer of [heart, watch]) timer.unref()

  return {
    /**
     * A stream for one open screen; it ends a moment after its session did. What was announced after the `position` at
     * which the screen was read comes first.
     */
    open({ actor, sessionId }: Pick<Session, 'actor' | 'sessionId'>, position?: string): Response {
      if (stopping) return new Response(null, { status: 503, headers: { 'retry-after': '2' } })
      if (countOf(streams, actor.id) >= mostOfAPerson) return new Response(null, { status: 429 })
      const missed = position === undefined ? [] : announcedSince(db, position)
      const isOld = missed.some((people) => concerns(actor, people))
      const first = isOld ? `${greeting}${changed}` : greeting
      const body = streamOf((send, close) => ({ actor, sessionId, send, close }), streams, first)
      return new Response(body, { headers })
    },
    count: () => streams.size,
    /** The analysts who have a screen open at this process. */
    analysts: () => [...new Set([...streams].flatMap(({ actor }) => (isAnalyst(actor) ? actor.id : [])))],
    async stop() {
      stopping = true
      for (const timer of [heart, watch]) clearInterval(timer)
      availability.stop()
      for (const stream of [...streams]) stream.close()
      await stopListening()
    },
  }
}

export type Streams = ReturnType<typeof openStreams>

const greeting = 'retry: 2000\n\n'
const changed = 'data: changed\n\n'
const otherSlots = 'event: slots\ndata: changed\n\n'

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

function countOf(streams: ReadonlySet<Stream>, person: string): number {
  let count = 0
  for (const stream of streams) if (stream.actor.id === person) count++
  return count
}

const concerns = (actor: Actor, people: ReadonlySet<string>) =>
  people.has(everyone) ||
  isManager(actor) ||
  (isAnalyst(actor) && people.has(desk)) ||
  people.has(actor.id) ||
  (actor.agencyId !== null && people.has(actor.agencyId))

/**
 * What free times follow from: who works when, settings and travel (the roster's version), and what happened to
 * appointments. The newest event of one is found from the end.
 */
const availabilityNow = `select version || ' ' || coalesce((select id from events where entity = 'appointment'
  order by id desc limit 1), 0) as mark from roster_version`

/** Looks once for all open screens, at most once per `interval`, whether other times can be booked than before. */
function watchAvailability({ $client }: Db, interval: number, changed: () => void) {
  let mark: string | undefined
  let timer: NodeJS.Timeout | undefined
  let next = 0
  const ask = async () => {
    const { rows } = await $client.query<{ mark: string }>(availabilityNow)
    if (mark !== undefined && rows[0]!.mark !== mark) changed()
    mark = rows[0]!.mark
  }
  const look = () => {
    timer ??= setTimeout(
      () => {
        timer = undefined
        next = performance.now() + interval
        ask().catch((err) => log.warn({ err }, 'availability could not be read'))
      },
      Math.max(0, next - performance.now()),
    ).unref()
  }
  return { look, stop: () => clearTimeout(timer) }
}

/** One query for all open screens: those whose session ended in any way are notified, and their streams end. */
async function endWithoutSession(living: Living, db: Db, streams: ReadonlySet<Stream>) {
  const asked = [...streams]
  if (asked.length === 0) return
  const going = await living(db, [...new Set(asked.map(({ sessionId }) => sessionId))])
  for (const { sessionId, send, close } of asked) {
    if (going.has(sessionId)) continue
    send('event: ended\ndata: session\n\n')
    close()
  }
}

function streamOf(
  made: (send: Stream['send'], close: Stream['close']) => Stream,
  streams: Set<Stream>,
  first: string,
): ReadableStream<Uint8Array> {
  let stream: Stream
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const close = () => {
        streams.delete(stream)
        try {
          controller.close()
        } catch {
          // The reader had already disconnected.
        }
      }
      const send = (text: string) => {
        // The reader may have disconnected during the session check.
        if (!streams.has(stream)) return
        // A reader that stopped reading is dropped: it reconnects and loads the current state.
        if ((controller.desiredSize ?? 0) < -64) return close()
        controller.enqueue(encoder.encode(text))
      }
      stream = made(send, close)
      streams.add(stream)
      send(first)
    },
    cancel() {
      streams.delete(stream)
    },
  })
}
