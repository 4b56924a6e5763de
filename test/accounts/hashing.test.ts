import { expect, test } from 'vitest'
import { hashedPassword, isPassword, refuseWhenCrowded } from '../../src/server/accounts/password.ts'

test('a password is known again, and another one is not', async () => {
  const hash = await hashedPassword('una-larga-y-buena')
  expect(await isPassword({ hash, password: 'una-larga-y-buena' })).toBe(true)
  expect(await isPassword({ hash, password: 'una-larga-y-mala' })).toBe(false)
})

test('beyond some that wait, whoever comes is asked to come again, until they are through', async () => {
  // What is no hash fails when its turn comes, without the work.
  const crowd = Array.from({ length: 200 }, () => isPassword({ hash: '', password: 'x' }))
  expect(refuseWhenCrowded).toThrow('unavailable')
  await Promise.allSettled(crowd)
  expect(refuseWhenCrowded).not.toThrow()
})
