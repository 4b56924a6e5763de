import { planVisits, visitCount } from '../../seeds/visits.ts'
import { defaultSettings } from '../../src/settings/rules/settings-schema.ts'
import { localDate, toMinutes } from '../../src/shared/calendar.ts'
import { municipalities } from '../../src/shared/places.ts'

test('there is a place for every visit on whatever day and hour it starts', () => {
  const weekly = defaultSettings.hours.flatMap((hours, weekday) => (hours ? [{ weekday, ...hours }] : []))
  const team = (['tecnician', 'tecnician', 'analyst'] as const).map((kind, n) => ({
    id: String(n),
    kind,
    active: true,
    zones: [],
    shifts: weekly,
    timeOff: [],
  }))
  const zones = Array.from({ length: visitCount }, (_, n) => n % municipalities.length)
  const first = toMinutes(new Date('2026-01-01T06:00:00Z'))
  for (let hour = 0; hour < 3 * 8766; hour += 97) {
    const now = first + hour * 60
    const plan = planVisits(team, zones, now)
    for (const { state, start, bookedAt } of plan) {
      expect(bookedAt).toBeLessThan(now)
      expect(start > now).toBe(state === 'requested' || state === 'assigned')
    }
    const isDue = ({ person, start, state }: (typeof plan)[number]) =>
      person === 0 && state === 'assigned' && localDate(start) === localDate(now)
    expect(plan.some(isDue), new Date(now * 60_000).toISOString()).toBe(true)
    const starts = plan.map(({ person, start }) => `${person} ${start}`).toSorted()
    expect(new Set(starts).size).toBe(starts.length)
  }
})
