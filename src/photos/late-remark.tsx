import type { ReactNode } from 'react'
import type { DraftFile } from '../offline/draft.ts'
import { lateBefore } from '../reports/rules/review.ts'
import { Alert } from '../ui/alert.tsx'

/** Tells a technician what the reviewer will read about a photo of how it was that came late. */
export default function LateRemark({ files }: { files: readonly DraftFile[] }): ReactNode {
  const late = lateBefore('installation', files)
  return late && <Alert tone="wait" title={late} />
}
