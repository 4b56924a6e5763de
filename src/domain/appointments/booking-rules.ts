import { missingForInstallation } from '../projects/installation-ready.ts'
import { furthest, isInstalled, type ProjectFacts, readyFactsOf } from '../projects/project.ts'
import { isActive } from './appointment.ts'
import type { Service } from './services.ts'

/** What keeps a customer from booking a service at all, whatever the hour. */
export type Hindrance = 'address' | 'active_one' | 'area' | 'not_ready' | 'finished' | 'concluded'

/**
 * The first thing in the way of a booking; null when nothing is. A call needs no place. Where a charger is installed only a
 * fault brings another visit: another charger is another project's.
 */
export function hindranceOf(
  service: Service,
  facts: ProjectFacts,
  faultSince: Date | null,
): Hindrance | null {
  const isCall = service === 'videocall'
  if (!isCall && facts.area === 'none') return 'address'
  if (facts.appointments.some((part) => part.service === service && isActive(part.state))) return 'active_one'
  if (!isCall && facts.area !== 'served') return 'area'
  if (service === 'technical_visit' && isInstalled(facts) && !faultSince) return 'concluded'
  if (service !== 'installation') return null
  if (furthest(facts, service)) return 'finished'
  return missingForInstallation(readyFactsOf(facts)).length > 0 ? 'not_ready' : null
}
