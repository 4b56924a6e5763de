import type { Actor } from '../../domain/actor.ts'
import type { Db } from '../database/database.ts'
import { listen } from './announcements.ts'

const encoder = new TextEncoder()

type Stream = { actor: Actor; alive: () => Promise<boolean>; send: (text: string) => void; close: () => void }

/** The event streams this process keeps open. What goes down them says only "something changed", never what. */
export function openStreams(db: Db, beat = 20_000) {
  const streams = new Set<Stream>()
  let stopping = false
  const concerned = ({ actor }: Stream, people: ReadonlySet<string>) =>
    actor.kind === 'manager' || actor.kind === 'analyst' || people.has(actor.id)
  const stopListening = listen(db, (people) => {
    for (const stream of streams) if (concerned(stream, people)) stream.send('data: changed\n\n')
  })
  const heart = setInterval(() => {
    for (const stream of streams)
      stream.alive().then(
        (holds) => (holds ? stream.send(': beat\n\n') : stream.close()),
        // A database that can't be asked ends no stream.
        () => stream.send(': beat\n\n'),
      )
  }, beat)
  heart.unref()

  return {
    /** A stream for one open screen; `alive` is asked at each beat whether its session still holds. */
    open(actor: Actor, alive: () => Promise<boolean>): Response {
      if (stopping) return new Response(null, { status: 503, headers: { 'retry-after': '2' } })
      let stream: Stream
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          const close = () => {
            streams.delete(stream)
            try {
              controller.close()
            } catch {
              // The reader was gone already.
            }
          }
          const send = (text: string) => {
            // Its reader may have gone while we asked whether its session holds.
            if (!streams.has(stream)) return
            // A reader that stopped reading is dropped: it reconnects and asks for the present state.
            if ((controller.desiredSize ?? 0) < -64) return close()
            controller.enqueue(encoder.encode(text))
          }
          stream = { actor, alive, send, close }
          streams.add(stream)
          send('retry: 2000\n\n')
        },
        cancel() {
          streams.delete(stream)
        },
      })
      return new Response(body, {
        headers: {
          'content-type': 'text/event-stream',
          'cache-control': 'no-store',
          'x-accel-buffering': 'no',
        },
      })
    },
    async stop() {
      stopping = true
      clearInterval(heart)
      for (const stream of [...streams]) stream.close()
      await stopListening()
    },
  }
}

export type Streams = ReturnType<typeof openStreams>
