import type { Scope } from '../../domain/reports/report.ts'
import { Card } from '../ui/card.tsx'
import { ScopeLines } from './scope-lines.tsx'

/** What its customer agreed to have done, for whoever installs it. */
export const ScopeCard = ({ scope }: { scope: Scope }) => (
  <Card title="Lo que se acordó">
    <ScopeLines lines={scope.lines} />
  </Card>
)
