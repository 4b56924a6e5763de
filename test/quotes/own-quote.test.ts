import { expect, test } from 'vitest'
import { type QuoteState, storyOf } from '../../src/domain/quotes/quote.ts'

/** Versions sent one day after the other. */
const sent = (...states: QuoteState[]) =>
  states.map((state, day) => ({ state, revision: day + 1, sentAt: new Date(Date.UTC(2026, 10, 1 + day)) }))

test.each<[string, QuoteState[], { current: number; agreed?: number; before?: number }]>([
  ['the only one', ['sent'], { current: 1 }],
  ['the one to be answered', ['superseded', 'viewed'], { current: 2, before: 1 }],
  ['it, while another was agreed', ['accepted', 'sent'], { current: 2, agreed: 1, before: 1 }],
  ['what was agreed, once the next one came to nothing', ['accepted', 'withdrawn'], { current: 1 }],
  ['the last, when nothing stands', ['superseded', 'expired', 'rejected'], { current: 3, before: 2 }],
])('its customer is shown %s', (_, states, expected) => {
  const versions = sent(...states)
  const story = storyOf(versions.toReversed())!
  expect({
    current: story.current.revision,
    ...(story.agreed && { agreed: story.agreed.revision }),
    ...(story.before && { before: story.before.revision }),
  }).toEqual(expected)
  expect(story.earlier.map(({ revision }) => revision)).toEqual(
    versions
      .map(({ revision }) => revision)
      .filter((one) => one !== expected.current)
      .toReversed(),
  )
})

test('there is none before anything was sent', () => expect(storyOf([])).toBeNull())
