import { expect, test } from 'vitest'
import type { AppointmentState } from '../../../src/domain/appointment.ts'
import { movesByNow } from '../../../src/web/onsite/moves-by-now.ts'

const startsAt = new Date('2026-11-23T16:00:00Z')
const at = (
  time: string,
  state: AppointmentState,
  service: 'technical_visit' | 'videocall' = 'technical_visit',
) => movesByNow(['noShow'], { service, state, startsAt }, new Date(time))

test('a page fetched the day before offers what the hour allows when it is opened', () => {
  expect(at('2026-11-22T16:00:00Z', 'assigned')).toEqual(['noShow'])
  expect(at('2026-11-23T14:00:00Z', 'assigned')).toEqual(['noShow', 'setOut'])
  expect(at('2026-11-23T15:40:00Z', 'assigned')).toEqual(['noShow', 'setOut', 'start'])
  expect(at('2026-11-23T15:40:00Z', 'en_route')).toEqual(['noShow', 'start'])
  expect(at('2026-11-23T17:00:00Z', 'in_progress')).toEqual(['noShow', 'pause'])
  expect(at('2026-11-23T17:00:00Z', 'paused')).toEqual(['noShow', 'resume'])
  expect(at('2026-11-23T15:40:00Z', 'done')).toEqual(['noShow'])
})
