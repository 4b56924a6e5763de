import { lazy, Suspense } from 'react'
import type { SheetView } from '../../domain/reports/report.ts'

const ClaimNotice = lazy(() => import('./claim-notice.tsx').catch(() => ({ default: () => null })))

/** The notice about what was handed in of an appointment taken away; seldom there, it comes later. */
export const Claimed = ({ claim }: Pick<SheetView, 'claim'>) =>
  claim && (
    <Suspense>
      <ClaimNotice claim={claim} />
    </Suspense>
  )
