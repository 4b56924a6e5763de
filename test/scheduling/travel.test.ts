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
  test('covers every pair of the 20 municipalities, both ways alike', () => {
    expect(zoneCount).toBe(20)
    expect(travel).toHaveLength(400)
    for (let a = 0; a < zoneCount; a++)
      for (let b = 0; b < zoneCount; b++) {
        expect(travelBetween(travel, a, b)).toBe(travelBetween(travel, b, a))
        if (a === b) expect(travelBetween(travel, a, b)).toBe(15)
        else expect(travelBetween(travel, a, b)).toBeGreaterThanOrEqual(15)
      }
  })

  test('every centre lies in the valleys of Mexico or Toluca', () => {
    for (const [latitude, longitude] of Object.values(centres)) {
      expect(latitude).toBeGreaterThan(19.1)
      expect(latitude).toBeLessThan(19.6)
      expect(longitude).toBeGreaterThan(-99.75)
      expect(longitude).toBeLessThan(-98.95)
    }
  })

  test('is about what the map says', () => {
    // Straight-line kilometres between the town halls, divided by 22 km/h, and ten minutes.
    expect(minutes('coyoacan', 'benito-juarez')).toBe(17)
    expect(Math.abs(minutes('tlalpan', 'cuauhtemoc') - 57)).toBeLessThan(6)
    expect(Math.abs(minutes('toluca', 'lerma') - 51)).toBeLessThan(6)
    expect(Math.abs(minutes('toluca', 'venustiano-carranza') - 168)).toBeLessThan(10)
    expect(minutes('toluca', 'tlahuac')).toBe(Math.max(...travel))
  })

  test('nothing is far from nowhere', () => {
    expect(travelBetween(travel, noZone, 3)).toBe(0)
    expect(travelBetween(travel, 3, noZone)).toBe(0)
  })
})
