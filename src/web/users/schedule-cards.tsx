import { useLocation } from 'react-router'
import type { Schedule } from '../../server/users/schedule.ts'
import type { Failure } from '../lib/submit.ts'
import { intents } from './intents.ts'
import { ShiftsCard } from './shifts-card.tsx'
import { TimeOffCard } from './time-off-card.tsx'
import { ZonesCard } from './zones-card.tsx'

type ScheduleCardsProps = { schedule: Schedule; result: Failure | undefined }

/** When and where somebody works, to be changed by the manager; the screen's action is `staffingAction`. */
export function ScheduleCards({ schedule, result }: ScheduleCardsProps) {
  const heard = (intent: string) => (result?.values.intent === intent ? result : undefined)
  const { key } = useLocation()
  // Another page, as after what was accepted, starts from what is stored; what others do meanwhile empties no box.
  return (
    <div key={result ? 'answered' : key} className="grid items-start gap-4 lg:grid-cols-2">
      <ShiftsCard schedule={schedule} result={heard(intents.shifts)} />
      <div className="grid gap-4">
        <TimeOffCard
          schedule={schedule}
          result={heard(intents.timeOff)}
          removal={heard(intents.removeTimeOff)}
          approval={heard(intents.approveTimeOff)}
          refusal={heard(intents.refuseTimeOff)}
        />
        {schedule.kind === 'tecnician' && <ZonesCard schedule={schedule} result={heard(intents.zones)} />}
      </div>
    </div>
  )
}
