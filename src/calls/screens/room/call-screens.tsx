import type { CallRoomProps } from './props.ts'
import './call.css'
import { useEffect, useState } from 'react'
import { CallOn } from '../active-call.tsx'
import { createCall } from '../rtc/call.ts'
import type { Call } from '../rtc/call-state.ts'
import { forgetJoinMark, joinMark } from '../rtc/join-mark.ts'

/** Creates the call of an appointment, and a new one each time the user comes back after leaving. */
export default function CallScreens(props: CallRoomProps) {
  const { appointmentId, resumes } = props.entry
  const [before, setBefore] = useState(() => joinMark(appointmentId))
  const [time, setTime] = useState(0)
  const [call, setCall] = useState<Call | null>(null)
  // Not with the first render: React may throw it away and render again.
  useEffect(forgetJoinMark, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time one comes back is a call of its own.
  useEffect(() => {
    const made = createCall(appointmentId)
    setCall(made)
    return () => made.close()
  }, [appointmentId, time])
  if (!call) return null
  return (
    <CallOn
      // The call made for this time, not the one before, which is closed.
      key={time}
      {...props}
      call={call}
      before={before}
      joins={time > 0 || resumes || before !== null}
      onAgain={(sent) => {
        setCall(null)
        setBefore(sent ?? before)
        setTime(time + 1)
      }}
    />
  )
}
