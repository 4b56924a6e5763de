import { signInErrors } from '../../src/accounts/rules/sign-in-errors.ts'
import { refusals } from '../../src/shared/refusal.ts'

/** Specification §8. */
const signInCodes = `unauthorized-domain, popup-blocked, popup-closed-by-user, cancelled-popup-request,
  web-storage-unsupported, network-request-failed, internal-error, invalid-auth-event, auth-domain-config-required,
  invalid-api-key, operation-not-supported-in-this-environment`
const storeStatuses = `cancelled, unknown, invalid-argument, deadline-exceeded, not-found, already-exists,
  permission-denied, unauthenticated, resource-exhausted, failed-precondition, aborted, out-of-range, unimplemented,
  internal, unavailable, data-loss`
const listed = (text: string) => text.split(',').map((code) => code.trim())

const spanish = /^[A-ZÁÉÍÓÚÑ]/
const catalogue = { ...signInErrors, ...refusals }

test('has each code of the specification and no other', () => {
  expect(Object.keys(signInErrors).sort()).toEqual(listed(signInCodes).sort())
  expect(Object.keys(refusals).sort()).toEqual(listed(storeStatuses).sort())
})

test.each(Object.entries(catalogue))(
  '%s has a title and a description in sentences',
  (code, { title, description }) => {
    expect(title).toMatch(spanish)
    expect(title.length).toBeLessThanOrEqual(40)
    expect(description).toMatch(spanish)
    expect(description).toMatch(/\.$/)
    expect(`${title} ${description}`).not.toContain(code)
  },
)

test('says something else for each sign-in code', () => {
  const words = Object.values(signInErrors).map(({ title, description }) => title + description)
  expect(new Set(words).size).toBe(words.length)
})
