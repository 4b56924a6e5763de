import '../../test/scheduling/availability.test.ts'
import '../../test/dispatch/planning/optimal.test.ts'

// The proofs of these files, with 25 times their cases.
beforeAll(() => {
  vi.stubEnv('ROUNDS', '25')
})
afterAll(() => {
  vi.unstubAllEnvs()
})
