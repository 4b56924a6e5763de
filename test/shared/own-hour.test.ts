import { expect, test } from 'vitest'
import { hourIn } from '../../src/domain/shared/format.ts'

const noon = new Date('2026-11-24T12:00-06:00')

test.each([
  ['America/Tijuana', '10:00 a. m. para ti'],
  ['America/Hermosillo', '11:00 a. m. para ti'],
  ['America/Cancun', '1:00 p. m. para ti'],
  ['Asia/Tokyo', 'mié 25, 3:00 a. m. para ti'],
  // The clocks of these show the same.
  ['America/Mexico_City', null],
  ['America/Monterrey', null],
])('noon of central Mexico, in %s: %s', (zone, words) => {
  expect(hourIn(zone, noon)?.replaceAll('\u00a0', ' ') ?? null).toBe(words)
})

test('Tijuana changes its clocks twice a year, the centre does not', () => {
  expect(hourIn('America/Tijuana', new Date('2026-07-24T12:00-06:00'))).toContain('11:00')
})
