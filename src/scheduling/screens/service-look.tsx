import { type LucideIcon, Plug, Ruler, Video } from 'lucide-react'
import type { Service } from '../../appointments/rules/appointment.ts'

/** The icon of a service. */
export const serviceIcons: Record<Service, LucideIcon> = {
  technical_visit: Ruler,
  installation: Plug,
  videocall: Video,
}

/** The colour of a service: its ink, its edge, and its soft surface. */
export const serviceLooks: Record<Service, { ink: string; surface: string }> = {
  technical_visit: { ink: 'edge-soft text-brand', surface: 'bg-brand-soft' },
  installation: { ink: 'edge-soft text-info', surface: 'bg-info-soft' },
  videocall: { ink: 'edge-soft text-wait', surface: 'bg-wait-soft' },
}

/** The icon of a service on its colour. */
export function ServiceSwatch({ service }: { service: Service }) {
  const Icon = serviceIcons[service]
  const { ink, surface } = serviceLooks[service]
  return (
    <span
      aria-hidden
      className={`grid size-4 shrink-0 place-items-center rounded-sm border ${ink} ${surface}`}
    >
      <Icon className="size-3.5" />
    </span>
  )
}
