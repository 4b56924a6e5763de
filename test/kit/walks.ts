import fc from 'fast-check'
import type { Answers, AnswerValue } from '../../src/reports/rules/report.ts'
import { Refusal } from '../../src/shared/refusal.ts'

/** One thing that may happen at any moment of a walk, with what is drawn for it; a refusal is an answer like any other. */
export type Step<Place> = {
  name: string
  draw: fc.Arbitrary<unknown>
  run: (place: Place, drawn: never) => unknown
}

/** A step that draws what it needs. */
export const step = <Place, Drawn>(
  name: string,
  draw: fc.Arbitrary<Drawn>,
  run: (place: Place, drawn: Drawn) => unknown,
): Step<Place> => ({ name, draw, run })

/** What visits find: nothing, a current that the home bears, none, another meter, works and an inspection. */
export const findings: readonly Answers[] = [
  {},
  { loadIncrease: true, contractedKilowatts: 16 },
  { loadIncrease: true, contractedKilowatts: 8 },
  { meterChoice: 'second' },
  { feasibility: 'with_works', feasibilityReason: 'Cambiar la mufa.', needsUvie: true },
]

/** An answer with one of its values. */
export const answerOf = (values: Record<string, readonly AnswerValue[]>) =>
  fc
    .constantFrom(...Object.entries(values))
    .chain(([name, some]) => fc.record({ name: fc.constant(name), value: fc.constantFrom(...some) }))

type Walks<Start, Place> = {
  starts: readonly Start[]
  begin: (start: Start) => Place | Promise<Place>
  steps: readonly Step<Place>[]
  /** Throws where a place is not as it must be; called after every step. */
  check: (place: Place) => unknown
  count: number
  /** The most steps of a walk. */
  length: number
}

/** Walks through a place in any order of steps, and shortens a walk that ends where none may. */
export const walks = <Start, Place extends object>({
  begin,
  check,
  count,
  length,
  starts,
  steps,
}: Walks<Start, Place>) =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...starts),
      fc.commands(
        steps.map(({ draw, name, run }) => draw.map((drawn) => commandOf(name, drawn, run, check))),
        { maxCommands: length, size: 'max' },
      ),
      (start, commands) => fc.asyncModelRun(async () => ({ model: {}, real: await begin(start) }), commands),
    ),
    { numRuns: count, seed: 20261129, endOnFailure: count > 1000 },
  )

const commandOf = <Place extends object>(
  name: string,
  drawn: unknown,
  run: Step<Place>['run'],
  check: Walks<unknown, Place>['check'],
): fc.AsyncCommand<object, Place> => ({
  check: () => true,
  toString: () => `${name} ${JSON.stringify(drawn) ?? ''}`,
  run: async (_, place) => {
    try {
      await run(place, drawn as never)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
    await check(place)
  },
})
