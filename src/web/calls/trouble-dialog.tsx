import { OpenDialog } from '../ui/dialog.tsx'
import type { MediaProblem } from './call-state.ts'
import { MediaTrouble } from './media-trouble.tsx'

type TroubleDialogProps = { problem: MediaProblem; onClose: () => void }

/** Why what was just turned on stays off. */
export const TroubleDialog = ({ problem, onClose }: TroubleDialogProps) => (
  <OpenDialog title="Sigue apagado" onClose={onClose}>
    <MediaTrouble problem={problem} />
  </OpenDialog>
)
