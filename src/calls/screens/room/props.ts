import type { ReactNode } from 'react'
import type { CallEntry } from '../../queries.ts'
import type { Call, CallState, DeviceChoice } from '../rtc/call-state.ts'

/** A call, and what a screen puts around it. */
export type CallRoomProps = {
  entry: CallEntry
  /** Where one goes after leaving. */
  backTo: string
  /** Beside the call: the analyst's notes and facts. */
  aside?: { label: string; panel: ReactNode } | undefined
  /** The customer's ways out, in the waiting room. */
  whileWaiting?: ReactNode
  /** What is left where no call is possible: "Te llamamos". */
  noWay?: ReactNode
}

/** What every screen of a call gets. */
export type OnCall = CallRoomProps & {
  call: Call
  state: CallState
  devices: DeviceChoice
  onDevices: (devices: DeviceChoice) => void
}
