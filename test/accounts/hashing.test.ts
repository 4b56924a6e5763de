import { expect, test } from 'vitest'
import { hashedPassword, isPassword, refuseWhenCrowded } from '../../src/server/accounts/password.ts'

test('recognizes a hashed password and no other', async () => {
  const hash = await hashedPassword('una-larga-y-buena')
  expect(await isPassword({ hash, password: 'una-larga-y-buena' })).toBe(true)
  expect(await isPassword({ hash, password: 'una-larga-y-mala' })).toBe(false)
})

test('refuses more hashing while too many wait, until they are through', async () => {
  // An invalid hash fails at its turn, without the work.
  const crowd = Array.from({ length: 200 }, () => isPassword({ hash: '', password: 'x' }))
  expect(refuseWhenCrowded).toThrow('unavailable')
  await Promise.allSettled(crowd)
  expect(refuseWhenCrowded).not.toThrow()
})
