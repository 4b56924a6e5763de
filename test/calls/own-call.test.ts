import fc from 'fast-check'
import {
  type CallTurn,
  callChangesAt,
  callSteps,
  callTurnOf,
  callTurns,
  type OwnCallFacts,
  roomPhase,
  type Stay,
  togetherFor,
} from '../../src/calls/rules/room.ts'

const start = Date.UTC(2026, 10, 24, 16)
const at = (minutes: number) => new Date(start + minutes * 60_000)
const facts = (now: number, change: Partial<OwnCallFacts> = {}): OwnCallFacts => ({
  state: 'assigned',
  startsAt: at(0),
  startedAt: null,
  now: at(now),
  customerWaitingSince: null,
  customerCameAt: null,
  takenOverAt: null,
  callBackAskedAt: null,
  keepsWaitingAt: null,
  analystIsHere: false,
  ...change,
})
const alone = (since: number) => ({ customerWaitingSince: at(since), customerCameAt: at(since) })

test.each<[string, OwnCallFacts, CallTurn | null, Date | null]>([
  ['before the room opens', facts(-15.01), null, at(-15)],
  ['when it opens', facts(-15), 'open', null],
  ['while only the analyst is there', facts(-5, { analystIsHere: true }), 'expected', null],
  ['while only the customer is', facts(-5, alone(-10)), 'waiting', at(10)],
  ['until ten minutes after the start', facts(9.9, alone(-10)), 'waiting', at(10)],
  ['from ten minutes on', facts(10, alone(-10)), 'left_alone', at(30)],
  ['until ten minutes after a late customer came', facts(14.9, alone(5)), 'waiting', at(15)],
  [
    'of a customer who keeps waiting',
    facts(12, { ...alone(-10), keepsWaitingAt: at(11) }),
    'waiting',
    at(21),
  ],
  [
    'of a customer who kept waiting for ten minutes',
    facts(21, { ...alone(-10), keepsWaitingAt: at(11) }),
    'left_alone',
    at(30),
  ],
  ['of a customer who gave up', facts(12, { customerCameAt: at(0) }), 'left_alone', at(30)],
  ['of a customer who gave up before ten minutes', facts(5, { customerCameAt: at(0) }), 'open', at(10)],
  [
    'of a customer who gave up, once the analyst is there',
    facts(12, { customerCameAt: at(0), analystIsHere: true }),
    'expected',
    at(30),
  ],
  ['of a customer who is phoned', facts(12, { ...alone(-10), callBackAskedAt: at(11) }), 'call_back', at(30)],
  [
    'during the call',
    facts(12, { state: 'in_progress', startedAt: at(1), customerCameAt: at(0) }),
    'talking',
    at(30),
  ],
  ['once it is over', facts(40, { ...alone(0), state: 'cancelled' }), null, null],
  ['the day after', facts(24 * 60, alone(0)), null, null],
])('finds the turn %s', (_when, call, turn, changes) => {
  expect(callTurnOf(call)).toBe(turn)
  expect(callChangesAt(call)).toEqual(changes)
})

test.each(Object.keys(callTurns) as CallTurn[])(
  'the turn %s has a sentence, and a next step for the customer',
  (turn) => {
    const { line, waitingOn } = callTurns[turn]
    if (waitingOn === 'customer') expect(callSteps[turn]).not.toBeNull()
    expect(line).toMatch(/\.$/)
  },
)

const hour = 60

test.each([
  ['a moment before it opens', -15 - 1 / 60, 'early'],
  ['fifteen minutes before', -15, 'open'],
  ['in the last minute of its day', 14 * hour - 1, 'open'],
  ['when its day is over', 14 * hour, 'over'],
])('the room of a call: %s', (_when, minutes, phase) => {
  expect(roomPhase({ state: 'assigned', startsAt: at(0) }, at(minutes))).toBe(phase)
})

const someStays = fc.array(
  fc.tuple(fc.nat(60), fc.nat(20)).map(([from, long]): Stay => ({ from, to: from + long })),
  { maxLength: 6 },
)

test('equals the count of minutes at which both sides are there', () => {
  const isThere = (side: Stay[], at: number) => side.some(({ from, to }) => from <= at && at < to)
  const counted = (ones: Stay[], others: Stay[]) =>
    Array.from({ length: 100 }, (_, at) => isThere(ones, at) && isThere(others, at)).filter(Boolean).length
  fc.assert(
    fc.property(someStays, someStays, (ones, others) => {
      expect(togetherFor(ones, others)).toBe(counted(ones, others))
    }),
  )
})
