import fc from 'fast-check'
import { pressedAgain } from '../../src/offline/outbox/local-changes.ts'
import {
  canTakeBack,
  isUnsent,
  nextTask,
  pauseAfter,
  type Sendable,
  type SendTask,
} from '../../src/offline/outbox/send-order.ts'
import { answer, minuteAt, photo, refused, step } from './rows.ts'

/** Sends everything, each task taken by the server, and tells in what order. */
function sent(rows: Sendable): string[] {
  const order: string[] = []
  let left = rows
  for (let task = nextTask(left); task; task = nextTask(left)) {
    order.push(wordsOf(task))
    left = without(left, task)
    expect(order.length).toBeLessThan(200)
  }
  return order
}

const wordsOf = (task: SendTask) =>
  task.kind === 'answers' ? task.rows.map(({ name }) => name).join('+') : task.row.id

function without(rows: Sendable, task: SendTask): Sendable {
  const gone = new Set<unknown>(task.kind === 'answers' ? task.rows : [task.row])
  const done = <Row extends object>(list: readonly Row[]) =>
    list.map((row) => (gone.has(row) ? { ...row, state: 'sent' as const } : row))
  return { answers: done(rows.answers), files: done(rows.files), moves: done(rows.moves) }
}

test('sends steps, then answers together, then photos, and the report last', () => {
  const rows = {
    answers: [answer('supply', 3), answer('tenure', 9)],
    files: [photo('p1', 4), photo('p2', 5)],
    moves: [step('setOut', 1), step('start', 2), step('submit', 3)],
  }
  expect(sent(rows)).toEqual(['setOut-1', 'start-2', 'supply+tenure', 'p1', 'p2', 'submit-3'])
})

test('sends no picture before it was checked, and not the report without it', () => {
  const raw = photo('p', 4, { look: 'due' })
  expect(sent({ answers: [], files: [raw], moves: [step('submit', 5)] })).toEqual([])
})

test.each([
  ['the last step', [step('setOut', 1), step('start', 2)], [], 1, true],
  ['a step that another follows', [step('start', 1), step('pause', 2)], [], 0, false],
  [
    'one that another appointment’s follows',
    [step('start', 1), step('setOut', 2, { appointmentId: 'b' })],
    [],
    0,
    true,
  ],
  ['a step that was sent', [step('start', 1, { state: 'sent' })], [], 0, false],
  ['a start after which something was answered', [step('start', 1)], [answer('supply', 2)], 0, false],
  ['one whose answers were sent', [step('start', 1)], [answer('supply', 2, { state: 'sent' })], 0, true],
  ['the sheet, whose answers wait with it', [step('submit', 1)], [answer('supply', 2)], 0, true],
])('taken back before it is sent: %s', (_, moves, answers, at, isPossible) =>
  expect(canTakeBack(moves[at]!, { answers, files: [], moves })).toBe(isPossible),
)

test('keeps the last of three delays of one visit', () => {
  const late = (minutes: string, nth: number, more = {}) =>
    step('runLate', nth, { form: { minutes }, ...more })
  const input = (minutes: string) => ({ move: 'runLate', form: { minutes } }) as const
  const two = [late('15', 1), late('60', 2)]
  // Said a third time it is a request of its own: as the first one it would go out before the second.
  expect(pressedAgain(two, input('15'))).toBeUndefined()
  expect(pressedAgain(two.toReversed(), input('60'))?.id).toBe('runLate-2')
  const three = [...two, late('15', 3)]
  expect(pressedAgain(three, input('15'))?.id).toBe('runLate-3')
  expect(sent({ answers: [], files: [], moves: three })).toEqual(['runLate-1', 'runLate-2', 'runLate-3'])
  // No step between them makes it another one.
  expect(pressedAgain([...three, step('setOut', 4)], input('15'))?.id).toBe('runLate-3')
  expect(pressedAgain([late('15', 1, refused), late('60', 2)], input('15'))).toBeUndefined()
})

test('sends the appointment that began first before others', () => {
  const rows = {
    answers: [answer('later', 7, { appointmentId: 'b' }), answer('earlier', 2)],
    files: [photo('p', 3)],
    moves: [step('submit', 1, { appointmentId: 'b', at: minuteAt(20) })],
  }
  expect(sent(rows)).toEqual(['earlier', 'p', 'later', 'submit-1'])
})

test('a refused step holds back the steps after it, no answers and no report', () => {
  const rows = {
    answers: [answer('supply', 3)],
    files: [photo('p1', 4)],
    moves: [step('start', 1, refused), step('pause', 2), step('submit', 3)],
  }
  expect(sent(rows)).toEqual(['supply', 'p1', 'submit-3'])
  expect(sent({ ...rows, moves: [step('submit', 3)], files: [photo('p1', 4, refused)] })).toEqual(['supply'])
})

test('sends an end by a form last; only a report waits for what was refused', () => {
  const rows = {
    answers: [answer('supply', 3, refused), answer('tenure', 4)],
    files: [photo('p1', 5, { slot: 'no_show_facade' })],
    moves: [step('setOut', 1, refused), step('start', 2), step('noShow', 6)],
  }
  expect(sent(rows)).toEqual(['tenure', 'p1', 'noShow-6'])
  expect(sent({ ...rows, moves: [step('submit', 6)] })).toEqual(['tenure', 'p1'])
})

test('sends a delay in order among the steps, which never wait for it', () => {
  const rows = {
    answers: [answer('supply', 3)],
    files: [],
    moves: [step('setOut', 1), step('runLate', 2), step('start', 4), step('submit', 9)],
  }
  expect(sent(rows)).toEqual(['setOut-1', 'runLate-2', 'start-4', 'supply', 'submit-9'])
  const isOff = [step('setOut', 1, refused), step('runLate', 2), step('start', 4), step('finish', 9)]
  expect(sent({ ...rows, moves: isOff })).toEqual(['runLate-2', 'supply', 'finish-9'])
  const isLateOff = [step('setOut', 1), step('runLate', 2, refused), step('submit', 9)]
  expect(sent({ ...rows, moves: isLateOff })).toEqual(['setOut-1', 'supply', 'submit-9'])
})

test('sends time off in order of its age, also after refused rows', () => {
  const own = { appointmentId: '' }
  const rows = {
    answers: [answer('supply', 5)],
    files: [],
    moves: [
      step('askTimeOff', 1, { ...own, ...refused }),
      step('askTimeOff', 2, own),
      step('withdrawTimeOff', 3, own),
    ],
  }
  expect(sent(rows)).toEqual(['askTimeOff-2', 'withdrawTimeOff-3', 'supply'])
})

test('holds an answer with a conflict, and the report with it', () => {
  const conflict = { value: 'theirs', revision: 2, by: 'Ana', at: minuteAt(5) }
  const rows = { answers: [answer('supply', 3, { conflict })], files: [], moves: [step('submit', 9)] }
  expect(sent(rows)).toEqual([])
})

test('sends more answers than a request takes in several requests', () => {
  const answers = Array.from({ length: 230 }, (_, nth) => answer(`q${nth}`, 1))
  expect(sent({ answers, files: [], moves: [] }).map((words) => words.split('+').length)).toEqual([
    100, 100, 30,
  ])
})

test('sends everything that waits once, steps in order, and nothing after the report', () => {
  const ids = fc.constantFrom('a', 'b', 'c')
  const some = fc.record({
    answers: fc.uniqueArray(fc.tuple(fc.string({ minLength: 1 }), ids, fc.nat(50)), {
      selector: ([name, id]) => name + id,
      maxLength: 12,
    }),
    files: fc.array(fc.tuple(ids, fc.nat(50)), { maxLength: 12 }),
    steps: fc.array(fc.tuple(fc.constantFrom('setOut', 'start', 'pause', 'resume', 'submit'), ids), {
      maxLength: 8,
    }),
  })
  fc.assert(
    fc.property(some, ({ answers, files, steps }) => {
      const rows: Sendable = {
        answers: answers.map(([name, appointmentId, minute]) => answer(name, minute, { appointmentId })),
        files: files.map(([appointmentId, minute], nth) => photo(`p${nth}`, minute, { appointmentId })),
        moves: steps.map(([move, appointmentId], nth) => step(move as 'start', nth, { appointmentId })),
      }
      let left = rows
      const last = new Map<string, number>()
      for (let task = nextTask(left); task; task = nextTask(left)) {
        if (task.kind === 'move') {
          const { appointmentId, move, nth } = task.row
          if (move !== 'submit') expect(nth).toBeGreaterThan(last.get(appointmentId) ?? -1)
          else
            expect(
              [...left.answers, ...left.files].filter(
                (row) => row.appointmentId === appointmentId && isUnsent(row),
              ),
            ).toEqual([])
          if (move !== 'submit') last.set(appointmentId, nth)
        }
        left = without(left, task)
      }
      expect([...left.answers, ...left.files, ...left.moves].filter(isUnsent)).toEqual([])
    }),
  )
})

test('doubles the pauses from two seconds to two minutes, with jitter', () => {
  expect([1, 2, 3, 7, 40].map((tries) => pauseAfter(tries, () => 0))).toEqual([
    2_000, 4_000, 8_000, 120_000, 120_000,
  ])
  expect(pauseAfter(1, () => 1)).toBe(2_500)
})
