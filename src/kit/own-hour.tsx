import { atTime, centralZone, hourIn, ownZone } from '../shared/format.ts'
import { useHydrated } from '../ui/hydrated.ts'

/** The hour of a moment by the browser's clock, where that is in another time zone: only a script knows. */
export function OwnHour({ at, className }: { at: Date; className?: string }) {
  const isHydrated = useHydrated()
  const own = isHydrated ? hourIn(ownZone(), at) : null
  return own && <span className={className}>{own}</span>
}

/** When a call begins: the hour of central Mexico, and below it the user's own. */
export const CallHour = ({ at }: { at: Date }) => (
  <>
    {atTime(at)}, {centralZone}
    <OwnHour at={at} className="block font-semibold" />
  </>
)
