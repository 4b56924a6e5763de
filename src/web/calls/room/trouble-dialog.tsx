import { DialogWindow } from '../../ui/dialog-window.tsx'
import type { MediaProblem } from '../rtc/call-state.ts'
import type { Closing } from './in-room.tsx'
import { MediaTrouble } from './media-trouble.tsx'

type TroubleDialogProps = Closing & { problem: MediaProblem }

/** Why what was just turned on stays off. */
export const TroubleDialog = ({ problem, ...closing }: TroubleDialogProps) => (
  <DialogWindow title="Sigue apagado" {...closing}>
    <MediaTrouble problem={problem} />
  </DialogWindow>
)
