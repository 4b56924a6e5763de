import { expect, test } from 'vitest'
import { asksForTerms } from '../../src/domain/accounts/privacy.ts'

test.each([
  ['who agreed to none', null, '2025-01', 'first'],
  ['who agreed to these', '2025-01', '2025-01', null],
  ['who agreed to those before', '2025-01', '2026-02', 'changed'],
  ['who agreed to later ones, where the operator went back', '2026-02', '2025-01', 'changed'],
])('%s is asked accordingly', (_, agreed, inForce, why) => expect(asksForTerms(agreed, inForce)).toBe(why))
