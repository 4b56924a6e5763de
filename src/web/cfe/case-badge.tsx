import { type CaseState, caseStateFacts } from '../../domain/cfe/case.ts'
import { Badge } from '../ui/badge.tsx'

/** How a case stands, in a word or two. */
export const CaseBadge = ({ state }: { state: CaseState }) => (
  <Badge tone={caseStateFacts[state].tone}>{caseStateFacts[state].label}</Badge>
)
