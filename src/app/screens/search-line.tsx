import {
  CalendarClock,
  Contact,
  FileText,
  Landmark,
  type LucideIcon,
  Receipt,
  Store,
  Ticket,
  Undo2,
  UserCog,
  Wallet,
  Zap,
} from 'lucide-react'
import type { Tone } from '../../shared/state-machine.ts'
import { Badge } from '../../ui/badge.tsx'

/** The kinds of results: their heading and their icon. */
export const hitKinds = {
  customer: { label: 'Clientes', icon: Contact },
  client: { label: 'Clientes', icon: Contact },
  appointment: { label: 'Citas', icon: CalendarClock },
  quote: { label: 'Cotizaciones', icon: FileText },
  payment: { label: 'Pagos', icon: Wallet },
  refund: { label: 'Reembolsos', icon: Undo2 },
  case: { label: 'Trámites ante CFE', icon: Landmark },
  invoice: { label: 'Facturas', icon: Receipt },
  movement: { label: 'Movimientos del banco', icon: Landmark },
  payout: { label: 'Comisiones pagadas', icon: Wallet },
  code: { label: 'Códigos', icon: Ticket },
  agency: { label: 'Concesionarias', icon: Store },
  staff: { label: 'Equipo', icon: UserCog },
  action: { label: 'Acciones', icon: Zap },
} as const satisfies Record<string, { label: string; icon: LucideIcon }>
export type HitKind = keyof typeof hitKinds

/** One result of a search, in words. */
export type Hit = {
  id: string
  kind: HitKind
  to: string
  title: string
  /** The lines below its title. */
  facts: string[]
  badge: { label: string; tone: Tone } | null
  /** Where an appointment is booked for this customer, for those who may. */
  book?: string
  /** How surely it is meant, from 0 to 100. */
  score: number
}

export type HitGroup = { kind: HitKind; hits: Hit[] }

/** What a result is, to be put inside its link. */
export function HitLine({ hit: { badge, facts, kind, title } }: { hit: Hit }) {
  const Icon = hitKinds[kind].icon
  return (
    <>
      <span className="grid size-9 shrink-0 place-items-center rounded-control bg-hover text-mute">
        <Icon aria-hidden className="size-4.5" />
      </span>
      <span className="grid min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium wrap-anywhere">{title}</span>
          {badge && <Badge tone={badge.tone}>{badge.label}</Badge>}
        </span>
        {facts.map((line) => (
          <span key={line} className="text-sm text-mute sm:truncate">
            {line}
          </span>
        ))}
      </span>
    </>
  )
}
