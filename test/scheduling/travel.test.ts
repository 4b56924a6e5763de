import { describe, expect, test } from 'vitest'
import {
  centres,
  defaultTravel,
  noZone,
  travelBetween,
  zoneCount,
} from '../../src/domain/scheduling/roster.ts'
import { municipalities } from '../../src/domain/shared/places.ts'

const travel = defaultTravel()
const zone = (slug: string) => municipalities.findIndex((one) => one.slug === slug)
const minutes = (from: string, to: string) => travelBetween(travel, zone(from), zone(to))

describe('default travel', () => {
  test('covers every pair of the 20 municipalities, both ways alike, 15 minutes within each and at least', () => {
    expect(travel).toHaveLength(zoneCount ** 2)
    expect(zoneCount).toBe(20)
    for (let a = 0; a < zoneCount; a++) {
      expect(travelBetween(travel, a, a)).toBe(15)
      for (let b = 0; b < zoneCount; b++)
        expect(travelBetween(travel, a, b)).toBe(travelBetween(travel, b, a))
    }
    expect(Math.min(...travel)).toBe(15)
  })

  test('lies between centres in the valleys of Mexico and Toluca', () => {
    for (const [latitude, longitude] of Object.values(centres)) {
      expect(Math.abs(latitude - 19.35)).toBeLessThan(0.25)
      expect(Math.abs(longitude + 99.35)).toBeLessThan(0.4)
    }
  })

  test('matches distances on the map', () => {
    // Straight-line kilometres between the town halls, divided by 22 km/h, and ten minutes.
    expect(minutes('coyoacan', 'benito-juarez')).toBe(17)
    expect(Math.abs(minutes('tlalpan', 'cuauhtemoc') - 57)).toBeLessThan(6)
    expect(Math.abs(minutes('toluca', 'lerma') - 51)).toBeLessThan(6)
    expect(Math.abs(minutes('toluca', 'venustiano-carranza') - 168)).toBeLessThan(10)
    expect(minutes('toluca', 'tlahuac')).toBe(Math.max(...travel))
  })

  test('is zero from and to an appointment without a place', () => {
    expect(travelBetween(travel, noZone, 3)).toBe(0)
    expect(travelBetween(travel, 3, noZone)).toBe(0)
  })
})
