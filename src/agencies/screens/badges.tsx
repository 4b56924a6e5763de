import {
  CircleCheck,
  CircleX,
  ClipboardCheck,
  FileText,
  Landmark,
  type LucideIcon,
  MailOpen,
  PlugZap,
  UserPlus,
  Video,
  Wallet,
} from 'lucide-react'
import type { Tone } from '../../shared/state-machine.ts'
import { Badge, badgeStroke, IconSheet } from '../../ui/badge.tsx'
import { type ClientStage, clientStageLabels } from '../rules/clients.ts'

const looks: Record<ClientStage, { tone: Tone; icon: LucideIcon }> = {
  invited: { tone: 'wait', icon: MailOpen },
  intake: { tone: 'info', icon: UserPlus },
  advisory: { tone: 'info', icon: Video },
  visit: { tone: 'info', icon: ClipboardCheck },
  quoting: { tone: 'info', icon: FileText },
  deposit: { tone: 'info', icon: Wallet },
  installing: { tone: 'info', icon: PlugZap },
  cfe: { tone: 'info', icon: Landmark },
  closed: { tone: 'ok', icon: CircleCheck },
  lost: { tone: 'neutral', icon: CircleX },
}

const icons = Object.fromEntries(Object.entries(looks).map(([stage, { icon }]) => [stage, icon]))

/** The icons of all stages, for a page whose many badges take theirs from it. */
export const StageIcons = () => <IconSheet icons={icons} strokeWidth={badgeStroke} />

/** How far a client is; `sheet` where the page has `StageIcons`. */
export const StageBadge = ({ stage, sheet }: { stage: ClientStage; sheet?: boolean }) => (
  <Badge tone={looks[stage].tone} {...(sheet ? { sheetIcon: stage } : { icon: looks[stage].icon })}>
    {clientStageLabels[stage]}
  </Badge>
)

/** Whether an agency takes part. */
export const ActiveBadge = ({ active }: { active: boolean }) =>
  active ? <Badge tone="ok">Activa</Badge> : <Badge tone="neutral">Inactiva</Badge>
