import type { Schedule } from '../../server/staffing/schedule.ts'
import type { Failure } from '../submit.ts'
import { intents } from './intents.ts'
import { ShiftsCard } from './shifts-card.tsx'
import { TimeOffCard } from './time-off-card.tsx'
import { ZonesCard } from './zones-card.tsx'

type ScheduleCardsProps = { schedule: Schedule; result: Failure | undefined }

/** When and where somebody works, to be changed by the manager; the screen's action is `staffingAction`. */
export function ScheduleCards({ schedule, result }: ScheduleCardsProps) {
  const heard = (intent: string) => (result?.values.intent === intent ? result : undefined)
  // What was accepted comes back with another version: the boxes then start from what is stored.
  return (
    <div key={result ? 'answered' : schedule.version} className="grid items-start gap-4 lg:grid-cols-2">
      <ShiftsCard schedule={schedule} result={heard(intents.shifts)} />
      <div className="grid gap-4">
        <TimeOffCard
          schedule={schedule}
          result={heard(intents.timeOff)}
          removal={heard(intents.removeTimeOff)}
        />
        {schedule.kind === 'tecnician' && <ZonesCard schedule={schedule} result={heard(intents.zones)} />}
      </div>
    </div>
  )
}
