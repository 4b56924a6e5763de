import { describe, expect, test } from 'vitest'
import { fullRefundUntil } from '../../src/domain/payments/payment.ts'

describe('five working days', () => {
  const until = (accepted: string, own: string[] = []) =>
    fullRefundUntil(new Date(`${accepted}-06:00`), own).toISOString()

  test.each([
    // A Monday: until the end of the next one.
    ['2026-11-23T10:00', [], '2026-12-01T06:00:00.000Z'],
    // Late on a Friday; Saturday and Sunday don't count.
    ['2026-11-27T23:59', [], '2026-12-05T06:00:00.000Z'],
    // 16 November 2026 is a holiday.
    ['2026-11-13T12:00', [], '2026-11-24T06:00:00.000Z'],
    ['2026-11-23T10:00', ['2026-11-25'], '2026-12-02T06:00:00.000Z'],
  ])('after %s, besides %j', (accepted, own, end) => {
    expect(until(accepted, own)).toBe(end)
  })
})
