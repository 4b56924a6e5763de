import { type QuoteState, storyOf } from '../../src/quotes/rules/quote.ts'

/** Versions sent one day after the other. */
const sent = (...states: QuoteState[]) =>
  states.map((state, day) => ({ state, revision: day + 1, sentAt: new Date(Date.UTC(2026, 10, 1 + day)) }))

test.each<[string, QuoteState[], { current: number; agreed?: number; before?: number }]>([
  ['the only one', ['sent'], { current: 1 }],
  ['the one to be answered', ['superseded', 'viewed'], { current: 2, before: 1 }],
  [
    'the one to be answered beside an accepted one',
    ['accepted', 'sent'],
    { current: 2, agreed: 1, before: 1 },
  ],
  ['the accepted one once the next one ended', ['accepted', 'withdrawn'], { current: 1 }],
  ['the last once all ended', ['superseded', 'expired', 'rejected'], { current: 3, before: 2 }],
])('a customer is shown %s of the versions', (_, states, expected) => {
  const versions = sent(...states)
  const story = storyOf(versions.toReversed())!
  expect({
    current: story.current.revision,
    ...(story.agreed && { agreed: story.agreed.revision }),
    ...(story.before && { before: story.before.revision }),
  }).toEqual(expected)
  const others = versions.filter(({ revision }) => revision !== expected.current)
  expect(story.earlier).toEqual(others.toReversed())
})

test('a customer is shown no version before one was sent', () => expect(storyOf([])).toBeNull())
