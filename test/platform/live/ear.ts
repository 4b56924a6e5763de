import { expect } from 'vitest'
import type { Fixture } from '../../kit/fixture.ts'
import type { Visitor } from '../../kit/visitor.ts'

/** What a change sounds like: it names no one and nothing. */
export const changed = 'data: changed\n\n'
/** What customers hear when other times can be booked. */
export const otherSlots = 'event: slots\ndata: changed\n\n'
const greeting = 'retry: 2000\n\n'

export type Ear = Awaited<ReturnType<typeof listenAs>>

/** An open screen's stream, heard byte by byte. */
export async function listenAs(fixture: Pick<Fixture, 'open'>, as: Visitor) {
  const answer = await fixture.open('/live', as)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const reader = answer.body!.pipeThrough(new TextDecoderStream() as never).getReader()
  let text = ''
  let wake: (() => void) | undefined
  const done = (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += part.value
      wake?.()
    }
  })().catch(() => undefined)
  return {
    /** Everything heard so far but the greeting, the beats and news of other times to book. */
    heard: () =>
      [greeting, ': beat\n\n', otherSlots].reduce((rest, known) => rest.replaceAll(known, ''), text),
    /** Waits until something was heard, at most so many milliseconds; says whether. */
    async hears(within = 2_000): Promise<boolean> {
      const until = performance.now() + within
      while (this.heard() === '' && performance.now() < until)
        await new Promise<void>((resolve) => {
          wake = resolve
          setTimeout(resolve, Math.max(1, until - performance.now()))
        })
      return this.heard() !== ''
    },
    forget() {
      text = ''
    },
    async close() {
      await reader.cancel()
      await done
    },
  }
}
